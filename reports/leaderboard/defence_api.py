"""Flags and probes of a board, for programs. Leads alone: replies may hold what is held back."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.models import Flag, Probe, ProbeKind
from benchmark.probing import deciding
from benchmark.probing.asking import QUESTIONS
from formats.limits import MAX_COMMENT
from jobs.api.jobs import JobSerializer, accepted
from judging.probing.beginning import MOST_SEED, Wanted, begin_probing, board_models
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid


class FlagSerializer(serializers.ModelSerializer):
    """What was found of a model's answers to a version, with what it rests on, and the lead's decision."""

    configuration = serializers.CharField(source="configuration.slug")
    question_set = serializers.CharField(source="question_set.slug")
    version = serializers.IntegerField(source="question_set.version")
    standing = serializers.CharField(source="configuration.standing")

    class Meta:
        model = Flag
        fields = [
            *("id", "configuration", "question_set", "version", "kind", "is_note", "detail", "found_at"),
            *("is_cleared", "decided_at", "reason", "standing"),
        ]


class FlagList(ProjectView, ListAPIView):
    permission = "project.edit"
    serializer_class = FlagSerializer
    pagination_class = ById
    queryset = Flag.objects.none()

    def get_queryset(self) -> QuerySet[Flag]:
        if getattr(self, "swagger_fake_view", False):
            return Flag.objects.none()
        rows = Flag.objects.filter(question_set__project=self.project)
        return rows.select_related("configuration", "question_set")


class FlagDecisionSerializer(serializers.Serializer):
    """It stands (`confirm`), it stands and its model is ranked all the same (`rank`), or it is cleared; and why."""

    decision = serializers.ChoiceField(deciding.DECISIONS)
    reason = serializers.CharField(max_length=MAX_COMMENT)


class DecideFlag(ProjectView):
    """Decide about a flag; a later decision takes the place of an earlier one."""

    permission = "project.edit"

    @extend_schema(request=FlagDecisionSerializer, responses=FlagSerializer)
    def post(self, request: SignedInRequest, slug: str, flag: int) -> Response:
        row = get_object_or_404(Flag, pk=flag, question_set__project=self.project)
        serializer = FlagDecisionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said = serializer.validated_data
        try:
            deciding.decide(row, request.user, said["decision"], said["reason"])
        except Invalid as invalid:
            return refusal(invalid)
        # Its configuration may have moved with it.
        decided = Flag.objects.select_related("configuration", "question_set").get(pk=row.pk)
        return Response(FlagSerializer(decided).data)


class ProbeSerializer(serializers.ModelSerializer):
    """A pass of a probe. Cost in billionths of a US dollar; `figure` as docs/contamination.md says."""

    configuration = serializers.CharField(source="configuration.slug")
    question_set = serializers.CharField(source="question_set.slug")
    version = serializers.IntegerField(source="question_set.version")

    class Meta:
        model = Probe
        fields = [
            *("id", "configuration", "question_set", "version", "kind", "seed", "options", "cost", "tokens"),
            *("began_at", "ended_at", "figure"),
        ]


class NewProbesSerializer(serializers.Serializer):
    """Probes to begin; without `configurations` of all models of the board."""

    question_set = serializers.SlugField()
    version = serializers.IntegerField(min_value=1)
    configurations = serializers.ListField(child=serializers.SlugField(), default=list)
    kinds = serializers.ListField(child=serializers.ChoiceField(ProbeKind.choices), default=list)
    questions = serializers.IntegerField(min_value=1, default=QUESTIONS)
    seed = serializers.IntegerField(min_value=0, max_value=MOST_SEED, default=0)
    clean = serializers.ListField(child=serializers.SlugField(), default=list)
    paraphraser = serializers.CharField(default="", allow_blank=True)
    money_limit = serializers.IntegerField(min_value=1, default=None, allow_null=True)
    token_limit = serializers.IntegerField(min_value=1, default=None, allow_null=True)


class ProbeList(ProjectView, ListAPIView):
    """The passes of probes. POST begins some (202)."""

    permission = "judges.run"
    serializer_class = ProbeSerializer
    pagination_class = ById
    queryset = Probe.objects.none()

    def get_queryset(self) -> QuerySet[Probe]:
        if getattr(self, "swagger_fake_view", False):
            return Probe.objects.none()
        rows = Probe.objects.filter(question_set__project=self.project)
        return rows.select_related("configuration", "question_set")

    @extend_schema(request=NewProbesSerializer, responses={202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        serializer = NewProbesSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said: dict[str, Any] = dict(serializer.validated_data)
        of_set = {"slug": said.pop("question_set"), "version": said.pop("version")}
        question_set = get_object_or_404(self.project.question_sets, **of_set)
        named = said.pop("configurations")
        models = {row.slug: row for row in board_models(question_set)}
        for field, slugs in (("configurations", named), ("clean", said["clean"])):
            if unknown := sorted(set(slugs) - set(models)):
                message = _("No model of the board has this id: %(ids)s. Nothing was begun.")
                raise serializers.ValidationError({field: [message % {"ids": ", ".join(unknown)}]})
        rows = [row for slug, row in models.items() if not named or slug in named]
        wanted = Wanted(**said | {"kinds": tuple(said["kinds"] or ProbeKind.values), "clean": tuple(said["clean"])})
        try:
            return accepted(begin_probing(question_set, rows, wanted, request.user), request)
        except Invalid as invalid:
            return refusal(invalid)
