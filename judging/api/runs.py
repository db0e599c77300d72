"""Runs of judges and of target models, for programs."""

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.engine import runs
from judging.engine.planning import Plan, plan
from judging.engine.purposes import check_round, purpose_of
from judging.engine.run_kinds import COLLECTING
from judging.engine.summaries import Progress, progress
from judging.models import Judge, Purpose, Run
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid

PURPOSE = (
    "gold: people review what the judge finds; evaluation: its answers stand in its figures alone. Left out: gold for "
    "error spans, evaluation for ratings and rubrics. A round of a judge has one purpose"
)
SHOWN = ("judge__rater", "prompt_version", "endpoint__target_model", "endpoint__provider")


class RunSerializer(serializers.ModelSerializer):
    """A run of a judge, pinned to the judge and the exact text of its prompt; or, of kind "collecting", of a target
    model, which has neither. `unfrozen` is how many prompts it left out for want of a frozen rubric."""

    judge = serializers.CharField(source="judge.rater.name", allow_null=True)
    judge_pseudonym = serializers.CharField(source="judge.rater.pseudonym", allow_null=True)
    target_model = serializers.CharField(source="endpoint.target_model.name", allow_null=True)
    kind = serializers.SerializerMethodField()
    model = serializers.SerializerMethodField()
    is_simulated = serializers.SerializerMethodField()
    prompt = serializers.CharField(source="prompt_version.name", allow_null=True)
    prompt_version = serializers.CharField(source="prompt_version.version", allow_null=True)
    prompt_sha256 = serializers.CharField(source="prompt_version.text_sha256", allow_null=True)
    run_set = serializers.UUIDField(source="run_set.uuid", default=None, allow_null=True)

    class Meta:
        model = Run
        fields = [
            "uuid",
            "judge",
            "judge_pseudonym",
            "target_model",
            "kind",
            "model",
            "is_simulated",
            "prompt",
            "prompt_version",
            "prompt_sha256",
            "round",
            "purpose",
            "run_set",
            "state",
            "paused_because",
            "excluded",
            "unfrozen",
            "created_at",
            "started_at",
            "ended_at",
        ]

    def get_kind(self, run: Run) -> str:
        return COLLECTING if run.judge is None else run.judge.kind

    def get_model(self, run: Run) -> str:
        return (run.judge or run.asked_endpoint).model

    def get_is_simulated(self, run: Run) -> bool:
        if run.judge is not None:
            return run.judge.rater.is_simulated
        provider = run.asked_endpoint.provider
        return provider is not None and provider.is_simulated


class RunWithCountsSerializer(RunSerializer):
    counts = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "counts"]

    def get_counts(self, run: Run) -> dict[str, int]:
        """Calls by state; `total` and `answered` beside them."""
        return counts_json(progress(run))


def counts_json(now: Progress) -> dict[str, int]:
    return {**now.counts, "total": now.total, "answered": now.answered}


class NewRunSerializer(serializers.Serializer):
    """`plan_only` answers with what would be asked, and asks nothing."""

    judge = serializers.CharField(max_length=120, help_text="name of the judge")
    varieties = serializers.ListField(child=serializers.CharField(max_length=35), required=False, max_length=100)
    round = serializers.IntegerField(min_value=1, max_value=100, default=1)
    purpose = serializers.ChoiceField(choices=Purpose.choices, required=False, help_text=PURPOSE)
    plan_only = serializers.BooleanField(default=False)


class Newest(CursorPagination):
    ordering = "-pk"


class RunList(ProjectView, ListAPIView):
    """The runs of a project, newest first; POST plans and starts one."""

    permission = "judges.run"
    serializer_class = RunSerializer
    pagination_class = Newest
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        if getattr(self, "swagger_fake_view", False):
            return Run.objects.none()
        return self.project.judge_runs.select_related("run_set", *SHOWN)

    @extend_schema(request=NewRunSerializer, responses={201: RunWithCountsSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        serializer = NewRunSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        order = serializer.validated_data
        judges = Judge.objects.select_related("rater", "project", "provider__laboratory")
        judge = judges.filter(project=self.project, rater__name=order["judge"]).first()
        if judge is None:
            raise serializers.ValidationError({"judge": "There is no such judge in this project."})
        responses = self.project.responses.all()
        if order.get("varieties"):
            responses = responses.filter(variety__tag__in=order["varieties"])
        try:
            purpose = purpose_of(judge, order["round"], order.get("purpose", ""))
            if order["plan_only"]:
                check_round(judge, order["round"], purpose)
                return Response(plan_json(plan(judge, responses, order["round"])))
            run = runs.create_run(judge, responses, by=request.user, round=order["round"], purpose=purpose)
        except Invalid as invalid:
            return refusal(invalid)
        runs.start(run, by=request.user)
        return Response(RunWithCountsSerializer(run).data, status=status.HTTP_201_CREATED)


def plan_json(planned: Plan) -> dict:
    return {
        "judge": planned.judge.rater.name,
        "laboratory": planned.guard.laboratory,
        "prompt": planned.prompt.name,
        "prompt_version": planned.prompt.version,
        "prompt_sha256": planned.prompt.sha256,
        "responses": planned.responses,
        "calls": planned.size,
        "already_called": planned.already_called,
        "already_marked": planned.already_marked,
        "excluded": planned.excluded,
        "not_ready": planned.not_ready,
        "not_ready_for_want_of": planned.reasons,
        "withheld_errors": planned.withheld,
    }


class RunView(ProjectView, APIView):
    permission = "judges.run"

    def run(self, uuid: UUID) -> Run:
        rows = Run.objects.select_related("project", "run_set", *SHOWN)
        return get_object_or_404(rows, project=self.project, uuid=uuid)


class RunDetail(RunView):
    """One run with its calls by state."""

    @extend_schema(responses=RunWithCountsSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        return Response(RunWithCountsSerializer(self.run(uuid)).data)


class RunVerb(RunView):
    """The run as it stands after `act`, called as `act(run, by=user)`; 409 where that changed nothing."""

    act: Callable[..., bool]

    @extend_schema(request=None, responses=RunWithCountsSerializer)
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        run = self.run(uuid)
        try:
            is_changed = self.act(run, by=request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(RunWithCountsSerializer(run).data, status=200 if is_changed else 409)


class RunCancel(RunVerb):
    """Stop a run. What was answered is kept; a run that is over stays as it is (409)."""

    act = staticmethod(runs.cancel)


class RunPause(RunVerb):
    """Let a running run wait; any other stays as it is (409)."""

    act = staticmethod(runs.pause)


class RunRetry(RunVerb):
    """Ask again what failed, was cut or unreadable, in a run that is over; 409 where there is no such call, 422 where
    the budget is spent."""

    act = staticmethod(runs.retry_failed)


class RunResume(RunVerb):
    """Go on with a paused or cancelled run; any other stays as it is (409). 422 where the budget is spent."""

    act = staticmethod(runs.resume)
