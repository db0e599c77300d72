"""What is done in the background for no project, such as loading demonstration data: for administrators alone."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from jobs.listing import PER_PAGE, Jobs
from jobs.models import Job
from jobs.views.pages import REFUSALS, live
from projects.models import User
from projects.requests import SignedInRequest


@require_safe
@login_required
def jobs(request: SignedInRequest) -> HttpResponse:
    rows = jobs_for(request.user).order_by("-created_at", "-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    entries = Jobs().entries(list(page.object_list))
    context: dict[str, Any] = {
        "page": page,
        "entries": entries,
        "is_live": any(entry.is_moving for entry in entries),
    }
    return live(request, "jobs/installation_jobs.html", "jobs/jobs_live.html", context)


@require_safe
@login_required
def job(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    row = get_object_or_404(jobs_for(request.user), uuid=uuid)
    [entry] = Jobs().entries([row])
    return live(request, "jobs/installation_job.html", "jobs/job_live.html", {"entry": entry})


@require_POST
@login_required
def act(request: SignedInRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Pause, resume, cancel or try again; back to the page it was asked on."""
    row = get_object_or_404(jobs_for(request.user), uuid=uuid)
    if not Jobs().act(row, verb, request.user):
        messages.warning(request, REFUSALS[verb])
    is_from_job = request.POST.get("from") == "job"
    return redirect("installation-job", uuid) if is_from_job else redirect("installation-jobs")


def jobs_for(user: User) -> QuerySet[Job]:
    """The jobs of no project. Raises Http404 for whoever does not administer the installation."""
    if not user.is_superuser:
        raise Http404
    return Jobs().rows(None)
