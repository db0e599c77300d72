"""A person's notices: the list, what is read, and by which ways they want to be told."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from notices.kinds import Kind
from notices.models import Notice, NoticeSwitch
from notices.telling import put_away
from projects.requests import SignedInRequest

PAGE = 30


@require_safe
@never_cache
@login_required
def notices(request: SignedInRequest) -> HttpResponse:
    mine = Notice.objects.filter(person=request.user, is_shown=True).select_related("project", "person")
    page = Paginator(mine, PAGE).get_page(request.GET.get("page"))
    return render(request, "notices/list.html", {"page": page})


@require_POST
@login_required
def go(request: SignedInRequest, pk: int) -> HttpResponse:
    """Read one, and on to what it is about."""
    notice = get_object_or_404(Notice, pk=pk, person=request.user)
    put_away(request.user, notice.pk)
    return redirect(notice.path)


@require_POST
@login_required
def read(request: SignedInRequest) -> HttpResponse:
    put_away(request.user)
    return redirect("notices")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def switches(request: SignedInRequest) -> HttpResponse:
    """Of each kind whether it stands on the page and comes by mail."""
    if request.method == "POST":
        with transaction.atomic():
            for kind in Kind.values:
                chosen = {way: f"{kind}-{way}" in request.POST for way in ("on_page", "by_mail")}
                NoticeSwitch.objects.update_or_create(person=request.user, kind=kind, defaults=chosen)
        messages.success(request, _("Saved."))
        return redirect("notice-switches")
    chosen_now = {switch.kind: switch for switch in NoticeSwitch.objects.filter(person=request.user)}
    kinds = [(kind, chosen_now.get(kind) or NoticeSwitch()) for kind in Kind]
    return render(request, "notices/switches.html", {"kinds": kinds})
