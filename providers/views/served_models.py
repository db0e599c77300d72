"""The models that a provider serves: for administrators of the installation alone."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.audit import record
from projects.requests import SignedInRequest
from providers import trying
from providers.client.keys import KeyMissing, is_set
from providers.endpoints import base_url
from providers.forms import ServedModelForm
from providers.laboratories import laboratories_of, mapping_line
from providers.model_lists import NoList, fetch_list, kept_list, offers, take_over_models
from providers.model_names import NAMES
from providers.models import Provider, ServedModel
from providers.problem_texts import in_sentences
from providers.views.providers import check_administrator
from providers.waiting import Busy

MODELS_PER_PAGE = 50


def fetch_provider(request: SignedInRequest, pk: int) -> Provider:
    check_administrator(request)
    return get_object_or_404(Provider.objects.select_related("laboratory"), pk=pk)


def fetch_model(request: SignedInRequest, pk: int) -> ServedModel:
    check_administrator(request)
    models = ServedModel.objects.select_related("provider__laboratory", "laboratory")
    return get_object_or_404(models, pk=pk)


@require_safe
@login_required
def models(request: SignedInRequest, pk: int) -> HttpResponse:
    """A provider's models, each with its laboratory and what is known of it."""
    provider = fetch_provider(request, pk)
    containing = request.GET.get("q", "").strip()[:200]
    rows = provider.served_models.select_related("laboratory").order_by("name")
    page = Paginator(rows.filter(name__icontains=containing), MODELS_PER_PAGE).get_page(request.GET.get("page"))
    named = {row.name: row.laboratory.slug for row in page if row.laboratory}
    laboratories = laboratories_of(provider, [row.name for row in page], named)
    context = {
        "provider": provider,
        "address": base_url(provider),
        "key_is_set": is_set(provider.key_name),
        "page": page,
        "listed": [(row, name_of(laboratories[row.name])) for row in page],
        "containing": containing,
    }
    return render(request, "providers/provider_models.html", context)


def name_of(laboratory: str | None) -> str:
    return NAMES.get(laboratory, laboratory) if laboratory else ""


