"""Question sets and their questions, for programs."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.access import fetch_version, questions_for_viewer
from benchmark.exporting import in_order
from benchmark.listing import listed
from benchmark.models import Exposure, Question, QuestionSet, RuleUse
from benchmark.retiring import is_retired, limit_of, with_laboratories
from benchmark.scoring_jobs import begin_scoring
from benchmark.screening import as_json
from benchmark.screening_form import ScreeningForm, too_many
from benchmark.set_jobs import begin_answers_export, begin_export, begin_freezing, is_large
from jobs.api.jobs import JobSerializer, accepted
from jobs.models import Job
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid, Problem, problems_of_form


class QuestionSetSerializer(serializers.ModelSerializer):
    """One version of a question set; its canary stands in everything that leaves."""

    id = serializers.CharField(source="slug")
    questions = serializers.IntegerField(source="n_questions")
    held_back = serializers.IntegerField(source="n_held_back")

    class Meta:
        model = QuestionSet
        fields = ["id", "name", "version", "licence", "canary", "questions", "held_back", "frozen_at", "sha256"]


class RuleUseSerializer(serializers.ModelSerializer):
    version = serializers.IntegerField(source="rule_version")
    parameters = serializers.SerializerMethodField()

    class Meta:
        model = RuleUse
        fields = ["rule", "version", "parameters"]

    def get_parameters(self, use: RuleUse) -> dict:
        return in_order(use.parameters)


class QuestionSerializer(serializers.ModelSerializer):
    """A question under the names that its file has."""

    id = serializers.CharField(source="key")
    input = serializers.CharField(source="input_text")
    output = serializers.CharField(source="reference")
    language = serializers.CharField(source="expected_language")
    variety = serializers.CharField(source="prompt.variety.tag")
    prompt_id = serializers.CharField(source="prompt.key")
    category = serializers.CharField(source="skill.name")
    held_back = serializers.BooleanField(source="is_held_back")
    rules = RuleUseSerializer(source="rule_uses", many=True)
    canary = serializers.UUIDField(source="question_set.canary")

    def to_representation(self, instance: Question) -> dict:
        # Not a declared field: `source` is an attribute of every field.
        return super().to_representation(instance) | {"source": instance.source.name if instance.source else ""}

    class Meta:
        model = Question
        fields = [
            "id",
            "prompt_id",
            "instruction",
            "input",
            "options",
            "output",
            "language",
            "variety",
            "category",
            "subcategory",
            "format",
            "cluster",
            "held_back",
            "rules",
            "metadata",
            "canary",
        ]


def with_all_parts(rows: QuerySet[Question]) -> QuerySet[Question]:
    """With what `QuestionSerializer` says of each."""
    of_one = rows.select_related("prompt__variety", "skill", "source", "question_set")
    return of_one.prefetch_related("rule_uses")


class QuestionSetList(ProjectView, ListAPIView):
    """Every version of the project's question sets."""

    serializer_class = QuestionSetSerializer
    pagination_class = ById
    queryset = QuestionSet.objects.none()

    def get_queryset(self) -> QuerySet[QuestionSet]:
        if getattr(self, "swagger_fake_view", False):
            return QuestionSet.objects.none()
        return listed(self.project)


class QuestionList(ProjectView, ListAPIView):
    """The questions of a version. Held-back ones are left out for everybody but leads."""

    serializer_class = QuestionSerializer
    pagination_class = ById
    queryset = Question.objects.none()

    def get_queryset(self) -> QuerySet[Question]:
        if getattr(self, "swagger_fake_view", False):
            return Question.objects.none()
        question_set = fetch_version(self.project, self.kwargs["question_set"], self.kwargs["version"])
        return with_all_parts(questions_for_viewer(question_set))


class ExposureSerializer(serializers.ModelSerializer):
    """Who was sent a question, for what; `laboratory` is null where nobody knows it."""

    laboratory = serializers.CharField(source="laboratory.slug", default=None)

    class Meta:
        model = Exposure
        fields = ["laboratory", "endpoint", "kind", "times", "first_at", "last_at"]


