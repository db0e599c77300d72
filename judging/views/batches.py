"""What the pages of runs and of collections share: a batch of calls that is watched, stopped and set going again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet, TextChoices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

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


def verb_view(
    fetch: Callable[[Project, UUID], Any],
    page: str,
    act: Callable[..., int],
    refusal: "StrOrPromise",
    success: Callable[[int], str] | None = None,
) -> Callable[..., HttpResponse]:
    """The view of a verb of a run or a run set, which then shows `page`.

    `act(batch, by=user)` returns how many runs it changed. `refusal` is shown where that is none, else
    `success(changed)`; a batch that goes on shows so by itself and needs no words.
    """

    @require_POST
    @login_required
    def view(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
        batch = fetch(fetch_project(request.user, slug, "judges.run"), uuid)
        try:
            changed = act(batch, by=request.user)
        except Invalid as invalid:
            messages.error(request, str(invalid.problems[0].message))
        else:
            if not changed:
                messages.warning(request, str(refusal))
            elif success:
                messages.success(request, success(changed))
        return redirect(page, slug, uuid)

    return view
