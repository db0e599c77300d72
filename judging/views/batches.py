"""What the pages of runs and of collections share: a batch of calls that is watched, stopped and set going again."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet, TextChoices
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from projects.requests import SignedInRequest

CALLS_PER_PAGE = 20


def watched(request: SignedInRequest, page: str, live: str, context: dict[str, Any]) -> HttpResponse:
    """The page, and for htmx its live part alone, which asks again until the batch is over."""
    response = render(request, live if request.htmx else page, context)
    # A browser must not take the fragment from its cache for the page.
    patch_vary_headers(response, ["HX-Request"])
    return response


def calls_in_state(request: SignedInRequest, calls: QuerySet, states: type[TextChoices]) -> dict[str, Any]:
    """What a page of calls shows: those in the state that was asked for, else all, and the states to choose from.

    `calls` come in the order in which they are to be read.
    """
    state = request.GET.get("state", "")
    if state in states.values:
        calls = calls.filter(state=state)
    page = Paginator(calls, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    return {"page": page, "state": state, "states": states}


def answer(request: SignedInRequest, done: bool, refusal: str, success: str = "") -> None:
    """Say what a verb came to. A batch that goes on shows so by itself and needs no words."""
    if not done:
        messages.warning(request, refusal)
    elif success:
        messages.success(request, success)
