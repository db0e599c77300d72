"""Question sets and their questions, for programs."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.access import questions_for_viewer, sees_held_back
from benchmark.errata import report
from benchmark.exporting import in_order
from benchmark.listing import listed
from benchmark.models import Erratum, Fault, Question, QuestionSet, RuleUse
from benchmark.scoring_jobs import begin_scoring
from formats.limits import MAX_COMMENT
from jobs.api.jobs import JobSerializer, accepted
from projects.api.access import ProjectView
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid
from projects.requests import SignedInRequest


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
        of_url = {"slug": self.kwargs["question_set"], "version": self.kwargs["version"]}
        question_set = get_object_or_404(self.project.question_sets, **of_url)
        question_set.project = self.project
        rows = questions_for_viewer(question_set).select_related("prompt__variety", "skill", "source", "question_set")
        return rows.prefetch_related("rule_uses")


class ErratumSerializer(serializers.ModelSerializer):
    """A fault that was reported, and what was decided about it."""

    id = serializers.UUIDField(source="uuid")
    question_set = serializers.CharField(source="question.question_set.slug")
    version = serializers.IntegerField(source="question.question_set.version")
    question = serializers.CharField(source="question.key")
    mended_in = serializers.IntegerField(source="mended_in.version", default=None)

    class Meta:
        model = Erratum
        fields = [
            "id",
            "question_set",
            "version",
            "question",
            "fault",
            "words",
            "reported_at",
            "state",
            "decision",
            "corrected_instruction",
            "corrected_input",
            "corrected_reference",
            "reason",
            "decided_at",
            "mended_in",
        ]


class NewErratumSerializer(serializers.Serializer):
    """What is wrong with a question of a frozen version; `question` is its id in the set."""

    question_set = serializers.SlugField()
    version = serializers.IntegerField(min_value=1)
    question = serializers.CharField()
    fault = serializers.ChoiceField(Fault.choices)
    words = serializers.CharField(max_length=MAX_COMMENT)


class ErratumList(ProjectView, ListAPIView):
    """Reported faults: all of them for leads, one's own for others. POST reports one."""

    serializer_class = ErratumSerializer
    pagination_class = ById
    queryset = Erratum.objects.none()

    def get_queryset(self) -> QuerySet[Erratum]:
        if getattr(self, "swagger_fake_view", False):
            return Erratum.objects.none()
        rows = self.project.errata.select_related("question__question_set", "mended_in")
        return rows if sees_held_back(self.project) else rows.filter(reported_by=self.request.user)

    @extend_schema(request=NewErratumSerializer, responses={201: ErratumSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        serializer = NewErratumSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said = serializer.validated_data
        of_set = {"slug": said["question_set"], "version": said["version"]}
        question_set = get_object_or_404(self.project.question_sets, **of_set)
        question_set.project = self.project
        question = get_object_or_404(questions_for_viewer(question_set), key=said["question"])
        question.question_set = question_set
        try:
            erratum = report(question, request.user, fault=said["fault"], words=said["words"])
        except Invalid as invalid:
            return refusal(invalid)
        return Response(ErratumSerializer(erratum).data, status=status.HTTP_201_CREATED)


class ScoreSet(ProjectView):
    """Score the stored answers to a frozen version by the rules that ask nobody. A worker does it (202); a draft is
    refused (422). What is scored already is not scored again."""

    permission = "jobs.run"

    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        row = get_object_or_404(self.project.question_sets, slug=question_set, version=version)
        try:
            return accepted(begin_scoring(row, request.user), request)
        except Invalid as invalid:
            return refusal(invalid)
