"""The rubrics of a project: those in the making, those that are frozen, those that were discarded, and one of them."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from projects.audit import record
from projects.problems import Invalid
from projects.requests import SignedInRequest
from rubrics.access import AUTHORING, Author, fetch_author
from rubrics.authoring import revising
from rubrics.authoring.bodies import body_of, first_body
from rubrics.authoring.discarding import DiscardReason
from rubrics.authoring.reading import readable
from rubrics.models import DifficultyOutcome, Rubric
from workflow.models import Assignment, Stage, Status
from workflow.refusals import Refused
from workflow.task_types import task_type

PAGE = 50
IN_THE_MAKING = (Status.RESERVED, Status.CLAIMED, Status.EXPIRED, Status.RELEASED)
STATES = ("drafts", "frozen", "discarded")


@require_safe
@never_cache
@login_required
def rubrics(request: SignedInRequest, slug: str) -> HttpResponse:
    """An author's own rubrics; those of everybody for a lead."""
    author = fetch_author(request.user, slug)
    drafts, frozen = drafts_of(author), frozen_of(author)
    counts = drafts.aggregate(
        drafts=Count("pk", filter=Q(status__in=IN_THE_MAKING)), discarded=Count("pk", filter=Q(status=Status.SKIPPED))
    ) | {"frozen": frozen.count()}
    chosen = request.GET.get("show") or ("drafts" if counts["drafts"] or not counts["frozen"] else "frozen")
    if chosen not in STATES:
        raise Http404
    context = {
        "project": author.project,
        "author": author,
        "show": chosen,
        "counts": counts,
        "stages": [stage for stage in author.project.stages.all() if stage.kind == AUTHORING and takes_work(stage)],
    }
    if chosen == "frozen":
        context["page"] = Paginator(listed(frozen), PAGE).get_page(request.GET.get("page"))
    else:
        turns = drafts.filter(status__in=IN_THE_MAKING if chosen == "drafts" else (Status.SKIPPED,))
        context["page"] = page = Paginator(in_lines(turns), PAGE).get_page(request.GET.get("page"))
        context["rows"] = titled(list(page))
    return render(request, "rubrics/rubrics.html", context)


def takes_work(stage: Stage) -> bool:
    return stage.is_open and stage.locked_at is None


def drafts_of(author: Author) -> QuerySet[Assignment]:
    turns = Assignment.objects.filter(stage__project=author.project, stage__kind=AUTHORING)
    return turns if author.is_lead else turns.filter(rater=author.rater)


def frozen_of(author: Author) -> QuerySet[Rubric]:
    rubrics = Rubric.objects.filter(project=author.project, frozen_at__isnull=False)
    return rubrics if author.is_lead else rubrics.filter(author=author.rater)


def listed(rubrics: QuerySet[Rubric]) -> QuerySet[Rubric]:
    written, positive = Q(criteria__grade=None), Q(criteria__weight__gt=0)
    return (
        rubrics.select_related("prompt__variety", "author", "superseded_by")
        .annotate(
            n_criteria=Count("criteria", filter=written), maximum=Sum("criteria__weight", filter=positive, default=0)
        )
        .order_by("-frozen_at", "-pk")
    )


def in_lines(turns: QuerySet[Assignment]) -> QuerySet[Assignment]:
    rows = turns.select_related("item__prompt", "item__variety", "rater")
    return rows.annotate(saved_at=F("draft__saved_at")).order_by("-pk")


def titled(turns: list[Assignment]) -> list[tuple[Assignment, str, str]]:
    """Each turn with the first words of its prompt, and why it was discarded where it was."""
    titles = task_type(AUTHORING).titles([turn.item for turn in turns])
    reasons = dict(DiscardReason.choices)
    return [(turn, titles[turn.item_id], str(reasons.get(turn.skip_reason, ""))) for turn in turns]


@require_safe
@login_required
def rubric(request: SignedInRequest, slug: str, rubric: uuid.UUID) -> HttpResponse:
    """One frozen version: what it says, what proves when it said so, and the other versions."""
    author = fetch_author(request.user, slug)
    frozen = fetch_rubric(author, rubric)
    versions = Rubric.objects.filter(prompt=frozen.prompt, frozen_at__isnull=False).order_by("version")
    context = {
        "project": author.project,
        "author": author,
        "rubric": frozen,
        "reading": readable(body_of(frozen), author.project.weight_bands.all()),
        "variety": frozen.prompt.variety,
        "versions": versions,
        "newest": versions.last(),
        "outcome": dict(DifficultyOutcome.choices).get(frozen.difficulty.get("outcome", ""), ""),
    }
    return render(request, "rubrics/rubric.html", context)


def fetch_rubric(author: Author, key: uuid.UUID) -> Rubric:
    rubrics = frozen_of(author).select_related("prompt__variety", "author", "reviewed_by", "assignment__stage__project")
    return get_object_or_404(rubrics, uuid=key)


@require_POST
@login_required
def revise(request: SignedInRequest, slug: str, rubric: uuid.UUID) -> HttpResponse:
    """Begin the next version of a frozen rubric, or go on with the one that is begun."""
    author = fetch_author(request.user, slug)
    frozen = fetch_rubric(author, rubric)
    try:
        begun = revising.revise(frozen, author.acting())
    except (Invalid, Refused) as refused:
        problem = refused.problems[0] if isinstance(refused, Invalid) else refused
        messages.error(request, problem.message)
        return redirect("rubric", slug, frozen.uuid)
    record("rubric.revised", actor=request.user, project=author.project, subject=frozen.prompt.key, of=frozen.version)
    return redirect("task", begun.uuid)


@require_safe
@never_cache
@login_required
def draft(request: SignedInRequest, slug: str, assignment: uuid.UUID) -> HttpResponse:
    """A rubric in the making or discarded, to be read; its author goes on writing on the task's own page."""
    author = fetch_author(request.user, slug)
    turns = drafts_of(author).filter(status__in=(*IN_THE_MAKING, Status.SKIPPED))
    turn = get_object_or_404(turns.select_related("item__prompt", "item__variety", "rater", "draft"), uuid=assignment)
    body = turn.draft.body if hasattr(turn, "draft") else first_body(turn)
    context = {
        "project": author.project,
        "turn": turn,
        "reading": readable(body, author.project.weight_bands.all()),
        "variety": turn.item.variety,
        "checks": turn.difficulty_checks.order_by("pk"),
        "reason": dict(DiscardReason.choices).get(turn.skip_reason, ""),
    }
    return render(request, "rubrics/draft.html", context)
