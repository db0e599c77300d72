from django.urls import URLPattern, URLResolver, path

from rubrics.views import authoring, calibration, pages, reviews, settings

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/rubrics/", pages.rubrics, name="rubrics"),
    path("p/<slug:slug>/rubrics/<uuid:rubric>/", pages.rubric, name="rubric"),
    path("p/<slug:slug>/rubrics/<uuid:rubric>/revise/", pages.revise, name="rubric-revise"),
    path("p/<slug:slug>/rubrics/settings/", settings.settings, name="rubric-settings"),
    path("p/<slug:slug>/rubrics/reviews/", reviews.queue, name="rubric-reviews"),
    path("p/<slug:slug>/rubrics/reviews/<int:review>/", reviews.review, name="rubric-review"),
    path("p/<slug:slug>/rubrics/drafts/<uuid:assignment>/", pages.draft, name="rubric-draft"),
    path("p/<slug:slug>/calibration/", calibration.calibration, name="calibration"),
    path("p/<slug:slug>/stages/<int:stage>/begin/", authoring.begin, name="rubric-begin"),
    path("p/<slug:slug>/stages/<int:stage>/take-up/", authoring.take_up, name="rubric-take-up"),
    path("tasks/<uuid:assignment>/lint", authoring.lint, name="rubric-lint"),
    path("tasks/<uuid:assignment>/difficulty", authoring.difficulty_by_hand, name="rubric-difficulty-by-hand"),
    path("tasks/<uuid:assignment>/difficulty/mark", authoring.difficulty_mark, name="rubric-difficulty-mark"),
    path("tasks/<uuid:assignment>/ask-review", authoring.ask_review, name="rubric-ask-review"),
]
