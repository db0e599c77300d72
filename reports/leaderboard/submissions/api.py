"""Submissions, for programs: the open list, one's own, and moderating."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmark.models import Ban, Board, Submission
from benchmark.submissions import banning, spending
from benchmark.submissions.ending import MAX_REASON, fail, refuse, withdraw
from benchmark.submissions.listing import listed, with_position
from benchmark.submissions.months import month_of
from benchmark.submissions.submitting import submit
from judging.collecting.submitted import Terms, accept
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid
from reports.leaderboard.submissions.moderation import ACCEPT, BAN, FAIL, REFUSE
from reports.leaderboard.submissions.pages import fetch_own_submission, fetch_with_submissions


class SubmissionSerializer(serializers.ModelSerializer):
    """A submission as everybody reads it. `position` is its place in the queue; null once it waits no more."""

    id = serializers.UUIDField(source="uuid")
    laboratory = serializers.CharField(source="laboratory.name")
    position = serializers.IntegerField(allow_null=True)

    class Meta:
        model = Submission
        fields = ["id", "name", "laboratory", "month", "state", "position", "reason", "submitted_at", "ended_at"]


class ModeratedSerializer(SubmissionSerializer):
    """The same for those who moderate, with all that was said of the model."""

    account = serializers.CharField(source="account.email")

    class Meta(SubmissionSerializer.Meta):
        fields = [*SubmissionSerializer.Meta.fields, "account", "card", "run", "decided_at"]


class NewSubmissionSerializer(serializers.Serializer):
    """A model and how it is to be run. `id` is made by the sender: sent again, it is the same submission."""

    id = serializers.UUIDField(required=False)
    name = serializers.CharField()
    access = serializers.ChoiceField(["api", "open"])
    how = serializers.ChoiceField(["endpoint", "weights"])
    parameters_total = serializers.FloatField(required=False, allow_null=True)
    parameters_active = serializers.FloatField(required=False, allow_null=True)
    licence = serializers.CharField(required=False, allow_blank=True)
    context_tokens = serializers.IntegerField(required=False, allow_null=True)
    link = serializers.CharField(required=False, allow_blank=True)
    declared_overlap = serializers.CharField(required=False, allow_blank=True)
    address = serializers.CharField(required=False, allow_blank=True)
    model = serializers.CharField(required=False, allow_blank=True)
    needs_key = serializers.BooleanField(required=False)
    instructions = serializers.CharField(required=False, allow_blank=True)
    revision = serializers.CharField(required=False, allow_blank=True)
    precision = serializers.CharField(required=False, allow_blank=True)
    system_prompt = serializers.CharField(required=False, allow_blank=True)
    temperature = serializers.FloatField(required=False, allow_null=True)
    top_p = serializers.FloatField(required=False, allow_null=True)
    seed = serializers.IntegerField(required=False, allow_null=True)
    thinking_effort = serializers.CharField(required=False, allow_blank=True)
    token_limit = serializers.IntegerField(required=False, allow_null=True)


class SubmissionDecisionSerializer(serializers.Serializer):
    """`accept` takes limits in billionths of a US dollar and in tokens, and prices of a million tokens (0 where
    whoever submitted pays), which are needed where money is limited; the others take a reason."""

    act = serializers.ChoiceField([ACCEPT, REFUSE, FAIL, BAN])
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_REASON)
    money_limit = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    token_limit = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=1)
    input_price = serializers.DecimalField(12, 6, required=False, allow_null=True, default=None, min_value=0)
    output_price = serializers.DecimalField(12, 6, required=False, allow_null=True, default=None, min_value=0)


class BoardSubmissions(ListAPIView):
    """All submissions of an open board, without an account. POST submits a model, once a calendar month (UTC)."""

    serializer_class = SubmissionSerializer
    pagination_class = ById
    queryset = Submission.objects.none()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in ("GET", "HEAD", "OPTIONS") else IsAuthenticated()]

    def get_queryset(self) -> QuerySet[Submission]:
        if getattr(self, "swagger_fake_view", False):
            return Submission.objects.none()
        return listed(fetch_with_submissions(self.kwargs["board"])).order_by()

    @extend_schema(request=NewSubmissionSerializer, responses={201: SubmissionSerializer})
    def post(self, request: SignedInRequest, board: str) -> Response:
        opened = fetch_with_submissions(board)
        said = NewSubmissionSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        refuse_what_would_be_lost(request.data if isinstance(request.data, dict) else {})
        content: dict[str, Any] = dict(said.validated_data)
        uuid = content.pop("id", None)
        try:
            row = submit(opened, request.user, content, uuid=uuid)
        except Invalid as refused:
            return refusal(refused)
        return Response(shown(row), status=status.HTTP_201_CREATED)


def refuse_what_would_be_lost(values: Mapping[str, Any]) -> None:
    """A submission counts for its month whatever it says: a field that is misspelled, or true where a number is meant,
    is refused and not left out."""
    known = NewSubmissionSerializer().fields
    faults = {str(name): [_("There is no such field.")] for name in values if name not in known}
    for name, value in values.items():
        if isinstance(value, bool) and isinstance(known.get(name), serializers.FloatField):
            faults[name] = [_("A number is expected.")]
    if faults:
        raise serializers.ValidationError(faults)


def shown(row: Submission) -> Any:
    return SubmissionSerializer(with_position(Submission.objects.select_related("laboratory")).get(pk=row.pk)).data


class WithdrawSubmission(APIView):
    """Take one's own submission back: it stays listed and counts for its month."""

    @extend_schema(request=None, responses={200: SubmissionSerializer})
    def post(self, request: SignedInRequest, board: str, uuid: UUID) -> Response:
        row = fetch_own_submission(request.user, board, uuid)
        try:
            withdraw(row, request.user)
        except Invalid as refused:
            return refusal(refused)
        return Response(shown(row))


