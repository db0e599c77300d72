"""Run sets: what several judges would be asked and what that costs, then how far they are, and the verbs."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judging.engine import run_sets
from judging.engine.choice import Choice
from judging.engine.run_kinds import JUDGING
from judging.engine.summaries import set_progress
from judging.forms.sets import LimitsForm, SetForm, show
from judging.models import RunSet
from judging.views.batches import verb_view, watched
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

SETS_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: SignedInRequest, slug: str) -> HttpResponse:
    """Choose and plan by address, which writes nothing and can be sent to somebody; begin by POST."""
    project = fetch_project(request.user, slug, "judges.run")
    if request.method != "POST":
        return render(request, "judging/run_set_new.html", planned(project, request.GET))
    form = SetForm(project, request.POST)
    if form.is_valid():
        try:
            run_set = run_sets.create_set(project, by=request.user, **form.arguments)
        except Invalid as invalid:
            show(invalid, form)
        else:
            run_sets.start_set(run_set, by=request.user)
            return redirect("run-set", slug, run_set.uuid)
    context = {"project": project, "form": form, "plan": None}
    return render(request, "judging/run_set_new.html", context, status=422)


def planned(project: Project, chosen: QueryDict) -> dict:
    """The form, empty or as it was filled in, and what would be asked where it was."""
    form = SetForm(project, chosen if "judges" in chosen or "plan" in chosen else None)
    context = {"project": project, "form": form, "plan": None}
    if form.is_valid():
        try:
            context["plan"] = run_sets.plan_set(project, **form.arguments)
        except Invalid as invalid:
            show(invalid, form)
    return context


def fetch_set(project: Project, uuid: UUID) -> RunSet:
    return get_object_or_404(RunSet.objects.select_related("project", "created_by"), project=project, uuid=uuid)


def shown(project: Project, run_set: RunSet, form: LimitsForm | None = None) -> dict:
    progress = set_progress(run_set)
    return {
        "project": project,
        "run_set": progress.row,
        "choice": Choice.of_json(run_set.items),
        "is_of_judges": progress.whole.kind.name == JUDGING,
        "set_progress": progress,
        "progress": progress.whole,
        "limits": form or LimitsForm.of(progress.row),
        "created_by": run_set.created_by,
    }


@require_safe
@login_required
def run_set(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    context = shown(project, fetch_set(project, uuid))
    return watched(request, "judging/run_set.html", "judging/run_set_progress.html", context)


def paused_words(n: int) -> str:
    return ngettext(
        "%(n)d run waits. What was answered is kept; go on whenever you like.",
        "%(n)d runs wait. What was answered is kept; go on whenever you like.",
        n,
    ) % {"n": n}


def cancelled_words(n: int) -> str:
    return ngettext(
        "%(n)d run is cancelled. What was answered is kept; resume it whenever you like.",
        "%(n)d runs are cancelled. What was answered is kept; resume them whenever you like.",
        n,
    ) % {"n": n}


pause = verb_view(
    fetch_set, "run-set", run_sets.pause_set, gettext_lazy("No run was going. Nothing was changed."), paused_words
)
resume = verb_view(
    fetch_set,
    "run-set",
    run_sets.resume_set,
    gettext_lazy("No run was paused or cancelled. Nothing was changed."),
)
cancel = verb_view(
    fetch_set,
    "run-set",
    run_sets.cancel_set,
    gettext_lazy("Every run was over already. Nothing was changed."),
    cancelled_words,
)
retry = verb_view(
    fetch_set,
    "run-set",
    run_sets.retry_failed_set,
    gettext_lazy("There is nothing to ask again, or people have reviewed those answers already."),
)


@require_POST
@login_required
def limits(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Other limits; runs that wait for a larger budget are resumed by their own button."""
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_set(project, uuid)
    form = LimitsForm(request.POST)
    if form.is_valid():
        try:
            run_sets.raise_limits(row, by=request.user, **form.limits)
        except Invalid as invalid:
            show(invalid, form)
        else:
            messages.success(request, _("The limits are kept."))
            return redirect("run-set", slug, uuid)
    return render(request, "judging/run_set.html", shown(project, row, form), status=422)