@require_POST
@login_required
def fetch(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the provider for its list of models. What it lists is chosen from on the next page."""
    provider = fetch_provider(request, pk)
    try:
        fetch_list(provider, request.user)
    except (KeyMissing, Busy, NoList) as problem:
        messages.error(request, why_not(problem))
        return redirect("provider-models", pk)
    return redirect("provider-models-listed", pk)


def why_not(problem: Exception) -> str:
    """Why nothing came from a provider, for an administrator: what happened, and what to do."""
    if isinstance(problem, KeyMissing):
        message = _("No key named %(name)s is set where this page is served. Nothing was asked.")
        return message % {"name": problem}
    if isinstance(problem, Busy):
        message = _("Too much is being asked at once. Nothing was asked; try again in %(seconds)d seconds.")
        return message % {"seconds": problem.seconds}
    return _("The provider gave no list. %(problem)s Models can be added by name as well.") % {
        "problem": in_sentences(str(problem))
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def listed(request: SignedInRequest, pk: int) -> HttpResponse:
    """What the provider listed, with the laboratory behind each: those that are chosen get a row."""
    provider = fetch_provider(request, pk)
    known = kept_list(provider, request.user)
    if known is None:
        messages.info(request, _("The list is no longer kept. Fetch it once more."))
        return redirect("provider-models", pk)
    if request.method == "POST":
        chosen = set(request.POST.getlist("model"))
        number = take_over_models(provider, [model for model in known if model.name in chosen], request.user)
        message = ngettext("%(n)d model was added.", "%(n)d models were added.", number) % {"n": number}
        messages.success(request, message)
        return redirect("provider-models", pk)
    containing = request.GET.get("q", "").strip()[:200]
    offered = [(offer, name_of(offer.laboratory)) for offer in offers(provider, known, containing)]
    context = {"provider": provider, "offers": offered, "containing": containing, "number": len(known)}
    context["can_choose"] = not all(offer.is_served for offer, _laboratory in offered)
    return render(request, "providers/provider_models_listed.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest, pk: int) -> HttpResponse:
    provider = fetch_provider(request, pk)
    form = ServedModelForm(request.POST or None, provider=provider)
    if form.is_valid():
        saved = save(form, request)
        messages.success(request, _("The model is added. Test it to see what it takes."))
        return redirect("served-model", saved.pk)
    context = {"provider": provider, "form": form}
    return render(request, "providers/served_model_add.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def model(request: SignedInRequest, pk: int) -> HttpResponse:
    served = fetch_model(request, pk)
    form = ServedModelForm(request.POST or None, instance=served, provider=served.provider)
    if form.is_valid():
        save(form, request)
        messages.success(request, _("Saved."))
        return redirect("served-model", pk)
    if form.is_bound:
        served = fetch_model(request, pk)  # the form has put what was typed into the row it was given
    return render(request, "providers/served_model.html", shown(served, form), status=422 if form.is_bound else 200)


def shown(served: ServedModel, form: ServedModelForm) -> dict:
    """All that its page says of a model."""
    provider = served.provider
    named = {served.name: served.laboratory.slug} if served.laboratory else {}
    laboratory = laboratories_of(provider, [served.name], named)[served.name]
    return {
        "served": served,
        "provider": provider,
        "form": form,
        "laboratory": name_of(laboratory),
        "mapping_line": mapping_line(served.name),
        "key_is_set": is_set(provider.key_name),
        "n_judges": provider.judges.filter(model=served.name).count(),
        **outcome(served),
    }


def outcome(served: ServedModel, problem: str = "") -> dict:
    """What the last test showed, and which of it is not yet what is known of the model."""
    capabilities = trying.known_by_test(served)
    differs = [name for name, flag in capabilities.items() if getattr(served, name) != flag]
    result = served.found
    return {
        "served": served,
        "provider": served.provider,
        "found": result,
        "answered_by": name_of(result.get("laboratory")),
        "differs": differs,
        "problem": problem,
    }


def save(form: ServedModelForm, request: SignedInRequest) -> ServedModel:
    with transaction.atomic():
        saved = form.save()
        laboratory = saved.laboratory.slug if saved.laboratory else ""
        subject = f"{saved.name} at {saved.provider}"
        detail = {"changed": form.changed_data, "laboratory": laboratory}
        record("model.saved", actor=request.user, project=None, subject=subject, **detail)
    return saved


@require_POST
@login_required
def test(request: SignedInRequest, pk: int) -> HttpResponse:
    """One answered call, and what it showed: as a fragment, or on the model's page."""
    served = fetch_model(request, pk)
    problem = ""
    try:
        trying.try_on_page(served, request.user)
    except (KeyMissing, Busy) as refused:
        problem = why_not(refused)
    if request.htmx:
        return render(request, "providers/served_model_found.html", outcome(served, problem))
    if problem:
        messages.error(request, problem)
    return redirect("served-model", pk)


@require_POST
@login_required
def take_over(request: SignedInRequest, pk: int) -> HttpResponse:
    served = fetch_model(request, pk)
    if trying.take_over_found(served, request.user):
        messages.success(request, _("What the test found is now what is known of the model."))
    else:
        messages.info(request, _("The test found nothing that was not known. Nothing was changed."))
    return redirect("served-model", pk)


@require_POST
@login_required
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    """Forget what is known of a model; judges that use it stay, and are asked as their provider's others are."""
    served = fetch_model(request, pk)
    with transaction.atomic():
        record("model.removed", actor=request.user, project=None, subject=f"{served.name} at {served.provider}")
        served.delete()
    messages.success(request, _("The model is taken from the list. Judges that use it stay."))
    return redirect("provider-models", served.provider_id)
