from django.urls import URLPattern, URLResolver, path

from annotation.views import adjudication, classification, responses

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
]
