"""Questions of a draft, for programs: worded otherwise, or taken out. Leads alone, held-back questions among them."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from benchmark.access import fetch_version, questions_for_viewer
from benchmark.api import QuestionSerializer, with_all_parts
from benchmark.editing import drop, repair
from benchmark.models import Question
from benchmark.wording import FIELDS, MAX_TEXT
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.models import Project
from projects.problems import Invalid


class NamedSerializer(serializers.Serializer):
    """`question` is its id in the set. `seen`, as the list of checks gives it: refused where the question is worded
    otherwise by now."""

    question = serializers.CharField()
    seen = serializers.CharField(required=False, max_length=64)


class WordingSerializer(NamedSerializer):
    """A question by its id in the set, with its new wording. A part that is left out stays as it is."""

    instruction = serializers.CharField(required=False, trim_whitespace=False, max_length=MAX_TEXT)
    input = serializers.CharField(required=False, trim_whitespace=False, max_length=MAX_TEXT, allow_blank=True)
    reference = serializers.CharField(required=False, trim_whitespace=False, max_length=MAX_TEXT, allow_blank=True)


class RewordQuestion(ProjectView):
    """Word a question of a draft otherwise. Refused (422) where the version is frozen, nothing is another, or a rule of
    the question could not score it then."""

    permission = "project.edit"

    @extend_schema(request=WordingSerializer, responses=QuestionSerializer)
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        serializer = WordingSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said = serializer.validated_data
        row = question_of(self.project, question_set, version, said["question"])
        seen = said.get("seen", "")
        try:
            repair(row, **{field: said.get(part) for part, field in FIELDS.items()}, actor=request.user, seen=seen)
        except Invalid as invalid:
            return refusal(invalid)
        worded = with_all_parts(row.question_set.questions.all()).get(pk=row.pk)
        return Response(QuestionSerializer(worded).data)


class DropQuestion(ProjectView):
    """Take a question out of a draft, with a skill or source that nothing else belongs to. Refused (422) where the
    version is frozen."""

    permission = "project.edit"

    @extend_schema(request=NamedSerializer, responses={204: None})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        serializer = NamedSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        row = question_of(self.project, question_set, version, serializer.validated_data["question"])
        try:
            drop(row, request.user, serializer.validated_data.get("seen", ""))
        except Invalid as invalid:
            return refusal(invalid)
        return Response(status=status.HTTP_204_NO_CONTENT)


def question_of(project: Project, question_set: str, version: int, key: str) -> Question:
    of_version = fetch_version(project, question_set, version)
    row = get_object_or_404(questions_for_viewer(of_version), key=key)
    row.question_set = of_version
    return row
