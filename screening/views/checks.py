"""A lead mixes checks into the work, sees how people do on them, and lets paused people go on."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest
from screening.checks import choosing, pausing
from screening.checks.kinds import CheckKind, check_kind, checked_kinds
from screening.checks.watching import watched
from screening.forms import CheckSettingsForm, LiftForm
from screening.models import CheckResult, CheckSettings, GoldCheck, Pause
from screening.quiz.statistics import share_right
from workflow.access import fetch_stage
from workflow.models import Stage
from workflow.task_types import task_type

PAGE = 50


@require_safe
@login_required
def checks(request: SignedInRequest, slug: str) -> HttpResponse:
    """The stages whose work can be checked, each with its settings and how many checks it has."""
    project = fetch_project(request.user, slug, "project.edit")
    stages = project.stages.filter(kind__in=checked_kinds()).select_related("check_settings")
    counted = stages.annotate(active_checks=Count("gold_checks", filter=Q(gold_checks__is_active=True)))
    context = {"project": project, "stages": counted.order_by("position")}
    return render(request, "screening/checks.html", context)


def fetch_checked(project: Project, pk: int) -> tuple[Stage, CheckKind]:
    stage = fetch_stage(project, pk)
    kind = check_kind(stage)
    if kind is None:
        raise Http404
    return stage, kind


@require_safe
@login_required
def stage_checks(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """The checks of a stage with how they were answered, and what else could be one."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen, kind = fetch_checked(project, stage)
    rows = chosen.gold_checks.select_related("item__response", "item__pair", "item__variety")
    page = Paginator(rows.order_by("-is_active", "-pk"), PAGE).get_page(request.GET.get("page"))
    results = CheckResult.objects.filter(check_item__in=[check.pk for check in page]).order_by()
    counts = results.values_list("check_item").annotate(n=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    answered = {pk: (right, n) for pk, n, right in counts}
    candidates = kind.candidates(chosen).select_related("variety")
    titles = task_type(chosen.kind).titles([check.item for check in page])
    context = {
        "project": project,
        "stage": chosen,
        "settings": CheckSettings.objects.filter(stage=chosen).first(),
        "page": page,
        "rows": [(check, titles[check.item_id], share_right(*answered.get(check.pk, (0, 0)))) for check in page],
        "candidates": candidates[:PAGE],
        "candidate_count": candidates.count(),
    }
    return render(request, "screening/stage_checks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen, _kind = fetch_checked(project, stage)
    present = CheckSettings.objects.filter(stage=chosen).first() or CheckSettings(stage=chosen)
    present.stage = chosen
    form = CheckSettingsForm(request.POST if request.method == "POST" else None, instance=present)
    if form.is_valid():
        choosing.change_settings(form.save(commit=False), form.changed_data, request.user)
        messages.success(request, _("The changes are saved."))
        return redirect("stage-checks", slug, chosen.pk)
    context = {"project": project, "stage": chosen, "form": form}
    return render(request, "screening/check_settings.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def add(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen, kind = fetch_checked(project, stage)
    subjects = {int(value) for value in request.POST.getlist("subject") if value.isdecimal() and len(value) < 19}
    count = choosing.add_checks(chosen, kind, subjects, request.user)
    if count:
        text = ngettext("%(n)d check was added.", "%(n)d checks were added.", count)
        messages.success(request, text % {"n": count})
    else:
        messages.info(request, _("Nothing was added: choose what is to be a check."))
    return redirect("stage-checks", slug, chosen.pk)


@require_POST
@login_required
def set_active(request: SignedInRequest, slug: str, check: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(GoldCheck.objects.select_related("stage"), pk=check, stage__project=project)
    choosing.set_active(chosen, request.POST.get("active") == "1", request.user)
    return redirect("stage-checks", slug, chosen.stage_id)


@require_safe
@login_required
def watch(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody who answered checks, the paused first."""
    project = fetch_project(request.user, slug, "project.edit")
    page = Paginator(watched(project), PAGE).get_page(request.GET.get("page"))
    return render(request, "screening/watch.html", {"project": project, "page": page})


@require_POST
@login_required
def lift(request: SignedInRequest, slug: str, pause: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(Pause.objects.select_related("stage", "rater"), pk=pause, stage__project=project)
    form = LiftForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The note is too long; the pause was not lifted."))
    elif pausing.lift(chosen, request.user, form.cleaned_data["note"]):
        text = _("%(person)s is handed work again. Checks answered until now count no more.")
        messages.success(request, text % {"person": chosen.rater.pseudonym})
    else:
        messages.info(request, _("The pause was lifted already."))
    return redirect("watch", slug)