class SeenQuestionSerializer(serializers.ModelSerializer):
    """A question with all who have seen it; `retired` as the settings of the board have it."""

    id = serializers.CharField(source="key")
    held_back = serializers.BooleanField(source="is_held_back")
    laboratories = serializers.IntegerField()
    retired = serializers.SerializerMethodField()
    exposures = ExposureSerializer(source="prompt.exposures", many=True)

    class Meta:
        model = Question
        fields = ["id", "held_back", "laboratories", "retired", "exposures"]

    def get_retired(self, question: Question) -> bool:
        return is_retired(question, self.context["limit"])


class ExposureList(ProjectView, ListAPIView):
    """Which laboratories, by which endpoints, have seen each question of a version. For leads."""

    permission = "project.edit"
    serializer_class = SeenQuestionSerializer
    pagination_class = ById
    queryset = Question.objects.none()

    def get_serializer_context(self) -> dict[str, Any]:
        is_schema = getattr(self, "swagger_fake_view", False)
        return {**super().get_serializer_context(), "limit": None if is_schema else limit_of(self.project)}

    def get_queryset(self) -> QuerySet[Question]:
        if getattr(self, "swagger_fake_view", False):
            return Question.objects.none()
        question_set = fetch_version(self.project, self.kwargs["question_set"], self.kwargs["version"])
        rows = with_laboratories(question_set.questions.select_related("prompt"))
        return rows.prefetch_related("prompt__exposures__laboratory")


class ScoreSet(ProjectView):
    """Score the stored answers to a frozen version by the rules that ask nobody. A worker does it (202); a draft is
    refused (422). What is scored already is not scored again."""

    permission = "jobs.run"

    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        row = fetch_version(self.project, question_set, version)
        try:
            return accepted(begin_scoring(row, request.user), request)
        except Invalid as invalid:
            return refusal(invalid)


class FreezeSet(ProjectView):
    """Freeze a draft: nothing of it changes afterwards. A worker does it (202); a version that is frozen is refused
    (422). What stands in the way, each question by its key, is the problem of the job."""

    permission = "project.edit"

    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        row = fetch_version(self.project, question_set, version)
        if row.is_frozen:
            return refusal(Invalid(Problem("frozen_already", _("This version is frozen already."))))
        return accepted(begin_freezing(row, request.user), request)


class ExportOrder(serializers.Serializer):
    held_back = serializers.BooleanField(default=False, help_text="Held-back questions as well")


class ExportView(ProjectView):
    """What both exports share: `begin` is given a version and who asks, and returns the job (202), or raises `Invalid`
    where the version cannot be exported (422)."""

    permission = "project.edit"
    begin: Callable[..., Job]

    @extend_schema(request=ExportOrder, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        order = ExportOrder(data=request.data)
        order.is_valid(raise_exception=True)
        row = fetch_version(self.project, question_set, version)
        try:
            job = self.begin(row, request.user, with_held_back=order.validated_data["held_back"])
        except Invalid as invalid:
            return refusal(invalid)
        return accepted(job, request)


class ExportSet(ExportView):
    """Write a version to a file of JSON lines, which the job holds for a week (202)."""

    begin = staticmethod(begin_export)


class ExportAnswers(ExportView):
    """Write the answers to a version, with the scores of judges, to a file of JSON lines, which the job holds for a
    week (202). A draft is refused (422)."""

    begin = staticmethod(begin_answers_export)


class Unsolved(ProjectView):
    """The questions of a version that none of some configurations solves, with a sample to look at first. `models` are
    their short names, once for each; `threshold`, `sample` and `seed` as the command `screen_questions` has them."""

    permission = "project.edit"

    @extend_schema(
        parameters=[
            OpenApiParameter("models", OpenApiTypes.STR, many=True, required=True),
            OpenApiParameter("threshold", OpenApiTypes.FLOAT),
            OpenApiParameter("sample", OpenApiTypes.INT),
            OpenApiParameter("seed", OpenApiTypes.INT),
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        row = fetch_version(self.project, question_set, version)
        if is_large(row):
            return refusal(Invalid(Problem("too_many", too_many())))
        form = ScreeningForm(self.project, request.GET)
        if not form.is_valid():
            return refusal(Invalid(problems_of_form(form)))
        return Response(as_json(form.found(row)))
