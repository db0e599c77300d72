"""Providers and the laboratories behind models: for administrators of the installation alone."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.audit import record
from projects.requests import SignedInRequest
from providers.client.keys import is_set
from providers.endpoints import base_url
from providers.forms import MappingForm, ProviderForm
from providers.models import ModelMapping, Provider
from providers.presets import PRESETS, preset_named

OWN_ADDRESS = "other"


def check_administrator(request: SignedInRequest) -> None:
    """For everybody else the page does not exist."""
    if not request.user.is_administrator:
        raise Http404


@require_safe
@login_required
def providers(request: SignedInRequest) -> HttpResponse:
    check_administrator(request)
    pattern = request.GET.get("pattern", "")[:120]
    return render(request, "providers/providers.html", listing(MappingForm(initial={"pattern": pattern})))


def listing(form: MappingForm) -> dict:
    known = Provider.objects.select_related("laboratory").annotate(
        n_judges=Count("judges", distinct=True), n_models=Count("served_models", distinct=True)
    )
    listed = [(provider, base_url(provider), is_set(provider.key_name)) for provider in known]
    mappings = ModelMapping.objects.select_related("laboratory").order_by("pattern")
    return {"providers": listed, "mappings": mappings, "form": form}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest) -> HttpResponse:
    """First which provider it is, then its form filled in."""
    check_administrator(request)
    chosen = request.GET.get("preset", "")
    preset = preset_named(chosen)
    if request.method != "POST" and preset is None and chosen != OWN_ADDRESS:
        return render(request, "providers/provider_presets.html", {"presets": PRESETS, "own_address": OWN_ADDRESS})
    form = ProviderForm(request.POST or None, preset=preset)
    if form.is_valid():
        saved = save(form, request)
        messages.success(request, _("Saved. Its models are next: fetch its list, or add them by name."))
        return redirect("provider-models", saved.pk)
    return render(
        request, "providers/provider.html", {"form": form, "preset": preset}, status=422 if form.is_bound else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def provider(request: SignedInRequest, pk: int) -> HttpResponse:
    check_administrator(request)
    row = get_object_or_404(Provider.objects.select_related("laboratory"), pk=pk)
    form = ProviderForm(request.POST or None, instance=row)
    if form.is_valid():
        save(form, request)
        messages.success(request, _("Saved."))
        return redirect("providers")
    return render(request, "providers/provider.html", {"form": form}, status=422 if form.is_bound else 200)


def save(form: ProviderForm, request: SignedInRequest) -> Provider:
    with transaction.atomic():
        saved = form.save()
        laboratory = saved.laboratory.slug if saved.laboratory else ""
        detail = {"base_url": saved.base_url, "key_name": saved.key_name, "laboratory": laboratory}
        record("provider.saved", actor=request.user, project=None, subject=saved.name, **detail)
    return saved


@require_POST
@login_required
def map_model(request: SignedInRequest) -> HttpResponse:
    check_administrator(request)
    known = ModelMapping.objects.filter(pattern=request.POST.get("pattern", "").strip().casefold()).first()
    form = MappingForm(request.POST, instance=known)
    if not form.is_valid():
        return render(request, "providers/providers.html", listing(form), status=422)
    with transaction.atomic():
        mapping = form.save()
        record(
            "model.mapped",
            actor=request.user,
            project=None,
            subject=mapping.pattern,
            laboratory=mapping.laboratory.slug,
        )
    messages.success(request, _("The mapping is kept."))
    return redirect("providers")
