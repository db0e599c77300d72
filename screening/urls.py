from django.urls import path

from screening import api
from screening.views import background, checks, groups, quizzes, taking

urlpatterns = [
    path("p/<slug:slug>/quiz/<int:quiz_id>/", taking.introduction, name="quiz"),
    path("p/<slug:slug>/quiz/<int:quiz_id>/begin", taking.begin, name="quiz-begin"),
    path("p/<slug:slug>/about-me/", background.about_me, name="about-me"),
    path("p/<slug:slug>/about-me/take-back/", background.take_back, name="about-me-take-back"),
    path("p/<slug:slug>/people/background/", background.background, name="background"),
    path("p/<slug:slug>/people/background.csv", background.background_csv, name="background-csv"),
    path("api/v1/projects/<slug:slug>/quizzes/", api.Quizzes.as_view(), name="api-quizzes"),
    path("api/v1/projects/<slug:slug>/quizzes/file/", api.QuizFiles.as_view(), name="api-quiz-bring-in"),
    path("api/v1/projects/<slug:slug>/quizzes/<int:quiz_id>/file/", api.QuizFile.as_view(), name="api-quiz-file"),
    path("api/v1/projects/<slug:slug>/background/", api.Background.as_view(), name="api-background"),
    path("p/<slug:slug>/people/groups/", groups.groups, name="rater-groups"),
    path("p/<slug:slug>/people/groups/add/", groups.add, name="rater-group-add"),
    path("p/<slug:slug>/people/groups/assign/", groups.assign, name="rater-groups-assign"),
    path("p/<slug:slug>/people/groups/<int:group>/rename/", groups.rename, name="rater-group-rename"),
    path("p/<slug:slug>/people/groups/<int:group>/delete/", groups.delete, name="rater-group-delete"),
    path("p/<slug:slug>/paused/<int:stage>/", taking.paused, name="paused"),
    path("quiz-attempts/<uuid:attempt>/", taking.show, name="attempt"),
    path("quiz-attempts/<uuid:attempt>/answers/<int:position>", taking.save, name="attempt-save"),
    path("quiz-attempts/<uuid:attempt>/submit", taking.submit, name="attempt-submit"),
    path("p/<slug:slug>/screening/", quizzes.quizzes, name="screening"),
    path("p/<slug:slug>/screening/new/", quizzes.create, name="quiz-create"),
    path("p/<slug:slug>/screening/from-file/", quizzes.bring_in, name="quiz-from-file"),
    path("p/<slug:slug>/screening/<int:quiz_id>/", quizzes.edit, name="quiz-edit"),
    path("p/<slug:slug>/screening/<int:quiz_id>/file/", quizzes.as_file, name="quiz-file"),
    path("p/<slug:slug>/screening/<int:quiz_id>/settings/", quizzes.settings, name="quiz-settings"),
    path("p/<slug:slug>/screening/<int:quiz_id>/open/", quizzes.set_open, name="quiz-open"),
    path("p/<slug:slug>/screening/<int:quiz_id>/preview/", quizzes.preview, name="quiz-preview"),
    path("p/<slug:slug>/screening/<int:quiz_id>/results/", quizzes.results, name="quiz-results"),
    path("p/<slug:slug>/screening/<int:quiz_id>/add/<slug:kind>/", quizzes.add_question, name="quiz-question-add"),
    path("p/<slug:slug>/screening/<int:quiz_id>/<int:question>/", quizzes.change_question, name="quiz-question"),
    path(
        "p/<slug:slug>/screening/<int:quiz_id>/<int:question>/delete/",
        quizzes.delete_question,
        name="quiz-question-delete",
    ),
    path(
        "p/<slug:slug>/screening/<int:quiz_id>/<int:question>/move/", quizzes.move_question, name="quiz-question-move"
    ),
    path("p/<slug:slug>/checks/", checks.checks, name="checks"),
    path("p/<slug:slug>/checks/<int:stage>/", checks.stage_checks, name="stage-checks"),
    path("p/<slug:slug>/checks/<int:stage>/settings/", checks.settings, name="check-settings"),
    path("p/<slug:slug>/checks/<int:stage>/add/", checks.add, name="checks-add"),
    path("p/<slug:slug>/checks/<int:check>/active/", checks.set_active, name="check-active"),
    path("p/<slug:slug>/watch/", checks.watch, name="watch"),
    path("p/<slug:slug>/watch/<int:pause>/lift/", checks.lift, name="pause-lift"),
]
