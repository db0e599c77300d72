"""Model cards and configurations: the list, one card, and the lead's forms."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from benchmark.card_forms import CardForm, ConfigurationForm, StandingForm, initial_of_collector
from benchmark.card_listing import cards_of, configurations_of, n_questions, other_laboratory, row_of, rows_of
from benchmark.cards import (
    change_card,
    change_configuration,
    create_card,
    create_configuration,
    fingerprint,
    is_run,
    set_standing,
)
from benchmark.models import Configuration, ModelCard, Standing
from benchmark.sending import Collector, collectors_of
from projects.access import PERMISSIONS, fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

CARDS_ON_A_PAGE = 50
READ, EDIT = "dashboard.read", "project.edit"
# Sent along by a page that shows how a configuration was run and lets nobody change it.
LOCKED = "locked"


def fetch_card(project: Project, slug: str) -> ModelCard:
    row = get_object_or_404(cards_of(project), slug=slug)
    row.project = project
    return row


def fetch_configuration(project: Project, slug: str) -> Configuration:
    """One of a model: baselines and anchors are nobody's to change."""
    return get_object_or_404(configurations_of(project), slug=slug)


@require_safe
@login_required
def model_cards(request: SignedInRequest, slug: str) -> HttpResponse:
    """Every card with its configurations."""
    project = fetch_project(request.user, slug, READ)
    page = Paginator(cards_of(project), CARDS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "rows": rows_of(project, list(page)),
        "n_questions": n_questions(project),
        "may_edit": bool(project.viewer_roles & PERMISSIONS[EDIT]),
    }
    return render(request, "benchmark/cards/cards.html", context)


@require_safe
@login_required
def model_card(request: SignedInRequest, slug: str, card: str) -> HttpResponse:
    """One model: what is known of it, and how it was run."""
    project = fetch_project(request.user, slug, READ)
    row = row_of(project, fetch_card(project, card))
    context = {
        "project": project,
        "row": row,
        "card": row.card,
        "n_questions": n_questions(project),
        "may_edit": bool(project.viewer_roles & PERMISSIONS[EDIT]),
    }
    return render(request, "benchmark/cards/card.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_card(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, EDIT)
    form = CardForm(request.POST or None)
    if form.is_valid():
        try:
            card = create_card(project, form.values, request.user)
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("The card is stored. Now say how the model is run."))
            return redirect("model-card", slug, card.slug)
    return shown(request, "benchmark/cards/card_form.html", {"project": project, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_card(request: SignedInRequest, slug: str, card: str) -> HttpResponse:
    project = fetch_project(request.user, slug, EDIT)
    row = fetch_card(project, card)
    form = CardForm(request.POST or None, card=row)
    if form.is_valid():
        try:
            change_card(row, form.values, request.user, form.cleaned_data["seen"])
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("The card is stored."))
            return redirect("model-card", slug, row.slug)
    form.show_fingerprint(fingerprint(fetch_card(project, card)))
    return shown(request, "benchmark/cards/card_form.html", {"project": project, "form": form, "card": row})


def free_collectors(project: Project, own: Configuration | None = None) -> list[Collector]:
    """Target models of the project that no other configuration has."""
    others = Configuration.objects.filter(project=project)
    others = others.exclude(pk=own.pk) if own else others
    taken = set(others.values_list("target_model", flat=True))
    return [each for pk, each in collectors_of(project).items() if pk not in taken]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_configuration(request: SignedInRequest, slug: str) -> HttpResponse:
    """`?card=` names the card, `?target=` the id of the target model that collects for it."""
    project = fetch_project(request.user, slug, EDIT)
    free = free_collectors(project)
    chosen = request.GET.get("target", "")
    initial: dict[str, Any] = {"card": request.GET.get("card", "")}
    for collector in free:
        if str(collector.target_model.pk) == chosen:
            initial |= initial_of_collector(collector)
    form = ConfigurationForm(request.POST or None, project=project, collectors=free, initial=initial)
    if form.is_valid():
        card = form.cleaned_data["card"]
        try:
            row = create_configuration(project, card, form.values, request.user)
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("The configuration is stored."))
            if other_laboratory(row):
                messages.warning(request, _("Its laboratory is in doubt: see below."))
            return redirect("model-card", slug, card.slug)
    context = {"project": project, "form": form, "has_cards": project.model_cards.exists()}
    return shown(request, "benchmark/cards/configuration_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit_configuration(request: SignedInRequest, slug: str, configuration: str) -> HttpResponse:
    project = fetch_project(request.user, slug, EDIT)
    row = fetch_configuration(project, configuration)
    # Sent from a page on which its run could still be changed, a change is refused and not left out in silence.
    has_run = LOCKED in request.POST if request.method == "POST" else is_run(row)
    free = free_collectors(project, row)
    form = ConfigurationForm(request.POST or None, project=project, collectors=free, configuration=row, is_run=has_run)
    if form.is_valid():
        try:
            change_configuration(row, form.values, request.user, form.cleaned_data["seen"])
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("The configuration is stored."))
            return redirect("model-card", slug, row.card.slug)  # type: ignore[union-attr]
    form.show_fingerprint(fingerprint(fetch_configuration(project, configuration)))
    context = {"project": project, "form": form, "configuration": row, "has_cards": True, "is_run": has_run}
    return shown(request, "benchmark/cards/configuration_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def decide(request: SignedInRequest, slug: str, configuration: str) -> HttpResponse:
    """Whether a configuration is ranked or stays out, with the reason."""
    project = fetch_project(request.user, slug, EDIT)
    row = fetch_configuration(project, configuration)
    other = Standing.WITHDRAWN if row.standing == Standing.RANKED else Standing.RANKED
    form = StandingForm(request.POST or None, initial={"standing": other})
    if form.is_valid():
        try:
            set_standing(row, form.cleaned_data["standing"], form.cleaned_data["reason"], request.user)
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("Decided, and written down."))
            return redirect("model-card", slug, row.card.slug)  # type: ignore[union-attr]
    return shown(
        request, "benchmark/cards/standing_form.html", {"project": project, "form": form, "configuration": row}
    )


def shown(request: SignedInRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A form; with 422 where it was refused. Nothing was stored then, and what was written stands in it."""
    return render(request, template, context, status=422 if request.method == "POST" else 200)
