"""Accounts that speak for a laboratory: for administrators of the installation alone."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from benchmark.models import VerifiedAccount
from benchmark.submissions.verifying import MAX_LABORATORY, take_back, verify
from projects.problems import Invalid
from projects.requests import SignedInRequest

PAGE = 50


class VerifyForm(forms.Form):
    email = forms.EmailField(label=gettext_lazy("E-mail address of the account"))
    laboratory = forms.CharField(
        label=gettext_lazy("Laboratory"),
        max_length=MAX_LABORATORY,
        help_text=gettext_lazy("All accounts of a laboratory together submit once a calendar month."),
    )
    is_made = forms.BooleanField(
        label=gettext_lazy("Make the account where there is none"),
        required=False,
        help_text=gettext_lazy("In no project. Its owner sets a pass phrase by “forgotten” on the page of signing in."),
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def verified_accounts(request: SignedInRequest) -> HttpResponse:
    if not request.user.is_administrator:
        raise Http404
    form = VerifyForm(request.POST or None)
    if form.is_valid():
        said = form.cleaned_data
        try:
            verified = verify(said["email"], said["laboratory"], request.user, is_made=said["is_made"])
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(problem.field or None, problem.message)
        else:
            told = {"email": verified.user.email, "laboratory": verified.laboratory.name}
            messages.success(request, _("%(email)s speaks for %(laboratory)s.") % told)
            return redirect("verified-accounts")
    rows = VerifiedAccount.objects.select_related("user", "laboratory").order_by("user__email")
    context = {"form": form, "page": Paginator(rows, PAGE).get_page(request.GET.get("page"))}
    status = 422 if form.is_bound else 200
    return render(request, "benchmark/submissions/verified_accounts.html", context, status=status)


@require_POST
@login_required
def take_back_verification(request: SignedInRequest, pk: int) -> HttpResponse:
    if not request.user.is_administrator:
        raise Http404
    row = get_object_or_404(VerifiedAccount.objects.select_related("user", "laboratory"), user=pk)
    email = row.user.email
    take_back(row, request.user)
    messages.success(request, _("%(email)s speaks for no laboratory any more.") % {"email": email})
    return redirect("verified-accounts")
