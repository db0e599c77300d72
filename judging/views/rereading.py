"""A run's replies read again: what would change first, then the change. Where they are many, both by a worker."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from jobs.listing import entry_of
from jobs.models import Job
from judging.engine.rereading import older_calls, plan_rereading
from judging.engine.rereading_jobs import begin_rereading, found_by, has_few_replies, in_words, newest, newest_plan
from judging.models import Run
from judging.views.runs import fetch_run
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def read_again(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    run = fetch_run(project, uuid)
    if run.judge is None:  # what a target model says is never read for anything
        return redirect("collection", slug, uuid)
    context: dict[str, Any] = {"project": project, "run": run, "older": older_calls(run).count()}
    if request.method == "POST":
        try:
            return begun(request, run)
        except Invalid as invalid:
            return render(request, "judging/read_again.html", context | {"problem": invalid})
    job = under_way_or_failed(run)
    if job is not None:
        context["entry"] = entry_of(job)
    if request.htmx:
        return live(request, context)
    try:
        if job is None or job.is_over:
            context |= plan_of(run, context["older"])
    except Invalid as invalid:
        context["problem"] = invalid
    return vary(render(request, "judging/read_again.html", context))


def begun(request: SignedInRequest, run: Run) -> HttpResponse:
    """Begin what was asked for. Where it is over already, say what came of it."""
    is_plan = "plan" in request.POST
    job = begin_rereading(run, request.user, is_plan=is_plan)
    counts = found_by(job)
    if counts is None or is_plan:
        return redirect("run-read-again", run.project.slug, run.uuid)
    messages.success(request, in_words(counts))
    return redirect("run", run.project.slug, run.uuid)


def under_way_or_failed(run: Run) -> Job | None:
    """The job of the run that was begun last, plan or not, as long as it has not done its work."""
    jobs = [job for job in (newest(run, is_plan=True), newest(run, is_plan=False)) if job is not None]
    last = max(jobs, key=lambda job: job.pk, default=None)
    return last if last is not None and found_by(last) is None and last.state != "cancelled" else None


def plan_of(run: Run, older: int) -> dict[str, Any]:
    """What reading again would change: found out here where it takes a moment, else what a job has found out, if
    nothing was read since. Raises Invalid where the run cannot be read again."""
    done = newest(run, is_plan=False)
    last = found_by(done)
    shown: dict[str, Any] = {"last": in_words(last) if last else "", "last_at": done.ended_at if done else None}
    if not older:
        return shown
    if has_few_replies(run):
        return {**shown, "plan": plan_rereading(run)}
    if planned := newest_plan(run):
        return {**shown, "plan": found_by(planned), "planned_at": planned.ended_at}
    return shown


def live(request: SignedInRequest, context: dict[str, Any]) -> HttpResponse:
    """How far it is; when it is over, the page is loaded anew."""
    if "entry" not in context or not context["entry"].is_moving:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return vary(render(request, "judging/read_again_live.html", context))


def vary(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request"])
    return response
