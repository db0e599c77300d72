"""The judges of a project: the list, adding one, and the plan of a run."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.purposes import check_round, purpose_of
from judging.engine.set_list import newest_sets
from judging.engine.summaries import judge_summaries
from judging.forms.judges import JudgeForm, RunForm
from judging.judges import add_judge
from judging.kinds import judge_kinds
from judging.models import Judge
from projects.access import fetch_project
from projects.models import Project, RaterKind
from projects.problems import Invalid
from projects.requests import SignedInRequest
from providers.laboratories import resolve
from providers.model_names import NAMES
from providers.models import Provider, ServedModel

MAX_SUGGESTED = 500


@require_safe
@login_required
def judges(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    imported = project.raters.filter(kind=RaterKind.JUDGE, judge=None, panel=None).select_related("laboratory")
    context = {"project": project, "judges": judge_summaries(project), "imported": imported}
    context["run_sets"] = newest_sets(project)
    return render(request, "judging/judges.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    begun = {"kind": request.GET.get("kind") or likely_kind(project), "asks_by": request.GET.get("prompt", "")}
    form = JudgeForm(request.POST or None, initial=begun, project=project)
    if request.method == "POST" and form.is_valid():
        try:
            judge = add_judge(project, by=request.user, **form.cleaned_data)
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(problem.field or None, problem.message)
        else:
            return redirect("judge", slug, judge.pk)
    context = {"project": project, "form": form, "has_provider": Provider.objects.exists()}
    return render(request, "judging/judge_add.html", context, status=422 if form.errors else 200)


def likely_kind(project: Project) -> str:
    """What a judge of this project will mostly be asked for: what its people do."""
    usual = {kind.area: name for name, kind in judge_kinds().items() if kind.is_usual}
    return next((usual[area] for area in project.areas if area in usual), "")


@require_safe
@login_required
def laboratory(request: SignedInRequest, slug: str) -> HttpResponse:
    """A fragment: which laboratory the model that is being typed resolves to, or why that is unknown; what is known
    of it beside that, and which models the provider's page lists."""
    project = fetch_project(request.user, slug, "judges.run")
    model = request.GET.get("model", "").strip()[:200]
    key = request.GET.get("provider", "")
    provider = Provider.objects.select_related("laboratory").filter(pk=key).first() if key.isdecimal() else None
    context = {"project": project, "model": model}
    served = (
        {row.name: row for row in ServedModel.objects.filter(provider=provider)[:MAX_SUGGESTED]} if provider else {}
    )
    context["listed"] = served.values()
    if model and provider:
        context["served"] = served.get(model)
        try:
            laboratory_slug = resolve(model, provider)
        except Invalid as invalid:
            context["problem"] = invalid.problems[0].message
        else:
            context["laboratory"] = NAMES.get(laboratory_slug, laboratory_slug)
    return render(request, "judging/laboratory.html", context)


def fetch_judge(project: Project, pk: int) -> Judge:
    judges = Judge.objects.select_related("rater__laboratory", "provider__laboratory", "project", "prompt")
    return get_object_or_404(judges, project=project, pk=pk)


@require_safe
@login_required
def judge(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """What a run would ask, and the runs there were. Choosing varieties or a round shows another plan."""
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_judge(project, pk)
    # Without a choice in the address, the plan of everything is shown.
    form = RunForm(project, request.GET if "round" in request.GET else {"round": "1"})
    return render(request, "judging/judge.html", planned(project, row, form))


def planned(project: Project, judge: Judge, form: RunForm, problem: str = "") -> dict:
    context = {"project": project, "judge": judge, "form": form, "problem": problem, "plan": None}
    context["runs"] = judge.runs.select_related("created_by")[:20]
    if form.is_valid():
        try:
            round = form.cleaned_data["round"]
            check_round(judge, round, purpose_of(judge, round, form.cleaned_data["purpose"]))
            context["plan"] = plan(judge, form.responses(project), form.cleaned_data["round"])
        except Invalid as invalid:
            context["problem"] = invalid.problems[0].message
    return context


@require_POST
@login_required
def run(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_judge(project, pk)
    form = RunForm(project, request.POST)
    if not form.is_valid():
        return render(request, "judging/judge.html", planned(project, row, form), status=422)
    try:
        asked = {name: form.cleaned_data[name] for name in ("round", "purpose")}
        created = runs.create_run(row, form.responses(project), by=request.user, **asked)
    except Invalid as invalid:
        context = planned(project, row, form, invalid.problems[0].message)
        return render(request, "judging/judge.html", context, status=422)
    runs.start(created, by=request.user)
    return redirect("run", slug, created.uuid)
