"""Buttons of a question set's page: score what was answered, and add rows that know nothing."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.access import fetch_set
from benchmark.baselines import add_baselines
from benchmark.scoring_jobs import begin_scoring, begin_scoring_of
from jobs.models import OVER
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_POST
@login_required
def score_set(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Score the stored answers to a frozen version: few at once, many as a job, whose page is shown."""
    row = fetch_set(request.user, slug, question_set, version, "jobs.run")
    try:
        job = begin_scoring(row, request.user, is_waited_for=True)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("question-set", slug, row.slug, row.version)
    if job.state not in OVER:
        return redirect("job", slug, job.uuid)
    if job.result is None:
        messages.error(request, job.problem)
    else:
        n = job.result["answers"]
        text = ngettext("%(n)d answer is scored by its rules.", "%(n)d answers are scored by their rules.", n)
        messages.success(request, text % {"n": n})
    return redirect("question-set", slug, row.slug, row.version)


@require_POST
@login_required
def baselines(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add the baselines to a project's benchmark, and have their answers scored."""
    project = fetch_project(request.user, slug, "project.edit")
    try:
        added = sum(add_baselines(project, request.user).values())
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("question-sets", slug)
    begin_scoring_of(project, request.user)
    text = ngettext("%(n)d answer of baselines was added.", "%(n)d answers of baselines were added.", added)
    messages.success(request, text % {"n": added} if added else _("The baselines have answered all questions already."))
    return redirect("question-sets", slug)
