"""How fast the configurations of a board answer: what was measured, and having it measured."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from jobs.models import OPEN, Job
from judging.forms.sets import show
from judging.forms.speed import SpeedForm
from judging.speed.jobs import SPEED, begin_measuring
from judging.speed.measuring import newest_passes, targets_of
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def speed(request: SignedInRequest, slug: str) -> HttpResponse:
    """The newest pass of each configuration; POST begins one, whose job's page shows how far it is and cancels it."""
    project = fetch_project(request.user, slug, "judges.run")
    targets = targets_of(project)
    form = SpeedForm(targets, request.POST or None)
    if form.is_valid():
        try:
            job = begin_measuring(project, form.cleaned_data["configurations"], form.how, request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            return redirect("job", slug, job.uuid)
    context = {
        "project": project,
        "form": form,
        "targets": targets,
        "under_way": Job.objects.filter(kind=SPEED, project=project, state__in=OPEN).first(),
        "passes": newest_passes(project),
    }
    return render(request, "judging/speed.html", context, status=422 if form.errors else 200)
