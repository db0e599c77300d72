"""A run's replies read again: what would change first, then the change."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from judging.rereading import Rereading, older_calls, plan_rereading, reread
from judging.views.runs import fetch_run
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest

# More than a page should let anybody wait for; the command has no limit.
MOST_AT_ONCE = 5000


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def read_again(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    run = fetch_run(project, uuid)
    older = older_calls(run).count()
    context = {"project": project, "run": run, "older": older, "is_too_much": older > MOST_AT_ONCE}
    try:
        if request.method == "POST" and not context["is_too_much"]:
            messages.success(request, in_words(reread(run, by=request.user)))
            return redirect("run", slug, uuid)
        if not context["is_too_much"]:
            context["plan"] = plan_rereading(run)
    except Invalid as invalid:
        context["problem"] = invalid
    return render(request, "judging/read_again.html", context)


def in_words(found: Rereading) -> str:
    message = ngettext(
        "%(n)d reply was read again; %(changed)d changed. Nobody was asked.",
        "%(n)d replies were read again; %(changed)d changed. Nobody was asked.",
        found.read,
    )
    told = message % {"n": found.read, "changed": found.changed}
    if found.held:
        told += " " + ngettext(
            "%(n)d answer stays, because people have worked on it.",
            "%(n)d answers stay, because people have worked on them.",
            found.held,
        ) % {"n": found.held}
    return told
