"""A person's own account: name, tokens, and the way to pass phrase, second factor and sessions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.audit import record
from projects.forms import AccountForm, TokenForm
from projects.models import ApiToken, User
from projects.requests import SignedInRequest
from projects.zones import zone_names


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    person = request.user
    form = AccountForm(request.POST if request.method == "POST" else None, initial=account_fields(person))
    if form.is_valid():
        person.name, person.time_zone = form.cleaned_data["name"], form.cleaned_data["time_zone"]
        person.save(update_fields=["name", "time_zone"])
        messages.success(request, _("Saved."))
        return redirect("account")
    return render(request, "projects/account/account.html", account_context(request, form=form))


def account_fields(person: User) -> dict[str, str]:
    return {"name": person.name, "time_zone": person.time_zone}


def account_context(request: SignedInRequest, **extra: Any) -> dict:
    tokens = request.user.api_tokens.filter(revoked_at=None).order_by("-created_at")
    return {
        "tokens": tokens,
        "token_form": TokenForm(),
        "form": AccountForm(initial=account_fields(request.user)),
        "zones": zone_names(),
        **extra,
    }


@require_POST
@login_required
def issue_token(request: SignedInRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return render(request, "projects/account/account.html", account_context(request, token_form=form), status=422)
    with transaction.atomic():
        _row, token = ApiToken.issue(request.user, form.cleaned_data["name"])
        record("token.issued", actor=request.user, project=None, subject=form.cleaned_data["name"])
    return render(request, "projects/account/account.html", account_context(request, new_token=token))


@require_POST
@login_required
def revoke_token(request: SignedInRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, pk=pk, user=request.user)
    token.revoked_at = timezone.now()
    with transaction.atomic():
        token.save(update_fields=["revoked_at"])
        record("token.revoked", actor=request.user, project=None, subject=token.name)
    messages.success(request, _("The token no longer works."))
    return redirect("account")
