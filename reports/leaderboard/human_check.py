"""A sample of answers is given to people, by the board's button or by a program: judges are compared with what they
say."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from benchmark.scoring_task.drawing import draw_sample
from projects.access import fetch_project
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

MOST_ANSWERS, MOST_PEOPLE = 1000, 20


class SampleForm(forms.Form):
    per_skill = forms.IntegerField(min_value=1, max_value=MOST_ANSWERS)
    people = forms.IntegerField(min_value=1, max_value=MOST_PEOPLE)


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


class SampleOrder(serializers.Serializer):
    """How many answers of every skill, and how many people score each."""

    per_skill = serializers.IntegerField(min_value=1, max_value=MOST_ANSWERS)
    people = serializers.IntegerField(min_value=1, max_value=MOST_PEOPLE)


class DrawnSerializer(serializers.Serializer):
    """`drawn`: how many answers are new in the stage; 0 where all that can be were drawn before."""

    stage = serializers.CharField()
    people = serializers.IntegerField()
    drawn = serializers.IntegerField()


class SampleForPeople(ProjectView):
    """Draw answers of every skill for people to score. Refused (422) where the stage asks another number of people."""

    permission = "project.edit"

    @extend_schema(request=SampleOrder, responses={201: DrawnSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        order = SampleOrder(data=request.data)
        order.is_valid(raise_exception=True)
        try:
            stage, count = draw_sample(self.project, **order.validated_data, by=request.user)
        except Invalid as refused:
            return refusal(refused)
        drawn = {"stage": stage.name, "people": stage.overlap, "drawn": count}
        return Response(DrawnSerializer(drawn).data, status=status.HTTP_201_CREATED)
