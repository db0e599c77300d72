"""The shell of every page of figures: what it answers while they are computed, and when that failed."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from jobs.api.jobs import with_result
from jobs.listing import entry_of
from jobs.models import Job, JobState
from projects.requests import SignedInRequest
from reports.warming import Asked, Ready, begin_again, seconds_until_begun_again, wanted

# A program that was told to wait asks again after so many seconds.
AGAIN_SECONDS = 2
# So long a person's browser waits for a file whose figures have to be computed first.
FILE_SECONDS = 20


def figures_or_page(request: SignedInRequest, asked: Asked, context: Mapping[str, Any]) -> Ready | HttpResponse:
    """The figures, or the answer to give in their place: the page's frame with how far they are, which asks again
    by itself. POST tries again what failed."""
    if request.method == "POST":
        return try_again(request, asked)
    outcome = wanted(asked, request.user)
    if isinstance(outcome, Job):
        return waiting(request, asked, outcome, context)
    if request.htmx:  # the frame asks: the page is loaded anew, with its scripts
        return HttpResponse(headers={"HX-Refresh": "true"})
    return outcome


def try_again(request: SignedInRequest, asked: Asked) -> HttpResponse:
    """Begin the job anew where it failed, and go back to the page."""
    begin_again(asked, request.user)
    return redirect(request.get_full_path())


def waiting(request: SignedInRequest, asked: Asked, job: Job, context: Mapping[str, Any]) -> HttpResponse:
    template = "reports/computing_live.html" if request.htmx else "reports/computing.html"
    shown = {"project": asked.project, "title": asked.page.title, "job": job, "entry": entry_of(job), **context}
    response = render(request, template, shown)
    patch_vary_headers(response, ["HX-Request"])
    return response


def come_again(asked: Asked, job: Job) -> JsonResponse:
    """202 for whoever wanted a file: the job that computes what stands in it, and when to ask again."""
    status, seconds = status_of(job)
    address = reverse("api-job", args=[asked.project.slug, job.uuid])
    headers = {"Retry-After": str(seconds), "Location": address}
    return JsonResponse(with_result(job, entry_of(job)), status=status, headers=headers)


def status_of(job: Job) -> tuple[int, int]:
    """The status that tells programs how it stands with their figures, and in how many seconds to ask again."""
    if not job.is_over:
        return 202, AGAIN_SECONDS
    return 503 if job.state == JobState.CANCELLED else 500, seconds_until_begun_again(job)
