"""Until when the work of a stage is to be done, for programs: read and changed as on the stage's page."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from formats.kinds import LOCAL_MINUTE, local_minute
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid
from workflow.access import fetch_stage
from workflow.due_dates import as_said, change_due


class DueSerializer(serializers.Serializer):
    """`due` is a date and time such as 2026-11-30 18:00 as the clocks of `zone` show it (UTC where none is said), or
    null; with `closes`, no items are handed out from then on."""

    due = serializers.CharField(allow_null=True)
    zone = serializers.CharField(required=False, allow_blank=True, max_length=64)
    closes = serializers.BooleanField(required=False, default=False)

    def validate_due(self, value: str | None) -> str | None:
        if value is not None and (fault := LOCAL_MINUTE.check(value)):
            raise serializers.ValidationError(fault[1], fault[0])
        return value


class StageDueDetail(ProjectView):
    """Until when the work of a stage is to be done. PUT sets another date, or none; refused (422) by the same rules as
    on the page. The same PUT twice changes nothing the second time."""

    permission = "project.edit"

    @extend_schema(responses=DueSerializer)
    def get(self, request: SignedInRequest, slug: str, stage: int) -> Response:
        return Response(as_said(fetch_stage(self.project, stage)))

    @extend_schema(request=DueSerializer, responses=DueSerializer)
    def put(self, request: SignedInRequest, slug: str, stage: int) -> Response:
        chosen = fetch_stage(self.project, stage)
        said = DueSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        due = local_minute(said.validated_data["due"])
        try:
            change_due(chosen, due, said.validated_data.get("zone", ""), said.validated_data["closes"], request.user)
        except Invalid as refused:
            return refusal(refused)
        return Response(as_said(chosen))
