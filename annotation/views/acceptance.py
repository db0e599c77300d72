"""A lead has a sample of what judges proposed decided on, and accepts the rest unseen, or not."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.acceptance.jobs import carry_out
from annotation.acceptance.kinds import KINDS
from annotation.acceptance.requests import DrawForm, ReasonForm, draw_named
from annotation.acceptance.settling import sources
from annotation.acceptance.worth import worth
from annotation.models import Acceptance
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid, problems_of_form
from projects.requests import SignedInRequest

MOST_LISTED = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def acceptances(request: SignedInRequest, slug: str) -> HttpResponse:
    """What waits, by who proposed it, with a form to draw of each; and the samples so far."""
    project = fetch_project(request.user, slug, "spans.refine")
    form = DrawForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        said: dict[str, Any] = dict(form.cleaned_data)
        said["bound"] = said.pop("percent") / 100
        try:
            draw_named(project, request.user, **said)
        except Invalid as refused:
            for problem in refused.problems:
                form.add_error(problem.field if problem.field in form.fields else None, problem.message)
        else:
            messages.success(request, _("The sample was drawn. Decide on each proposal of it."))
            return redirect("acceptances", slug)
    status = 422 if form is not None and form.errors else 200
    return render(request, "annotation/acceptance/list.html", listed(project, form), status=status)


def listed(project: Project, sent: DrawForm | None) -> dict[str, Any]:
    rows = []
    for source in sources(project):
        kind, proposer = str(source.kind.kind), source.proposer.pseudonym if source.proposer else ""
        is_sent = sent is not None and (sent.data.get("kind"), sent.data.get("proposer", "")) == (kind, proposer)
        fresh = DrawForm(initial={"kind": kind, "proposer": proposer}, auto_id=f"id_{kind}_{proposer}_%s")
        rows.append((source, sent if is_sent else fresh))
    drawn = project.acceptances.select_related("project", "proposer", "settled_by")[:MOST_LISTED]
    samples = [(one, worth(one), KINDS[one.kind].page) for one in drawn]
    return {"project": project, "rows": rows, "samples": samples, "State": Acceptance.State}


@require_POST
@login_required
def settle(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "spans.refine")
    chosen = get_object_or_404(project.acceptances.select_related("project"), number=number)
    form = ReasonForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(problems_of_form(form))
        _settled, job = carry_out(chosen, request.POST.get("act", ""), form.cleaned_data["reason"], request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("acceptances", slug)
    if job is not None:
        return redirect("job", slug, job.uuid)
    messages.success(request, _("Saved."))
    return redirect("acceptances", slug)
