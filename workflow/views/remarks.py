"""A person's own remarks: what they bookmarked, were unsure of, and wrote down for themselves."""

from collections.abc import Iterator

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from projects.access import fetch_project, fetch_rater
from projects.held_back import canary_of
from projects.models import Rater
from projects.requests import SignedInRequest
from projects.spreadsheets import csv_response
from workflow.models import Assignment
from workflow.views.work import titled

PAGE = 50
BATCH = 500
CSV_COLUMNS = ("item", "stage", "state", "bookmarked_at", "unsure", "note", "noted_at", "note_is_shared")


@require_safe
@never_cache
@login_required
def mine(request: SignedInRequest, slug: str) -> HttpResponse:
    """All of them, the latest item first; each leads to its item."""
    project = fetch_project(request.user, slug, "work.claim")
    page = Paginator(remarked(fetch_rater(request.user, project)), PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "page": page, "rows": titled(page.object_list)}
    return render(request, "workflow/remarks.html", context)


@require_safe
@never_cache
@login_required
def mine_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """The same as a file of one's own, notes that nobody else reads among them."""
    project = fetch_project(request.user, slug, "work.claim")
    return csv_response(f"{slug}-my-remarks", CSV_COLUMNS, csv_rows(fetch_rater(request.user, project)))


def remarked(rater: Rater) -> QuerySet[Assignment]:
    said = Q(remark__bookmarked_at__isnull=False) | Q(remark__note__gt="") | Q(is_unsure=True)
    turns = Assignment.objects.filter(said, rater=rater).order_by("-pk")
    turns = turns.select_related(
        "remark", "item__response__prompt", "item__prompt", "item__pair__prompt", "item__template", "stage"
    )
    # A text that is held back stands on the page of its item alone.
    return turns.annotate(prompt_canary=canary_of("item__prompt"), response_canary=canary_of("item__response__prompt"))


def csv_rows(rater: Rater) -> Iterator[list[object]]:
    """One row an item under CSV_COLUMNS."""
    for turns in Paginator(remarked(rater), BATCH):
        for turn, title, _words in titled(turns.object_list):
            remark = getattr(turn, "remark", None)
            yield [
                *(title, turn.stage.name, turn.status),
                remark.bookmarked_at.isoformat() if remark and remark.bookmarked_at else "",
                turn.is_unsure,
                remark.note if remark else "",
                remark.noted_at.isoformat() if remark and remark.noted_at else "",
                remark.note_is_shared if remark else False,
            ]
