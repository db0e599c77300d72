"""Panels of a project, for programs."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.ensembles.summaries import PanelSummary, summaries
from projects.api.access import ProjectView


class MemberSerializer(serializers.Serializer):
    """A judge of a panel. `weight` is null where the rule weighs nobody, or there is no gold to weigh it by."""

    judge = serializers.CharField(source="rater.name")
    pseudonym = serializers.CharField(source="rater.pseudonym")
    model = serializers.CharField(source="rater.model")
    laboratory = serializers.CharField(source="rater.laboratory.slug", default=None)
    weight = serializers.FloatField(allow_null=True)
    weighed_on = serializers.IntegerField(allow_null=True)


class PanelSerializer(serializers.Serializer):
    """A panel with its members and what its last assembly came to."""

    id = serializers.IntegerField(source="panel.pk")
    panel = serializers.CharField(source="panel.rater.name")
    pseudonym = serializers.CharField(source="panel.rater.pseudonym")
    kind = serializers.CharField(source="panel.kind")
    rule = serializers.CharField(source="panel.rule")
    least_members = serializers.IntegerField(source="panel.least_members")
    seed = serializers.IntegerField(source="panel.seed")
    members = MemberSerializer(many=True)
    assembled_at = serializers.DateTimeField(source="panel.assembled_at", allow_null=True)
    is_out_of_date = serializers.BooleanField()
    answers = serializers.IntegerField()
    ties = serializers.IntegerField()
    too_few = serializers.IntegerField()
    not_ready = serializers.IntegerField()

    def to_representation(self, instance: PanelSummary) -> dict[str, Any]:
        return super().to_representation(instance)


class PanelList(ProjectView, APIView):
    """The panels of a project by name."""

    permission = "judges.run"

    @extend_schema(responses=PanelSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(PanelSerializer(summaries(self.project), many=True).data)
