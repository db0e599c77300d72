"""A lead sets up stages, hands out their items, and sees how far they are."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project
from projects.audit import record
from projects.models import Project, QuestionType, User
from projects.opening import open_areas
from projects.requests import SignedInRequest
from projects.zones import zone_names, zone_of
from workflow.access import fetch_stage
from workflow.answer_rules import change_rules
from workflow.content_notes import Readers
from workflow.due_dates import as_said, outlooks
from workflow.due_forms import DueFields
from workflow.forms import NewStageForm, StageForm
from workflow.layouts import change_layout
from workflow.models import Stage
from workflow.planning import change_overlap, plan_stage
from workflow.progress import PACE_DAYS, project_progress
from workflow.renaming import renamed
from workflow.task_types import task_type
from workflow.telling_people import tell_of_work
from workflow.written_layouts import LayoutForm, previewed
from workflow.written_rules import StageRulesForm, versions_of


@require_safe
@login_required
def stages(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    listed = project_progress(project, with_people=False)
    outlook = outlooks(listed)
    readers = Readers(project) if project.note_sets else None
    nobody = readers.taken_by_nobody(each.stage for each in listed) if readers else {}
    context = {
        "project": project,
        "stages": [(each, nobody.get(each.stage.pk, 0), outlook.get(each.stage.pk)) for each in listed],
        "pace_days": PACE_DAYS,
        "zone": zone_of(request.user),
        "cells": readers.cells() if readers else [],
    }
    return render(request, "workflow/stages.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    last = project.stages.order_by("position").values_list("position", flat=True).last()
    stage = Stage(project=project, position=(last or 0) + 1, seed=project.pk)
    zone = str(zone_of(request.user))
    form = NewStageForm(request.POST if request.method == "POST" else None, instance=stage, zone=zone)
    if form.is_valid():
        with transaction.atomic():
            stage = form.save()
            open_areas(project, [task_type(stage.kind).area])
            record("stage.created", actor=request.user, project=project, subject=stage.name, kind=stage.kind)
        kind = task_type(stage.kind)
        if kind.takes_layout and not kind.has_marks:  # nothing is asked yet
            return redirect("stage-layout", slug, stage.pk)
        messages.success(request, _("The stage was created. Plan its items to hand them out."))
        return redirect("stages", slug)
    status = 422 if request.method == "POST" else 200
    context = {"project": project, "form": form, "zones": zone_names()}
    return render(request, "workflow/stage_form.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    zone = str(zone_of(request.user))
    form = StageForm(request.POST if request.method == "POST" else None, instance=chosen, zone=zone)
    if form.is_valid():
        save_changes(project, form, request.user)
        messages.success(request, _("The stage was changed."))
        return redirect("stages", slug)
    context = {"project": project, "form": form, "stage": chosen, "zones": zone_names()}
    return render(request, "workflow/stage_form.html", context, status=422 if request.method == "POST" else 200)


def save_changes(project: Project, form: StageForm, actor: User) -> None:
    with transaction.atomic():
        stage = form.save()
        if "name" in form.changed_data:
            renamed(project.pk, form.initial["name"], stage.name)
        if "overlap" in form.changed_data:
            change_overlap(stage, stage.overlap)
        others = set(form.changed_data) - set(DueFields.base_fields)
        changed = {name: form.cleaned_data[name] for name in form.changed_data if name in others}
        if len(others) < len(form.changed_data):
            changed |= as_said(stage)
        if isinstance(question := changed.get("scored_on"), QuestionType):
            changed["scored_on"] = question.slug
        record("stage.changed", actor=actor, project=project, subject=stage.name, **changed)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def rules(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """What answers of the stage must hold, and what they had to hold before."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    if task_type(chosen.kind).default_rules is None:
        raise Http404
    form = StageRulesForm(request.POST if request.method == "POST" else None, stage=chosen)
    if form.is_valid():
        change_rules(chosen, form.cleaned_data["rules"], request.user)
        messages.success(request, _("The stage was changed."))
        return redirect("stage-rules", slug, chosen.pk)
    context = {"project": project, "form": form, "stage": chosen, "versions": versions_of(chosen)}
    return render(request, "workflow/rules.html", context, status=422 if request.method == "POST" else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def layout(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """What the screen of the stage shows and asks, part by part."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    if not task_type(chosen.kind).takes_layout:
        raise Http404
    form = LayoutForm(request.POST if request.method == "POST" else None, stage=chosen)
    wanted = form.cleaned_data["layout"] if form.is_valid() else {"show": chosen.show, "ask": chosen.ask}
    if form.is_valid() and "only_look" not in request.POST:
        change_layout(chosen, wanted["show"], wanted["ask"], request.user)
        messages.success(request, _("The stage was changed."))
        return redirect("stage-layout", slug, chosen.pk)
    context = {"project": project, "form": form, "stage": chosen, **previewed(**wanted)}
    refused = request.method == "POST" and not form.is_valid()
    return render(request, "workflow/layout.html", context, status=422 if refused else 200)


@require_POST
@login_required
def plan(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    with transaction.atomic():
        count = plan_stage(chosen)
        record("stage.planned", actor=request.user, project=project, subject=chosen.name, items=count)
        if count:
            tell_of_work(chosen)
    if count:
        text = ngettext("%(count)d item was added.", "%(count)d items were added.", count)
        messages.success(request, text % {"count": count})
    else:
        messages.info(request, task_type(chosen.kind).nothing_to_add)
    return redirect("stages", slug)


@require_POST
@login_required
def set_open(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Open the stage for work, or close it: what people hold can still be finished."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    chosen.is_open = request.POST.get("open") == "1"
    action = "stage.opened" if chosen.is_open else "stage.closed"
    with transaction.atomic():
        chosen.save(update_fields=["is_open"])
        if chosen.is_open:
            task_type(chosen.kind).plan(chosen)  # kinds whose turns follow from other stages' answers
            tell_of_work(chosen)
        record(action, actor=request.user, project=project, subject=chosen.name)
    return redirect("stages", slug)


@require_POST
@login_required
def set_locked(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Lock the stage's answers against amending by those who gave them, or unlock them."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    chosen.locked_at = timezone.now() if request.POST.get("locked") == "1" else None
    action = "stage.locked" if chosen.locked_at else "stage.unlocked"
    with transaction.atomic():
        chosen.save(update_fields=["locked_at"])
        record(action, actor=request.user, project=project, subject=chosen.name)
    return redirect("stages", slug)


@require_safe
@login_required
def progress(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    context = {"project": project, "stages": project_progress(project), "pace_days": PACE_DAYS}
    return render(request, "workflow/progress.html", context)
