"""Run sets, for programs: several judges and replicates over chosen responses, in one budget."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.api.runs import PURPOSE, Newest, RunSerializer, counts_json, plan_json
from judging.engine import run_sets
from judging.engine.choice import Choice
from judging.engine.estimates import Range
from judging.engine.run_sets import MAX_REPLICATES, PlannedRun, SetPlan
from judging.engine.summaries import Progress, SetProgress, set_progress
from judging.models import Judge, Purpose, RunSet
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.models import Split, User
from projects.problems import Invalid
from providers.prices import in_billionths, in_dollars

NAMES: dict[str, Any] = {"required": False, "max_length": 1000}
MONEY: dict[str, Any] = {"max_digits": 18, "decimal_places": 9}
MAX_TOKENS = 2**53


def amount(billionths: int | None) -> str | None:
    """US dollars as a decimal text: no figure of money is ever a binary fraction."""
    return None if billionths is None else format(in_dollars(billionths).normalize(), "f")


class ChoiceSerializer(serializers.Serializer):
    """Which responses; what is left out stands for all."""

    varieties = serializers.ListField(child=serializers.CharField(max_length=35), **NAMES)
    target_models = serializers.ListField(child=serializers.CharField(max_length=200), **NAMES)
    domains = serializers.ListField(child=serializers.CharField(max_length=80), **NAMES)
    split = serializers.ChoiceField(choices=Split.choices, required=False, help_text="side of the split of prompts")
    search = serializers.CharField(max_length=200, required=False, help_text="what the response's id contains")
    sample = serializers.IntegerField(min_value=1, required=False, help_text="so many of them, drawn by the seed")
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class LimitsSerializer(serializers.Serializer):
    """Of what a run set may spend; null is no limit."""

    money_limit = serializers.DecimalField(**MONEY, required=False, allow_null=True, help_text="US dollars")
    token_limit = serializers.IntegerField(min_value=1, max_value=MAX_TOKENS, required=False, allow_null=True)

    def validate_money_limit(self, dollars: Decimal | None) -> int | None:
        return None if dollars is None else in_billionths(dollars)


class NewRunSetSerializer(LimitsSerializer):
    """`plan_only` answers with what would be asked and what that costs, and asks nothing."""

    judges = serializers.ListField(child=serializers.CharField(max_length=120), min_length=1, max_length=100)
    items = ChoiceSerializer(required=False)
    replicates = serializers.IntegerField(min_value=1, max_value=MAX_REPLICATES, default=1)
    first_round = serializers.IntegerField(min_value=1, max_value=100, default=1)
    purpose = serializers.ChoiceField(choices=Purpose.choices, required=False, help_text=PURPOSE)
    plan_only = serializers.BooleanField(default=False)


class RunSetSerializer(serializers.ModelSerializer):
    """A run set with its budget, in US dollars and tokens. What is reserved is set aside for calls under way."""

    money_limit = serializers.SerializerMethodField()
    money_spent = serializers.SerializerMethodField()
    money_reserved = serializers.SerializerMethodField()

    class Meta:
        model = RunSet
        fields = [
            "uuid",
            "items",
            "replicates",
            "money_limit",
            "token_limit",
            "money_spent",
            "tokens_spent",
            "money_reserved",
            "tokens_reserved",
            "created_at",
        ]

    def get_money_limit(self, row: RunSet) -> str | None:
        return amount(row.money_limit)

    def get_money_spent(self, row: RunSet) -> str:
        return amount(row.money_spent) or "0"

    def get_money_reserved(self, row: RunSet) -> str:
        return amount(row.money_reserved) or "0"


class RunSetWithProgressSerializer(RunSetSerializer):
    """Of one run set, with its runs and how far they are."""

    state = serializers.SerializerMethodField()
    paused_because = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()
    runs = serializers.SerializerMethodField()

    class Meta(RunSetSerializer.Meta):
        fields = [*RunSetSerializer.Meta.fields, "state", "paused_because", "progress", "runs"]

    @property
    def set_progress(self) -> SetProgress:
        progress: SetProgress = self.context["set_progress"]
        return progress

    def get_state(self, row: RunSet) -> str:
        return self.set_progress.state

    def get_paused_because(self, row: RunSet) -> list[str]:
        return self.set_progress.paused_because

    def get_progress(self, row: RunSet) -> dict[str, Any]:
        return progress_json(self.set_progress.whole)

    def get_runs(self, row: RunSet) -> list[dict[str, Any]]:
        return [{**RunSerializer(run).data, "progress": progress_json(now)} for run, now in self.set_progress.runs]


def progress_json(now: Progress) -> dict[str, Any]:
    """Calls by state, what they cost in US dollars and tokens, and how fast they come."""
    return {
        "counts": counts_json(now),
        "money": amount(now.spend.money),
        "tokens": now.spend.tokens,
        "costs_that_are_bounds": now.spend.bounds,
        "calls_without_a_price": now.spend.unpriced,
        "replies_taken_over": now.spend.reused,
        "calls_a_second": now.rate,
        "seconds_left": now.seconds_left,
    }


def set_json(run_set: RunSet) -> dict[str, Any]:
    progress = set_progress(run_set)
    return RunSetWithProgressSerializer(progress.row, context={"set_progress": progress}).data


def range_json(range: Range | None, as_money: bool = False) -> dict[str, Any] | None:
    if range is None:
        return None
    return {"low": amount(range.low), "high": amount(range.high)} if as_money else range._asdict()


def set_plan_json(planned: SetPlan) -> dict[str, Any]:
    return {
        "responses": planned.responses,
        "calls": planned.calls,
        "answered_before": planned.hits,
        "answered_before_is_drawn": planned.hits_are_drawn,
        "excluded": planned.excluded,
        "tokens": range_json(planned.tokens),
        "money": range_json(planned.money, as_money=True),
        "most_tokens": planned.most_tokens,
        "most_money": amount(planned.most_money),
        "without_a_price": [judge.rater.name for judge in planned.unpriced],
        "money_suffices": planned.money_suffices,
        "tokens_suffice": planned.tokens_suffice,
        "runs": [planned_run_json(run) for run in planned.runs],
    }


def planned_run_json(run: PlannedRun) -> dict[str, Any]:
    estimate = run.estimate
    return {
        "judge": run.judge.rater.name,
        "round": run.round,
        "problem": run.problem,
        "plan": run.plan and plan_json(run.plan),
        "answered_before": run.hits,
        "tokens": range_json(estimate.tokens if estimate else None),
        "money": range_json(estimate.money if estimate else None, as_money=True),
        "like_calls_ended": estimate and estimate.ended_calls,
    }


class RunSetList(ProjectView, ListAPIView):
    """The run sets of a project, newest first; POST plans and starts one."""

    permission = "judges.run"
    serializer_class = RunSetSerializer
    pagination_class = Newest
    queryset = RunSet.objects.none()

    def get_queryset(self) -> QuerySet[RunSet]:
        if getattr(self, "swagger_fake_view", False):
            return RunSet.objects.none()
        return self.project.run_sets.all()

    @extend_schema(request=NewRunSetSerializer, responses={201: RunSetWithProgressSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        serializer = NewRunSetSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        order = serializer.validated_data
        choice = Choice.of_json(order.get("items", {}))
        limits = (order.get("money_limit"), order.get("token_limit"))
        arguments = (self.project, self.judges(order["judges"]), choice, order["replicates"], *limits)
        asked = {"first_round": order["first_round"], "purpose": order.get("purpose", "")}
        try:
            if order["plan_only"]:
                return Response(set_plan_json(run_sets.plan_set(*arguments, **asked)))
            created = run_sets.create_set(*arguments, **asked, by=request.user)
        except Invalid as invalid:
            return refusal(invalid)
        run_sets.start_set(created, by=request.user)
        return Response(set_json(created), status=status.HTTP_201_CREATED)

    def judges(self, names: list[str]) -> list[Judge]:
        """In the order of their names as they were asked for, each once."""
        rows = Judge.objects.select_related("rater", "project", "provider__laboratory")
        judges = {judge.rater.name: judge for judge in rows.filter(project=self.project, rater__name__in=names)}
        if missing := [name for name in names if name not in judges]:
            raise serializers.ValidationError({"judges": f"There is no such judge in this project: {missing[0]}"})
        return [judges[name] for name in dict.fromkeys(names)]


class RunSetView(ProjectView, APIView):
    permission = "judges.run"

    def run_set(self, uuid: UUID) -> RunSet:
        return get_object_or_404(RunSet.objects.select_related("project"), project=self.project, uuid=uuid)

    def set_after(self, act: Callable[..., int], request: SignedInRequest, uuid: UUID) -> Response:
        """The set as it stands after `act`, called as `act(run_set, by=user)`; 409 where that changed nothing."""
        run_set = self.run_set(uuid)
        try:
            changed = act(run_set, by=request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(set_json(run_set), status=200 if changed else 409)


class RunSetVerb(RunSetView):
    act: Callable[..., int]

    @extend_schema(request=None, responses=RunSetWithProgressSerializer)
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        return self.set_after(self.act, request, uuid)


class RunSetDetail(RunSetView):
    """One run set with its runs, how far they are and what they cost."""

    @extend_schema(responses=RunSetWithProgressSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        return Response(set_json(self.run_set(uuid)))


class RunSetPause(RunSetVerb):
    """Let the running runs wait. What is in flight is stored if it comes back soon. 409 where none was running."""

    act = staticmethod(run_sets.pause_set)


class RunSetResume(RunSetVerb):
    """Go on with paused runs, or with cancelled ones where none is paused; 409 where there is neither, 422 where the
    budget is spent."""

    act = staticmethod(run_sets.resume_set)


class RunSetCancel(RunSetVerb):
    """Stop every run that is not over; 409 where all are."""

    act = staticmethod(run_sets.cancel_set)


class RunSetRetry(RunSetVerb):
    """Ask again what failed, was cut or unreadable, in runs that are over; 409 where there is no such call."""

    act = staticmethod(run_sets.retry_failed_set)


class RunSetLimits(RunSetView):
    """Set other limits, at or above what is spent and set aside (422). What is left out becomes no limit."""

    @extend_schema(request=LimitsSerializer, responses=RunSetWithProgressSerializer)
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        serializer = LimitsSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        limits = (serializer.validated_data.get("money_limit"), serializer.validated_data.get("token_limit"))

        def set_limits(run_set: RunSet, by: User) -> int:
            run_sets.raise_limits(run_set, *limits, by=by)
            return 1

        return self.set_after(set_limits, request, uuid)
