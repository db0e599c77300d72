"""A lead sets up a calibration study: sees what it asks of whom, then has its turns dealt."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.requests import SignedInRequest
from rubrics.forms import CalibrationForm
from rubrics.scoring.calibration import Design, TooFewGraders
from rubrics.scoring.studies import Pool, begin_study, draw, fresh_seed, pool_of, shares, studies_of

# With one alone there is nothing to tell it from.
MIN_VARIETIES = 2


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def calibration(request: SignedInRequest, slug: str) -> HttpResponse:
    """The studies there are, and the next one: GET shows what the numbers asked for come to, POST deals it."""
    project = fetch_project(request.user, slug, "project.edit")
    pool = pool_of(project)
    asked = request.POST if request.method == "POST" else request.GET
    form = CalibrationForm(asked or None, initial={"seed": fresh_seed()})
    drawn = preview(form, pool)
    if request.method == "POST" and drawn is not None:
        study = begin_study(project, request.user, drawn, **form.cleaned_data)
        turns = len(drawn.turns)
        text = ngettext("%(turns)d turn was dealt.", "%(turns)d turns were dealt.", turns) % {"turns": turns}
        messages.success(request, f"{study.stage.name}: {text}")
        return redirect("calibration", slug)
    context = {
        "project": project,
        "pool": pool,
        "form": form,
        "drawn": drawn,
        "shares": shares(pool, drawn) if drawn else [],
        "studies": studies_of(project),
        "is_lonely": drawn is not None and len(pool.varieties) < MIN_VARIETIES,
    }
    return render(request, "rubrics/scoring/calibration.html", context, status=422 if request.method == "POST" else 200)


def preview(form: CalibrationForm, pool: Pool) -> Design | None:
    """The design the form asks for; None with the reason in the form where there is none, or nothing was asked."""
    if not form.is_bound or not form.is_valid():
        return None
    try:
        drawn = draw(pool, **form.cleaned_data)
    except TooFewGraders:
        form.add_error("graders_per_community", _("A community has fewer graders than that. Nothing was dealt."))
        return None
    if not drawn.turns:
        form.add_error(None, _("There is no response that enough people of every community have not graded yet."))
        return None
    return drawn
