"""The rules of a stage's answers, for programs: read and changed as on the stage's page."""

from hashlib import sha256
from typing import Any

import orjson
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from formats.project_file.part import Findings
from projects.api.access import ProjectView, SignedInRequest
from projects.api.conditions import seen_by, tagged
from projects.api.refusals import refusal
from projects.problems import Invalid, Problem
from workflow.access import fetch_stage
from workflow.answer_rules import change_rules, own_rules, rules_of
from workflow.models import Stage
from workflow.task_types import task_type
from workflow.written_rules import checked_rules


class StageRulesSerializer(serializers.Serializer):
    """A list of rules as the project file has it; `version` is their number, 1 where the stage goes by those of its
    kind."""

    stage = serializers.CharField(read_only=True)
    kind = serializers.CharField(read_only=True)
    version = serializers.IntegerField(read_only=True)
    rules = serializers.ListField(child=serializers.DictField())


class StageRulesDetail(ProjectView):
    """What answers of a stage must hold. PUT holds them to another list from now on, as a next version once answers
    rest on the one that stands; refused (422) by the same rules as on the page, and where `If-Match` is not the `ETag`
    that stands by now."""

    permission = "project.edit"

    @extend_schema(responses=StageRulesSerializer)
    def get(self, request: SignedInRequest, slug: str, stage: int) -> Response:
        return shown(self.stage_of(stage))

    @extend_schema(request=StageRulesSerializer, responses=StageRulesSerializer)
    def put(self, request: SignedInRequest, slug: str, stage: int) -> Response:
        chosen = self.stage_of(stage)
        said = StageRulesSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        try:
            with transaction.atomic():
                Stage.objects.select_for_update().get(pk=chosen.pk)
                refuse_unseen(chosen, seen_by(request))
                rules = checked_rules(chosen, said.validated_data["rules"], Findings())
                change_rules(chosen, rules, request.user)
        except Invalid as refused:
            return refusal(refused)
        return shown(chosen)

    def stage_of(self, pk: int) -> Stage:
        """Raises Http404 for a stage of a kind that takes no rules, too."""
        stage = fetch_stage(self.project, pk)
        if task_type(stage.kind).default_rules is None:
            raise Http404
        return stage


def refuse_unseen(stage: Stage, seen: str) -> None:
    if seen and seen != fingerprint(told(stage)):
        message = _("Somebody changed the rules meanwhile. Nothing was changed; read them again.")
        raise Invalid(Problem("conflict", message, "rules"))


def told(stage: Stage) -> dict[str, Any]:
    version = own_rules(stage)
    number = version.number if version else 1
    return {"stage": stage.name, "kind": stage.kind, "version": number, "rules": rules_of(stage)}


def fingerprint(rules: dict[str, Any]) -> str:
    return sha256(orjson.dumps(rules)).hexdigest()[:32]


def shown(stage: Stage) -> Response:
    rules = told(stage)
    return tagged(Response(rules), fingerprint(rules))
