"""The target models of a project: the list, adding one, what it would be asked, and setting it going."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchmark.answering import configuration_for
from judging.collecting import endpoints
from judging.collecting.beginning import create_collections, planned_collection
from judging.collecting.configured import parameters_for, waits_for_set
from judging.collecting.forms import BY_HAND, CollectForm, ReplicatesForm, TargetForm
from judging.collecting.planning import open_prompts
from judging.collecting.summaries import overview
from judging.collecting.system_prompts import texts_for
from judging.engine import run_sets
from judging.forms.sets import show
from judging.models import CollectionCall, DifficultyModel, RunSet, TargetEndpoint
from projects.access import fetch_project
from projects.collecting_gates import gate_of
from projects.models import Project, User
from projects.problems import Invalid
from projects.requests import SignedInRequest
from providers.laboratories import mappings, resolve
from providers.model_names import NAMES, laboratory_of
from providers.models import Provider

PROMPTS_PER_PAGE = 20


def fetch_target(project: Project, pk: int) -> TargetEndpoint:
    targets = TargetEndpoint.objects.select_related("project", "target_model__laboratory", "provider__laboratory")
    return get_object_or_404(targets, project=project, pk=pk)


@require_safe
@login_required
def targets(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    difficulty = DifficultyModel.objects.select_related("provider").filter(project=project).first()
    context = {"project": project, "overview": overview(project), "difficulty": difficulty}
    context["gate"] = gate_of(project)
    return render(request, "judging/targets.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    form = TargetForm(request.POST or None, initial={"name": request.GET.get("name", "")[:200]})
    if request.method == "POST" and form.is_valid():
        try:
            added = add_from(form, project, request)
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(problem.field or None, problem.message)
        else:
            return redirect("target", slug, added.pk)
    context = {"project": project, "form": form, "has_provider": Provider.objects.exists()}
    return render(request, "judging/target_add.html", context, status=422 if form.errors else 200)


def add_from(form: TargetForm, project: Project, request: SignedInRequest) -> TargetEndpoint:
    values = form.cleaned_data
    name = values["name"].strip()
    if values["source"] == BY_HAND:
        how = {"laboratory": values["laboratory"], "replicates": values["replicates"] or 1}
        return endpoints.add_by_hand(project, name, **how, by=request.user)
    model = values["model"].strip()
    return endpoints.add_endpoint(
        project,
        values["provider"],
        model,
        name=name,
        parameters=form.parameters,
        replicates=values["replicates"] or 1,
        by=request.user,
    )


@require_safe
@login_required
def laboratory(request: SignedInRequest, slug: str) -> HttpResponse:
    """A fragment: which laboratory the model that is being typed comes from, or why that is unknown."""
    project = fetch_project(request.user, slug, "judges.run")
    typed = "name" if request.GET.get("source") == BY_HAND else "model"
    model = request.GET.get(typed, "").strip()[:200]
    key = request.GET.get("provider", "")
    provider = Provider.objects.select_related("laboratory").filter(pk=key).first() if key.isdecimal() else None
    context = {"project": project, "model": model}
    if model and typed == "name":
        by_name = laboratory_of(model, mappings())
        context["laboratory"] = NAMES.get(by_name, by_name) if by_name else ""
        context["choose"] = by_name is None
    elif model and provider:
        try:
            laboratory_slug = resolve(model, provider)
            context["laboratory"] = NAMES.get(laboratory_slug, laboratory_slug)
        except Invalid as invalid:
            context["problem"] = invalid.problems[0].message
    return render(request, "judging/target_laboratory.html", context)


@require_safe
@login_required
def target(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """What is still missing of a target model, and what was asked before; by hand, the prompts to paste for."""
    project = fetch_project(request.user, slug, "judges.run")
    return render(request, "judging/target.html", planned(request, fetch_target(project, pk)))


def planned(request: SignedInRequest, target: TargetEndpoint, form: CollectForm | None = None) -> dict:
    would_be = planned_collection(target)
    context = {"project": target.project, "target": target, "plan": would_be.plan, "estimate": would_be.estimate}
    context |= {"is_bounded": would_be.is_bounded, "form": form or CollectForm()}
    configuration, waits = configuration_for(target.project, target.target_model), waits_for_set(target.project)
    context |= {"gate": gate_of(target.project), "lacks_configuration": waits and configuration is None}
    sent = parameters_for(target, configuration)
    told = {} if target.is_by_hand or "system" in sent else texts_for(target, configuration)
    context |= {"sent": sent, "told": told, "configuration": configuration}
    context["replicates"] = ReplicatesForm(initial={"replicates": target.replicates})
    context["is_untouched"] = not target.calls.exists() and not target.runs.exists()
    if target.is_by_hand:
        page = Paginator(open_prompts(target), PROMPTS_PER_PAGE).get_page(request.GET.get("page"))
        pasted = CollectionCall.objects.filter(endpoint=target).select_related("prompt", "response", "pasted_by")
        return {**context, "page": page, "pasted": pasted.order_by("-pk")[:PROMPTS_PER_PAGE]}
    return {**context, "collections": target.runs.select_related("created_by")[:20]}


@require_POST
@login_required
def collect(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    target = fetch_target(fetch_project(request.user, slug, "judges.run"), pk)
    form = CollectForm(request.POST)
    if form.is_valid():
        try:
            run_set = begun_by(form, target, request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            run_sets.start_set(run_set, by=request.user)
            return redirect("collection", slug, run_set.runs.get().uuid)
    return render(request, "judging/target.html", planned(request, target, form), status=422)


def begun_by(form: CollectForm, endpoint: TargetEndpoint, by: User) -> RunSet:
    limits = (form.limits["money_limit"], form.limits["token_limit"])
    return create_collections(endpoint.project, [endpoint], *limits, takes_over=form.cleaned_data["takes_over"], by=by)


@require_POST
@login_required
def replicates(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """How many responses to each prompt are wanted."""
    target = fetch_target(fetch_project(request.user, slug, "judges.run"), pk)
    form = ReplicatesForm(request.POST)
    if form.is_valid():
        try:
            endpoints.set_replicates(target, form.cleaned_data["replicates"], by=request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            return redirect("target", slug, pk)
    context = planned(request, target) | {"replicates": form}
    return render(request, "judging/target.html", context, status=422)


@require_POST
@login_required
def remove(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    target = fetch_target(fetch_project(request.user, slug, "judges.run"), pk)
    if endpoints.remove(target, by=request.user):
        messages.success(request, _("The target model is taken away."))
        return redirect("targets", slug)
    messages.warning(request, _("It was asked or pasted for already, so it stays. Nothing was changed."))
    return redirect("target", slug, pk)
