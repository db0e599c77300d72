"""Audited acceptance, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from agreement.acceptance import BOUND
from annotation.acceptance.jobs import carry_out
from annotation.acceptance.requests import LEAST_BOUND, MAX_SEED, MOST_BOUND, as_told, draw_named, named
from annotation.acceptance.settling import ACTS, sources
from annotation.models import ProposalKind
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

MOST_LISTED = 100


class DrawSampleSerializer(serializers.Serializer):
    """`proposer` is the pseudonym of the judge, empty for the overlap rule. Without `size` the sample is as large as it
    takes for at most the share `bound` to be wrong, should none of it be."""

    kind = serializers.ChoiceField(ProposalKind.choices)
    proposer = serializers.CharField(required=False, allow_blank=True, default="", max_length=64)
    size = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    bound = serializers.FloatField(min_value=LEAST_BOUND, max_value=MOST_BOUND, default=BOUND)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, default=1)


class SettleSampleSerializer(serializers.Serializer):
    act = serializers.ChoiceField(ACTS)
    reason = serializers.CharField(max_length=10_000)


class OfSampleFigureSerializer(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)
    interval = serializers.CharField(allow_null=True)


class AcceptanceSerializer(serializers.Serializer):
    """A sample: `waiting` of it are undecided, `gone` wait no longer without a decision; `unseen` of the rest would be
    accepted, or were."""

    number = serializers.IntegerField()
    kind = serializers.CharField()
    proposer = serializers.CharField()
    state = serializers.CharField()
    seed = serializers.IntegerField()
    drawn = serializers.IntegerField()
    rest = serializers.IntegerField()
    decided = serializers.IntegerField()
    wrong = serializers.IntegerField()
    waiting = serializers.IntegerField()
    gone = serializers.IntegerField()
    unseen = serializers.IntegerField()
    accepted = serializers.IntegerField()
    error_rate = OfSampleFigureSerializer()
    implied_wrong = OfSampleFigureSerializer()
    reason = serializers.CharField()


class SettledAcceptanceSerializer(AcceptanceSerializer):
    job = serializers.CharField(allow_null=True)


class WaitingProposalsSerializer(serializers.Serializer):
    kind = serializers.CharField()
    proposer = serializers.CharField()
    waiting = serializers.IntegerField()


class AcceptancesSerializer(serializers.Serializer):
    """What waits, by who proposed it, and the last hundred samples."""

    waiting = WaitingProposalsSerializer(many=True)
    samples = AcceptanceSerializer(many=True)


class Acceptances(ProjectView):
    permission = "spans.refine"

    @extend_schema(responses=AcceptancesSerializer)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        """The proposals that wait for people, and the samples that were drawn of such."""
        waiting = [
            {
                "kind": source.kind.kind,
                "proposer": source.proposer.pseudonym if source.proposer else "",
                "waiting": source.waiting,
            }
            for source in sources(self.project)
        ]
        drawn = self.project.acceptances.select_related("project", "proposer")[:MOST_LISTED]
        return Response({"waiting": waiting, "samples": [as_told(one) for one in drawn]})

    @extend_schema(request=DrawSampleSerializer, responses={201: AcceptanceSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Draw a sample of what waits."""
        said = DrawSampleSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(said.validated_data)
        try:
            made = draw_named(self.project, request.user, **values)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(as_told(made), status=status.HTTP_201_CREATED)


class SettleAcceptance(ProjectView):
    permission = "spans.refine"

    @extend_schema(
        operation_id="projects_acceptances_settle",
        request=SettleSampleSerializer,
        responses=SettledAcceptanceSerializer,
    )
    def post(self, request: SignedInRequest, slug: str, number: int) -> Response:
        """Accept the rest unseen, leave it to be decided one by one, or take an acceptance back."""
        said = SettleSampleSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(said.validated_data)
        try:
            settled, job = carry_out(named(self.project, number), values["act"], values["reason"], request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(as_told(settled) | {"job": str(job.uuid) if job else None})
