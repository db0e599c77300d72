"""The call that a question check makes beside those of every task screen."""

import uuid

from django.http import Http404, HttpResponse, JsonResponse

from benchmark.editing import texts_of
from benchmark.question_check.planning import KIND, question_of
from benchmark.question_check.revealing import answer_first, is_gone, revealed
from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow.access import fetch_own
from workflow.views.calls import json_call, read_json


@json_call("POST")
def reveal(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """Keep the checker's own answer and show the reference and the models' answers."""
    payload = read_json(request)
    own = fetch_own(request.user, assignment)
    if own.stage.kind != KIND:
        raise Http404
    given, question = answer_first(own, payload.get("text")), question_of(own)
    if question is None:
        raise Invalid(is_gone())
    texts = texts_of(question)
    return JsonResponse({"revealed": revealed(own, question, given.text, texts["reference"]), "wording": texts})
