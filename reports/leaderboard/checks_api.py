"""The checks of a question set, for programs: what checkers said, what was decided about it, and deciding. Leads alone:
held-back questions are among them."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from benchmark.access import fetch_version
from benchmark.editing import drop, fingerprint, keep, repair
from benchmark.editing_api import WordingSerializer, question_of
from benchmark.models import Decision, Fault, Question, QuestionCheck, QuestionRevision, QuestionSet
from benchmark.question_check.agreement import agreement_of, rounds_of, said_of_set
from benchmark.question_check.deciding import keep_agreed, wording_of
from benchmark.wording import FIELDS
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid
from reports.leaderboard.checks import DECIDED, DIFFER, OPEN, Line, lines_of, narrowed


class CheckSerializer(serializers.ModelSerializer):
    """What one checker said; texts are the new wording of a repair, empty where a part stays."""

    rater = serializers.CharField(source="rater.pseudonym")
    instruction = serializers.CharField(source="repaired_instruction")
    input = serializers.CharField(source="repaired_input")
    reference = serializers.CharField(source="repaired_reference")
    checked_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = QuestionCheck
        fields = [
            *("id", "rater", "round", "answer", "decision", "fault", "is_aligned"),
            *("instruction", "input", "reference", "note", "checked_at"),
        ]


class RevisionSerializer(serializers.ModelSerializer):
    """What was decided about a question, with its texts before and after; `after` is empty where it was dropped."""

    question = serializers.CharField(source="key")
    decided_by = serializers.CharField(source="decided_by.name", default=None)
    canary = serializers.UUIDField(source="question_set.canary")

    class Meta:
        model = QuestionRevision
        fields = [
            *("id", "question", "round", "decision", "before", "after", "checks", "decided_by", "decided_at", "canary")
        ]


class CheckedSerializer(serializers.Serializer):
    """A question with the checks of its latest round. `seen` names its wording to whoever decides; `decided` is the
    last decision, which `is_decided` says to be about this round."""

    id = serializers.CharField(source="question.key")
    held_back = serializers.BooleanField(source="question.is_held_back")
    instruction = serializers.CharField(source="question.instruction")
    input = serializers.CharField(source="question.input_text")
    reference = serializers.CharField(source="question.reference")
    seen = serializers.SerializerMethodField()
    round = serializers.IntegerField(source="question.last_round")
    is_decided = serializers.BooleanField(source="question.is_decided")
    decided = serializers.CharField(source="revision.decision", default=None)
    checks = CheckSerializer(many=True)
    canary = serializers.UUIDField(source="question.question_set.canary")

    def get_seen(self, line: Line) -> str:
        return fingerprint(line.question)


class CheckFilter(serializers.Serializer):
    state = serializers.ChoiceField([OPEN, DIFFER, DECIDED], required=False)
    decision = serializers.ChoiceField(Decision.choices, required=False)
    fault = serializers.ChoiceField(Fault.choices, required=False)


class OfVersion(ProjectView):
    permission = "project.edit"

    @cached_property
    def version(self) -> QuestionSet:
        return fetch_version(self.project, self.kwargs["question_set"], self.kwargs["version"])


class CheckList(OfVersion, ListAPIView):
    """The questions that were checked, each with what checkers of its latest round said."""

    serializer_class = CheckedSerializer
    pagination_class = ById
    queryset = Question.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        if getattr(self, "swagger_fake_view", False):
            return Question.objects.none()
        asked = CheckFilter(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        in_order = Prefetch("checks", QuestionCheck.objects.select_related("rater").order_by("round", "pk"))
        rows = narrowed(self.version, dict(asked.validated_data))
        return rows.select_related("question_set").prefetch_related(in_order)

    @extend_schema(parameters=[CheckFilter])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        rows = list(self.paginate_queryset(self.get_queryset()) or [])
        lines = lines_of(self.version, rows)
        return self.get_paginated_response(CheckedSerializer(lines, many=True).data)


class Rounds(OfVersion):
    """Round by round: what was checked, kept, repaired and dropped, and which faults were named; and how far checkers
    agree (docs/question-sets.md)."""

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        row = self.version
        said = said_of_set(row)
        agreement = agreement_of(said)
        rounds = [
            {
                "round": each.number,
                "questions": each.questions,
                "checks": each.checks,
                "decided": each.decided,
                "faults": each.faults,
            }
            for each in rounds_of(row, said)
        ]
        names = ("same", "decision", "aligned")
        return Response({"agreement": {name: getattr(agreement, name).as_json() for name in names}, "rounds": rounds})


class CheckDecisionSerializer(WordingSerializer):
    """What becomes of a question, by its id. `repair` takes over the wording of a `check`, by its id, or the texts that
    are sent, which go first. `seen`, as the list gives it: refused where the question is worded otherwise by now."""

    decision = serializers.ChoiceField(Decision.choices)
    check = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    def validate(self, said: dict[str, Any]) -> dict[str, Any]:
        """A wording that would be lost is refused."""
        lost = [name for name in ("check", *FIELDS) if name in said] if said["decision"] != Decision.REPAIR else []
        if lost:
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in lost})
        return said


class DecideCheck(OfVersion):
    """Keep, repair or drop a question of a draft, whatever its checkers said. Said again, a question that is kept stays
    as it is; refused (422) where the version is frozen, nothing is worded otherwise, or a rule could not score it."""

    @extend_schema(request=CheckDecisionSerializer, responses=RevisionSerializer)
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        serializer = CheckDecisionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        said = serializer.validated_data
        row = question_of(self.project, question_set, version, said["question"])
        seen = said.get("seen", "")
        acts: dict[str, Callable[[], object]] = {
            Decision.KEEP: lambda: keep(row, request.user, seen),
            Decision.DROP: lambda: drop(row, request.user, seen),
            Decision.REPAIR: lambda: repair(row, **self.wording(row, said), actor=request.user, seen=seen),
        }
        key, of_set = row.key, row.question_set
        try:
            acts[said["decision"]]()
        except Invalid as invalid:
            return refusal(invalid)
        revision = of_set.revisions.select_related("decided_by", "question_set").filter(key=key).latest("pk")
        return Response(RevisionSerializer(revision).data)

    def wording(self, row: Question, said: dict[str, Any]) -> dict[str, Any]:
        """The texts of the check, those that were sent in their place. Http404 for a check of another question."""
        of_check = wording_of(get_object_or_404(row.checks, pk=said["check"])) if "check" in said else {}
        return of_check | {field: said[part] for part, field in FIELDS.items() if part in said}


class KeptSerializer(serializers.Serializer):
    kept = serializers.IntegerField(help_text="How many questions are kept by it")


class KeepAgreed(OfVersion):
    """Keep all undecided questions that two checkers or more of the latest round keep, and none would change."""

    @extend_schema(request=None, responses=KeptSerializer)
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int) -> Response:
        return Response({"kept": keep_agreed(self.version, request.user)})


class ChangeFilter(serializers.Serializer):
    decision = serializers.ChoiceField(Decision.choices, required=False)


class ChangeList(OfVersion, ListAPIView):
    """What was decided about the questions of a version while it was a draft, the old words beside the new."""

    serializer_class = RevisionSerializer
    pagination_class = ById
    queryset = QuestionRevision.objects.none()

    def get_queryset(self) -> QuerySet[QuestionRevision]:
        if getattr(self, "swagger_fake_view", False):
            return QuestionRevision.objects.none()
        asked = ChangeFilter(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        rows = self.version.revisions.filter(**asked.validated_data)
        return rows.select_related("decided_by", "question_set").order_by()

    @extend_schema(parameters=[ChangeFilter])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)
