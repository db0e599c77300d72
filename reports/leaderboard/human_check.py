"""The board's button by which a sample of answers is given to people: judges are compared with what they say."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.scoring_task.drawing import draw_sample
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


class SampleForm(forms.Form):
    per_skill = forms.IntegerField(min_value=1, max_value=1000)
    people = forms.IntegerField(min_value=1, max_value=20)


@require_POST
@login_required
def have_checked(request: SignedInRequest, slug: str) -> HttpResponse:
    """Draw answers of every skill for people to score, into the stage whose page is shown."""
    project = fetch_project(request.user, slug, "project.edit")
    form = SampleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Nothing was drawn: say from 1 to 1000 answers of each skill, and 1 to 20 people."))
        return redirect("leaderboard", slug)
    try:
        stage, count = draw_sample(project, **form.cleaned_data, by=request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("leaderboard", slug)
    if count:
        said = ngettext("%(n)d answer was drawn for “%(stage)s”.", "%(n)d answers were drawn for “%(stage)s”.", count)
        messages.success(request, said % {"n": count, "stage": stage.name})
    else:
        messages.info(request, _("No answer is left to draw: all that can be were drawn already."))
    return redirect("stages", slug)
