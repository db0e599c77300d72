"""The items of a stage, one by one: who has each, and giving it to someone else or reopening an answer."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from projects.access import PERMISSIONS, fetch_project
from projects.models import Membership, Project, Rater
from projects.requests import SignedInRequest
from workflow import reassignment
from workflow.access import fetch_stage
from workflow.forms import ItemFilterForm, ReassignForm
from workflow.models import Assignment, Stage, Status, WorkItem, feedback_rules
from workflow.models.work import IN_A_LIST
from workflow.refusals import Refused
from workflow.skipping import UNREAD
from workflow.task_types import task_type

PAGE = 50


@require_safe
@login_required
def items(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "item.read")
    chosen = fetch_stage(project, stage)
    form = ItemFilterForm(request.GET, stage=chosen)
    selected = filtered(chosen, form.cleaned_data if form.is_valid() else {})
    page = Paginator(selected, PAGE).get_page(request.GET.get("page"))
    raters = who_may_work(chosen).prefetch_related("varieties")
    by_variety: dict[int, list[Rater]] = {}
    for rater in raters.order_by("pseudonym"):
        for variety in rater.varieties.all():
            by_variety.setdefault(variety.pk, []).append(rater)
    titles = task_type(chosen.kind).titles(list(page))
    rows = [(item, titles[item.pk], others(item, by_variety)) for item in page]
    context = {"project": project, "stage": chosen, "form": form, "page": page, "rows": rows}
    context["shares_notes"] = feedback_rules(project).shares_notes
    return render(request, "workflow/items.html", context)


def others(item: WorkItem, by_variety: dict[int, list[Rater]]) -> list[Rater]:
    """Those who know the item's language and never had it: whom it can be given to. What one began stays theirs."""
    if item.is_own_beginning:
        return []
    had = {assignment.rater_id for assignment in item.assignments.all()}
    return [rater for rater in by_variety.get(item.variety_id, []) if rater.pk not in had]


def who_may_work(stage: Stage) -> QuerySet[Rater]:
    """The people of the project who may be given work of this stage's kind."""
    roles = PERMISSIONS[task_type(stage.kind).permission]
    works = Membership.objects.filter(project=OuterRef("project"), user=OuterRef("user"), role__in=roles)
    return Rater.objects.filter(Exists(works), project=stage.project_id)


def filtered(stage: Stage, chosen: dict) -> QuerySet[WorkItem]:
    # What somebody left unread at its veil is told to nobody.
    told = Assignment.objects.exclude(skip_reason=UNREAD)
    assignments = told.filter(item=OuterRef("pk"))
    rows = stage.items.filter(IN_A_LIST).order_by("position", "pk")
    rows = rows.select_related("response__prompt", "prompt", "pair", "template", "variety")
    if chosen.get("variety"):
        rows = rows.filter(variety=chosen["variety"])
    if chosen.get("status") == "open":
        rows = rows.filter(open_slots__gt=0)
    elif chosen.get("status") == "unsure":
        assignments = assignments.filter(status=Status.SUBMITTED, is_unsure=True)
    elif chosen.get("status"):
        assignments = assignments.filter(status=chosen["status"])
    if chosen.get("rater"):
        assignments = assignments.filter(rater__pseudonym=chosen["rater"])
    if chosen.get("rater") or chosen.get("status") not in (None, "", "open"):
        rows = rows.filter(Exists(assignments))
    turns = told.select_related("rater", "remark").order_by("pk")
    return rows.prefetch_related(Prefetch("assignments", turns))


def fetch_assignment(project: Project, key: uuid.UUID) -> Assignment:
    assignments = Assignment.objects.select_related(
        "item__response", "item__prompt", "item__pair", "item__template", "stage__project", "rater"
    )
    return get_object_or_404(assignments, uuid=key, stage__project=project)


@require_POST
@login_required
def reassign(request: SignedInRequest, slug: str, assignment: uuid.UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "work.reassign")
    turn = fetch_assignment(project, assignment)
    form = ReassignForm(request.POST, raters=who_may_work(turn.stage))
    if not form.is_valid():
        raise Http404
    try:
        reassignment.reassign(turn, form.cleaned_data["rater"], request.user)
        messages.success(request, _("The item now waits for that person."))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("stage-items", slug, turn.stage_id)


@require_POST
@login_required
def reopen(request: SignedInRequest, slug: str, assignment: uuid.UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.reopen")
    turn = fetch_assignment(project, assignment)
    try:
        reassignment.reopen(turn, request.user, request.POST.get("note", ""))
        messages.success(request, _("The answer is a draft again; the person who gave it can change it."))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("stage-items", slug, turn.stage_id)
