"""Errata, for programs."""

import uuid

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.access import errata_for_viewer, questions_for_viewer
from benchmark.errata import REJECT, accept, reject, report
from benchmark.models import Decision, Erratum, Fault
from benchmark.wording import FIELDS
from formats.limits import MAX_COMMENT
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid


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
        rows = errata_for_viewer(self.project, self.request.user)
        return rows.select_related("question__question_set", "mended_in")

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
        except Invalid as refused:
            return refusal(refused)
        return Response(ErratumSerializer(erratum).data, status=status.HTTP_201_CREATED)


class ErratumDecisionSerializer(serializers.Serializer):
    """Accepted with a corrected wording (`repair`) or by leaving the question out (`drop`), or rejected with a reason.
    A part of the wording that is left out stays as it is."""

    decision = serializers.ChoiceField([Decision.REPAIR.value, Decision.DROP.value, REJECT])
    instruction = serializers.CharField(required=False, trim_whitespace=False)
    input = serializers.CharField(required=False, trim_whitespace=False)
    reference = serializers.CharField(required=False, trim_whitespace=False)
    reason = serializers.CharField(required=False, max_length=MAX_COMMENT)


class DecideErratum(ProjectView):
    """Decide about a reported fault, once; the next version has what was accepted."""

    permission = "project.edit"

    @extend_schema(request=ErratumDecisionSerializer, responses=ErratumSerializer)
    def post(self, request: SignedInRequest, slug: str, erratum: uuid.UUID) -> Response:
        rows = self.project.errata.select_related("question__question_set", "question__prompt__variety")
        row = get_object_or_404(rows, uuid=erratum)
        serializer = ErratumDecisionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said = serializer.validated_data
        reason = said.get("reason", "")
        try:
            if said["decision"] == REJECT:
                decided = reject(row, request.user, reason)
            else:
                wording = {part: said[part] for part in FIELDS if part in said}
                decided = accept(row, request.user, decision=said["decision"], wording=wording, reason=reason)
        except Invalid as refused:
            return refusal(refused)
        return Response(ErratumSerializer(decided).data)
