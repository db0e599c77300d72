"""A person's own work in a project: what there is to do, what they have done, and the next item."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import PERMISSIONS, fetch_project, fetch_rater
from projects.guidelines import news_for
from projects.guidelines_in_languages import language_for
from projects.held_back import canary_of
from projects.models import Project, Rater
from projects.requests import SignedInRequest
from projects.zones import zone_of
from workflow import item_questions, reassignment
from workflow.access import fetch_at_work
from workflow.claims import claim_next
from workflow.models import Assignment, Stage, WorkItem
from workflow.progress import BEGUN, OwnStage, done_lately, left_of, own_stages
from workflow.refusals import Refused
from workflow.task_types import task_type

LATEST = 20
NO_DATE = datetime.max.replace(tzinfo=UTC)


@require_safe
@never_cache
@login_required
def work(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    stages = own_stages(rater, [stage for stage in project.stages.all() if may_work_in(project, stage)])
    mine = Assignment.objects.filter(rater=rater).select_related(
        "item__response__prompt", "item__prompt", "item__pair__prompt", "item__template", "stage"
    )
    # A text that is held back stands on the page of its item alone.
    mine = mine.annotate(prompt_canary=canary_of("item__prompt"), response_canary=canary_of("item__response__prompt"))
    unfinished = mine.filter(status__in=BEGUN).order_by("claimed_at", "pk")[:LATEST]
    latest = mine.filter(submitted_at__isnull=False).order_by("-submitted_at")[:LATEST]
    done = sum(own.done for own in stages)
    context = {
        "project": project,
        "rater": rater,
        "stages": stages,
        "lately": done_lately(rater, zone_of(request.user)),
        "left": left_of(stages),
        "first": first_with_work(stages),
        "has_dates": any(own.stage.due_at and own.takes_work for own in stages),
        "zone": zone_of(request.user),
        "done": done,
        "active_seconds": sum(own.active_seconds for own in stages),
        "unfinished": titled(unfinished),
        "sent_back": reassignment.returned(rater).select_related("assignment__stage")[:LATEST],
        "latest": titled(latest),
        "news": news_for(rater, project, language_for(project, request.user)),
        "answers": item_questions.answered_unseen(rater),
    }
    return render(request, "workflow/work.html", context)


@require_POST
@never_cache
@login_required
def go_on(request: SignedInRequest, slug: str) -> HttpResponse:
    """The one button: goes on with what was sent back or is begun, else takes the next item of the first stage that has
    one."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    stages = own_stages(rater, [stage for stage in project.stages.all() if may_work_in(project, stage)])
    first = first_with_work(stages)
    sent_back = reassignment.returned(rater).select_related("assignment").first()
    if sent_back is not None:
        return redirect("task", sent_back.assignment.uuid)
    if first is None:
        return redirect("work", slug)
    return redirect(first.begin_url) if first.begins_own else claimed_item(request, rater, first.stage)


def first_with_work(stages: Iterable[OwnStage]) -> OwnStage | None:
    """The stage whose work comes next: one with something begun, else the one that is due first, else the first in
    their order that has an item."""
    able = [own for own in stages if own.has_work]
    return min(able, key=lambda own: (not own.begun, own.stage.due_at or NO_DATE), default=None)


def may_work_in(project: Project, stage: Stage) -> bool:
    return bool(project.viewer_roles & PERMISSIONS[task_type(stage.kind).permission])


def titled(turns: Iterable[Assignment]) -> list[tuple[Assignment, str, str]]:
    """Each turn with what its item is called, and the first words it is about; a number of queries per kind of work,
    not per turn."""
    by_kind: dict[str, list[WorkItem]] = defaultdict(list)
    for turn in (turns := list(turns)):
        by_kind[turn.stage.kind].append(turn.item)
    titles: dict[int, str] = {}
    for kind, items in by_kind.items():
        titles |= task_type(kind).titles(items)
    return [(turn, titles[turn.item_id], words_of(turn)) for turn in turns]


def words_of(turn: Assignment) -> str:
    held_back = getattr(turn, "prompt_canary", None) or getattr(turn, "response_canary", None)
    return "" if held_back or turn.item.note_set else turn.item.first_words


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def next_item(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Claim the next item and go to it. Only looking claims nothing: it leads to the overview."""
    rater, chosen = fetch_at_work(request.user, slug, stage)
    if request.method != "POST":
        return redirect("work", slug)
    return claimed_item(request, rater, chosen)


def claimed_item(request: SignedInRequest, rater: Rater, stage: Stage) -> HttpResponse:
    """The way to the next item of a stage, or back to the overview with the reason why none comes."""
    try:
        assignment = claim_next(rater, stage)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("work", stage.project.slug)
    if assignment is None:
        messages.info(
            request, _("Nothing is left for you here just now. Items that others give back come to you later.")
        )
        return redirect("work", stage.project.slug)
    return redirect("task", assignment.uuid)


@require_safe
@never_cache
@login_required
def signed_in(request: SignedInRequest) -> HttpResponse:
    """Where signing in again ends inside a task screen: hands the fresh token to the page around it."""
    return render(request, "workflow/signed_in.html", {"owner": str(request.user.pk)})
