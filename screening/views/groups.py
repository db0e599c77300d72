"""A lead says which people belong together, such as those of one vendor."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from projects.access import fetch_project
from projects.requests import SignedInRequest
from screening import grouping
from screening.forms import GroupForm
from screening.models import RaterGroup

PAGE = 100


@require_safe
@login_required
def groups(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    listed = RaterGroup.objects.filter(project=project).annotate(people=Count("members")).order_by("name", "pk")
    page = Paginator(grouping.people_of(project), PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "groups": listed, "page": page, "form": GroupForm()}
    return render(request, "screening/groups.html", context)


@require_POST
@login_required
def add(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = GroupForm(request.POST)
    if not form.is_valid() or not grouping.add_group(project, form.cleaned_data["name"], request.user):
        messages.error(request, _("Give a name of at most 80 characters that no other group has."))
    return redirect("rater-groups", slug)


@require_POST
@login_required
def rename(request: SignedInRequest, slug: str, group: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(RaterGroup.objects.select_related("project"), pk=group, project=project)
    form = GroupForm(request.POST)
    if not form.is_valid() or not grouping.rename(chosen, form.cleaned_data["name"], request.user):
        messages.error(request, _("Give a name of at most 80 characters that no other group has."))
    return redirect("rater-groups", slug)


@require_POST
@login_required
def delete(request: SignedInRequest, slug: str, group: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(RaterGroup.objects.select_related("project"), pk=group, project=project)
    grouping.take_away(chosen, request.user)
    return redirect("rater-groups", slug)


@require_POST
@login_required
def assign(request: SignedInRequest, slug: str) -> HttpResponse:
    """The groups of the people of one page of the list: `group-<id of the rater>`, empty for none."""
    project = fetch_project(request.user, slug, "project.edit")
    wanted = {}
    for name in request.POST:
        value = request.POST.get(name, "")
        rater = name.removeprefix("group-")
        if rater != name and _is_id(rater) and (not value or _is_id(value)):
            wanted[int(rater)] = int(value) if value else None
    count = grouping.assign(project, wanted, request.user)
    text = ngettext("%(n)d person changed groups.", "%(n)d people changed groups.", count)
    messages.success(request, text % {"n": count})
    return redirect("rater-groups", slug)


def _is_id(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) < 19
