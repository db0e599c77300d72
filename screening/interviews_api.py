"""Interviews for programs: which there are, what came of them, and one more of either (docs/screening.md)."""

from typing import Any

from django import forms
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.models import Project
from projects.problems import Invalid, Problem
from screening import interviewing
from screening.access import fetch_interview
from screening.forms import InterviewForm, InterviewResultForm
from screening.models import Interview, InterviewResult
from screening.models.quizzes import MAX_STEP


class InterviewSerializer(serializers.ModelSerializer):
    """An interview; `recorded` and `passed` count people."""

    stage = serializers.CharField(source="stage.name")
    recorded = serializers.IntegerField()
    passed = serializers.IntegerField()

    class Meta:
        model = Interview
        fields = ["id", "stage", "language", "step", "is_open", "recorded", "passed"]


class NewInterviewSerializer(serializers.Serializer):
    """`stage` by its name; `language` is that of the people, empty for all without an interview of their own."""

    stage = serializers.CharField(max_length=200)
    language = serializers.CharField(max_length=8, default="", allow_blank=True)
    step = serializers.IntegerField(min_value=1, max_value=MAX_STEP, default=1)


class OpenSerializer(serializers.Serializer):
    is_open = serializers.BooleanField()


class InterviewResultSerializer(serializers.ModelSerializer):
    """What was recorded of one person, by pseudonym."""

    person = serializers.CharField(source="rater.pseudonym")

    class Meta:
        model = InterviewResult
        fields = ["id", "person", "is_passed", "held_on", "interviewer", "note", "note_is_shown", "recorded_at"]


class NewResultSerializer(serializers.Serializer):
    """What is recorded of a person who works in the project; it takes the place of what was recorded before."""

    person = serializers.CharField(max_length=32)
    is_passed = serializers.BooleanField()
    held_on = serializers.DateField()
    interviewer = serializers.CharField(max_length=120)
    note = serializers.CharField(max_length=4000, default="", allow_blank=True)
    note_is_shown = serializers.BooleanField(default=False)


def of_project(project: Project) -> QuerySet[Interview]:
    rows = Interview.objects.filter(stage__project=project).select_related("stage")
    counted = rows.annotate(recorded=Count("results"), passed=Count("results", filter=Q(results__is_passed=True)))
    return counted.order_by("stage__position", "step", "language", "pk")


def problems_of(form: forms.ModelForm, **names: str) -> list[Problem]:
    """What the page would say, under the names that programs have for the fields."""
    said = form.errors.get_json_data()
    return [
        Problem(each["code"] or "invalid", each["message"], names.get(field, field))
        for field, errors in said.items()
        for each in errors
    ]


class Interviews(ProjectView):
    """The interviews of a project."""

    permission = "project.edit"

    @extend_schema(responses=InterviewSerializer(many=True))
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return Response({"interviews": InterviewSerializer(of_project(self.project), many=True).data})

    @extend_schema(request=NewInterviewSerializer, responses={201: InterviewSerializer, 422: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Set one up: who has it before them is handed no work of the stage until it was passed."""
        said = NewInterviewSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values = said.validated_data
        stage = self.project.stages.filter(name=values["stage"]).first()
        if stage is None:
            message = _("The project has no stage “%(name)s”.") % {"name": values["stage"]}
            return refusal(Invalid(Problem("unknown", message, "stage")))
        form = InterviewForm({**values, "stage": stage.pk}, project=self.project)
        if not form.is_valid():
            return refusal(Invalid(problems_of(form)))
        interview = form.save(commit=False)
        interviewing.set_up(interview, request.user)
        return Response(InterviewSerializer(of_project(self.project).get(pk=interview.pk)).data, status=201)


class OneInterview(ProjectView):
    permission = "project.edit"

    @extend_schema(request=OpenSerializer, responses=InterviewSerializer)
    def patch(self, request: SignedInRequest, slug: str, interview: int) -> Response:
        """Open it, or close it: closed, it keeps nobody out."""
        chosen, said = fetch_interview(self.project, interview), OpenSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        if chosen.is_open != said.validated_data["is_open"]:
            chosen.is_open = said.validated_data["is_open"]
            interviewing.set_up(chosen, request.user)
        return Response(InterviewSerializer(of_project(self.project).get(pk=chosen.pk)).data)


class InterviewResults(ProjectView, ListAPIView):
    """What was recorded of people at an interview."""

    permission = "project.edit"
    serializer_class = InterviewResultSerializer
    pagination_class = ById
    queryset = InterviewResult.objects.none()

    def get_queryset(self) -> QuerySet[InterviewResult]:
        if getattr(self, "swagger_fake_view", False):
            return InterviewResult.objects.none()
        return fetch_interview(self.project, self.kwargs["interview"]).results.select_related("rater")

    @extend_schema(request=NewResultSerializer, responses={200: InterviewResultSerializer, 422: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str, interview: int) -> Response:
        """Record a person's result; the same again changes nothing."""
        chosen, said = fetch_interview(self.project, interview), NewResultSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(said.validated_data)
        rater = self.project.raters.filter(pseudonym=values.pop("person")).first()
        data = {**values, "rater": rater.pk if rater else "0", "is_passed": "yes" if values["is_passed"] else "no"}
        form = InterviewResultForm(data, instance=InterviewResult(interview=chosen), project=self.project)
        if not form.is_valid():
            return refusal(Invalid(problems_of(form, rater="person")))
        result = form.save(commit=False)
        there = chosen.results.filter(rater=result.rater, **{name: getattr(result, name) for name in values})
        if not there.exists():
            interviewing.record(result, request.user)
        kept = chosen.results.select_related("rater").get(rater=result.rater)
        return Response(InterviewResultSerializer(kept).data)
