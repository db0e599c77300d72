from django.urls import URLPattern, URLResolver, path

from annotation.category_api import Categories
from annotation.pairs.api import PairForming
from annotation.views import (
    adjudication,
    categories,
    classification,
    error_scheme,
    pairs,
    prompt_templates,
    questions,
    responses,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("p/<slug:slug>/responses/<uuid:response>/", responses.response_page, name="response"),
    path("p/<slug:slug>/responses/<uuid:response>/group/", responses.group_spans, name="group-spans"),
    path("p/<slug:slug>/groups/", responses.proposals, name="group-proposals"),
    path("p/<slug:slug>/groups/propose/", responses.propose_overlaps, name="propose-groups"),
    path("p/<slug:slug>/groups/<int:proposal>/", responses.decide_proposal, name="decide-group"),
    path("p/<slug:slug>/classification/", classification.queue, name="classification"),
    path("p/<slug:slug>/classification/sample/", classification.second_coding, name="second-coding"),
    path("p/<slug:slug>/classification/sample/draw/", classification.draw, name="draw-sample"),
    path("p/<slug:slug>/classification/spans/<int:span>/", classification.classify, name="classify"),
    path("p/<slug:slug>/classification/proposals/", classification.proposals, name="category-proposals"),
    path("p/<slug:slug>/classification/<int:proposal>/change/", classification.change, name="change-category"),
    path("p/<slug:slug>/classification/<int:proposal>/refuse/", classification.refuse, name="refuse-category"),
    path("p/<slug:slug>/classification/<int:proposal>/confirm/", classification.confirm, name="confirm-category"),
    path("p/<slug:slug>/adjudication/", adjudication.queue, name="adjudication"),
    path("p/<slug:slug>/adjudication/<int:span>/", adjudication.decide, name="adjudicate"),
    path("p/<slug:slug>/error-categories/", categories.categories, name="error-categories"),
    path("p/<slug:slug>/error-categories/<slug:category>/", categories.category, name="error-category"),
    path("p/<slug:slug>/error-categories/<int:number>/undo/", categories.undo, name="error-categories-undo"),
    path("p/<slug:slug>/error-scheme/", error_scheme.scheme, name="error-scheme"),
    path("p/<slug:slug>/pairs/", pairs.form_pairs, name="pairs"),
    path("api/v1/projects/<slug:slug>/pairs/", PairForming.as_view(), name="api-pairs"),
    path("api/v1/projects/<slug:slug>/error-categories/", Categories.as_view(), name="api-error-categories"),
    path("p/<slug:slug>/question-types/", questions.question_types, name="question-types"),
    path("p/<slug:slug>/question-types/add/", questions.add_question_type, name="question-type-add"),
    path("p/<slug:slug>/question-types/settings/", questions.settings, name="rating-settings"),
    path("p/<slug:slug>/question-types/<int:question>/", questions.question_type, name="question-type"),
    path(
        "p/<slug:slug>/question-types/<int:question>/remove/",
        questions.remove_question_type,
        name="question-type-remove",
    ),
    path("p/<slug:slug>/question-types/dimensions/add/", questions.add_dimension, name="dimension-add"),
    path("p/<slug:slug>/question-types/dimensions/<int:dimension>/", questions.dimension, name="dimension"),
    path(
        "p/<slug:slug>/question-types/dimensions/<int:dimension>/remove/",
        questions.remove_dimension,
        name="dimension-remove",
    ),
    path("p/<slug:slug>/templates/", prompt_templates.templates, name="templates"),
    path("p/<slug:slug>/templates/add/", prompt_templates.add_template, name="template-add"),
    path("p/<slug:slug>/templates/splits/", prompt_templates.splits, name="template-splits"),
    path("p/<slug:slug>/templates/<int:template>/", prompt_templates.template, name="template"),
]
