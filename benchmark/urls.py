from django.urls import URLPattern, URLResolver, path

from benchmark import api
from benchmark.views import pages, scoring

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
API = "api/v1/projects/<slug:slug>/question-sets/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/question-sets/", pages.question_sets, name="question-sets"),
    path(SET, pages.question_set, name="question-set"),
    path(f"{SET}freeze/", pages.freeze_set, name="question-set-freeze"),
    path(f"{SET}new-version/", pages.begin_version, name="question-set-version"),
    path(f"{SET}score/", scoring.score_set, name="question-set-score"),
    path("p/<slug:slug>/question-sets/baselines/", scoring.baselines, name="benchmark-baselines"),
    path(f"{SET}questions/<int:question>/", pages.question, name="benchmark-question"),
    path(API, api.QuestionSetList.as_view(), name="api-question-sets"),
    path(f"{API}<slug:question_set>/<int:version>/score/", api.ScoreSet.as_view(), name="api-question-set-score"),
    path(
        f"{API}<slug:question_set>/<int:version>/questions/", api.QuestionList.as_view(), name="api-benchmark-questions"
    ),
]
