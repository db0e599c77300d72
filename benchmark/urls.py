from django.urls import URLPattern, URLResolver, path

from benchmark import api
from benchmark.views import editing, pages

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
API = "api/v1/projects/<slug:slug>/question-sets/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/question-sets/", pages.question_sets, name="question-sets"),
    path(SET, pages.question_set, name="question-set"),
    path(f"{SET}freeze/", pages.freeze_set, name="question-set-freeze"),
    path(f"{SET}new-version/", pages.begin_version, name="question-set-version"),
    path(f"{SET}questions/<int:question>/", pages.question, name="benchmark-question"),
    path(f"{SET}questions/<int:question>/edit/", editing.edit_question, name="benchmark-question-edit"),
    path(f"{SET}questions/<int:question>/drop/", editing.drop_question, name="benchmark-question-drop"),
    path(API, api.QuestionSetList.as_view(), name="api-question-sets"),
    path(
        f"{API}<slug:question_set>/<int:version>/questions/", api.QuestionList.as_view(), name="api-benchmark-questions"
    ),
]