class ModeratedSubmissions(ProjectView, ListAPIView):
    """All submissions to the project's board, with what was said of the models."""

    permission = "project.edit"
    serializer_class = ModeratedSerializer
    pagination_class = ById
    queryset = Submission.objects.none()

    def get_queryset(self) -> QuerySet[Submission]:
        if getattr(self, "swagger_fake_view", False):
            return Submission.objects.none()
        rows = Submission.objects.filter(board__project=self.project).select_related("laboratory", "account")
        return with_position(rows).order_by()


class ModerateSubmission(ProjectView):
    """Accept, refuse or end a submission, or ban its account."""

    permission = "project.edit"

    @extend_schema(request=SubmissionDecisionSerializer, responses={200: ModeratedSerializer})
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        board = get_object_or_404(Board.objects.select_related("project"), project=self.project)
        row = get_object_or_404(board.submissions.select_related("laboratory", "account", "configuration"), uuid=uuid)
        row.board = board
        decision = SubmissionDecisionSerializer(data=request.data)
        decision.is_valid(raise_exception=True)
        try:
            self.decide(row, request, decision.validated_data)
        except Invalid as refused:
            return refusal(refused)
        rows = with_position(Submission.objects.select_related("laboratory", "account"))
        return Response(ModeratedSerializer(rows.get(pk=row.pk)).data)

    def decide(self, row: Submission, request: SignedInRequest | Request, said: dict[str, Any]) -> None:
        by: Any = request.user
        if said["act"] == ACCEPT:
            fields = ("money_limit", "token_limit", "input_price", "output_price")
            accept(row, by, Terms(**{field: said[field] for field in fields}))
        elif said["act"] == BAN:
            banning.ban(row.board, row.account, by, said["reason"])
        else:
            {REFUSE: refuse, FAIL: fail}[said["act"]](row, by, said["reason"])


class MonthSerializer(serializers.Serializer):
    """`month` is a calendar month in UTC as 2026-11; left out it is this one."""

    month = serializers.RegexField(r"^[0-9]{4}-(0[1-9]|1[0-2])$", required=False)


class SpendingSerializer(serializers.Serializer):
    """Pairs of money, in billionths of a US dollar, and tokens. `committed` counts for those that still run what they
    may cost at most; `judging` is the part of both that judges have cost. Null, of a limit: there is none."""

    month = serializers.CharField()
    spent = serializers.ListField(child=serializers.IntegerField())
    committed = serializers.ListField(child=serializers.IntegerField())
    judging = serializers.ListField(child=serializers.IntegerField())
    limit = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    left = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    is_used_up = serializers.BooleanField()


class MonthsSpending(ProjectView):
    """What the submissions of a month have cost, and what is left of its budget."""

    permission = "project.edit"

    @extend_schema(parameters=[MonthSerializer], responses=SpendingSerializer)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        board = get_object_or_404(Board, project=self.project)
        asked = MonthSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        month = asked.validated_data.get("month") or month_of(timezone.now())
        found = spending.spending_of(board, month)
        return Response(
            {
                "month": month,
                **found._asdict(),
                "limit": [board.submission_money, board.submission_tokens],
                "left": list(spending.left(board, month)),
                "is_used_up": spending.is_used_up(board, month),
            }
        )


class BanSerializer(serializers.ModelSerializer):
    """An account that may not submit, and why; with `lifted_at` it may again."""

    account = serializers.CharField(source="user.email")
    banned_by = serializers.CharField(source="banned_by.name", default=None)

    class Meta:
        model = Ban
        fields = ["id", "account", "reason", "banned_by", "banned_at", "lifted_at"]


class Bans(ProjectView, ListAPIView):
    """Every ban of the project's board, lifted ones among them. Banning is an act of moderating a submission."""

    permission = "project.edit"
    serializer_class = BanSerializer
    pagination_class = ById
    queryset = Ban.objects.none()

    def get_queryset(self) -> QuerySet[Ban]:
        if getattr(self, "swagger_fake_view", False):
            return Ban.objects.none()
        return Ban.objects.filter(board__project=self.project).select_related("user", "banned_by")


class LiftBan(ProjectView):
    """Let a banned account submit again; refused (422) where the ban is lifted already."""

    permission = "project.edit"

    @extend_schema(request=None, responses=BanSerializer)
    def post(self, request: SignedInRequest, slug: str, ban: int) -> Response:
        rows = Ban.objects.filter(board__project=self.project).select_related("user", "banned_by", "board__project")
        row = get_object_or_404(rows, pk=ban)
        try:
            banning.lift(row, request.user)
        except Invalid as refused:
            return refusal(refused)
        return Response(BanSerializer(rows.get(pk=row.pk)).data)
