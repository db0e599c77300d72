"""Rewards, for trainers: lending a judge to the training of a model, and scoring its rollouts."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api.waits import MAX_WAIT_SECONDS, WAIT, awaited, wait_of
from jobs.models import Job, JobState
from judging.api.runs import Newest
from judging.api.sets import LimitsSerializer, amount
from judging.models import Judge, Reward, Rollout, RolloutState
from judging.rewards.lending import lend, set_limits
from judging.rewards.receiving import MOST_CHARACTERS, MOST_ITEMS, Item, receive
from judging.rewards.scoring import RELATED, begin_scoring
from judging.training.reward import text_of
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.models import Laboratory
from projects.problems import Invalid, Problem
from projects.splits import origins

#: So many that were not scored before are waited for, unless `wait` says otherwise.
AT_ONCE = 32
USUAL_WAIT_SECONDS = 20


class RewardSerializer(serializers.ModelSerializer):
    """A judge lent to a model in training, with its budget in US dollars and tokens and what it has spent."""

    judge = serializers.CharField(source="judge.rater.name")
    kind = serializers.CharField(source="judge.kind")
    policy_laboratory = serializers.CharField(source="policy_laboratory.slug")
    question = serializers.CharField(source="question.slug", default=None)
    prompt_sha256 = serializers.CharField(source="prompt_version.text_sha256")
    money_limit = serializers.SerializerMethodField()
    money_spent = serializers.SerializerMethodField()
    tokens_spent = serializers.IntegerField(source="tokens")

    class Meta:
        model = Reward
        fields = [
            *("slug", "judge", "kind", "question", "prompt_sha256", "policy", "policy_laboratory"),
            *("money_limit", "token_limit", "money_spent", "tokens_spent", "calls", "unpriced_calls", "is_spent"),
            "created_at",
        ]

    def get_money_limit(self, row: Reward) -> str | None:
        return amount(row.money_limit)

    def get_money_spent(self, row: Reward) -> str:
        return amount(row.cost) or "0"


class NewRewardSerializer(LimitsSerializer):
    """`policy` is the model in training, `laboratory` whose it is where its name does not tell. `question` is for
    judges that rate; without it, each prompt's own."""

    slug = serializers.SlugField(max_length=60)
    judge = serializers.CharField(max_length=120)
    policy = serializers.CharField(max_length=200)
    laboratory = serializers.SlugRelatedField("slug", queryset=Laboratory.objects.all(), required=False)
    question = serializers.CharField(max_length=60, required=False)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string"},
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
                    "required": ["role", "content"],
                },
            },
        ]
    }
)
class TextField(serializers.Field):
    """A text, or a conversation of which the last message counts, as trainers hand them over."""

    default_error_messages = {"invalid": "A text is expected, or a list of messages with “role” and “content”."}

    def to_internal_value(self, data: Any) -> str:
        is_chat = isinstance(data, list) and all(isinstance(each, dict) for each in data)
        if not isinstance(data, str) and not is_chat:
            self.fail("invalid")
        text = text_of(data)
        if "\x00" in text or len(text) > MOST_CHARACTERS:
            raise serializers.ValidationError(f"At most {MOST_CHARACTERS} characters are expected, and no U+0000.")
        return text

    def to_representation(self, value: str) -> str:
        return value


class ItemSerializer(serializers.Serializer):
    """A completion, with the id of its prompt in the project or the prompt's words."""

    prompt_id = serializers.CharField(max_length=200, default="", allow_blank=True)
    prompt = TextField(default="")
    completion = TextField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["prompt_id"] and not attrs["prompt"]:
            raise serializers.ValidationError({"prompt_id": "One of prompt_id and prompt is expected."})
        return attrs


class BatchSerializer(serializers.Serializer):
    """`again` asks once more about what could not be scored."""

    items = serializers.ListField(child=ItemSerializer(), min_length=1, max_length=MOST_ITEMS)
    again = serializers.BooleanField(default=False)


class ScoredSerializer(serializers.Serializer):
    """One rollout: `reward` from 0 to 1, null where there is none yet (planned) or none at all (failed, with its
    problem); `parts` are the verdicts, or the grade with its reasoning; `split` is where the prompt's template is."""

    reward = serializers.FloatField(source="value", allow_null=True)
    state = serializers.CharField()
    parts = serializers.JSONField()
    problem = serializers.CharField()
    prompt_id = serializers.CharField(source="prompt.key")
    split = serializers.SerializerMethodField()

    def get_split(self, row: Rollout) -> str:
        return str(self.context["origins"][row.prompt_id].split)


class ScoredBatchSerializer(serializers.Serializer):
    """Rewards in the order of the items, and the items at length."""

    rewards = serializers.ListField(child=serializers.FloatField(allow_null=True))
    items = ScoredSerializer(many=True)


class RewardView(ProjectView):
    permission = "judges.run"

    def rows(self) -> QuerySet[Reward]:
        return Reward.objects.filter(project=self.project).select_related(*RELATED, "question").order_by("-pk")


class RewardList(RewardView, ListAPIView):
    """The rewards of a project, the newest first. POST lends a judge to the training of a model."""

    serializer_class = RewardSerializer
    pagination_class = Newest
    queryset = Reward.objects.none()

    def get_queryset(self) -> Any:
        return Reward.objects.none() if getattr(self, "swagger_fake_view", False) else self.rows()

    @extend_schema(request=NewRewardSerializer, responses={201: RewardSerializer, 422: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        asked = NewRewardSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        values = dict(asked.validated_data)
        judges = Judge.objects.select_related("rater", "project", "provider__laboratory", "prompt")
        judge = judges.filter(project=self.project, rater__name=values.pop("judge"), is_active=True).first()
        if judge is None:
            raise serializers.ValidationError({"judge": "There is no such judge in this project."})
        if named := values.get("question"):
            values["question"] = self.project.question_types.filter(slug=named).first()
            if values["question"] is None:
                raise serializers.ValidationError({"question": "There is no such question type in this project."})
        laboratory = values.pop("laboratory", None)
        if laboratory is not None:
            values["laboratory"] = laboratory.slug
        try:
            reward = lend(self.project, judge=judge, by=request.user, **values)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(RewardSerializer(reward).data, status=status.HTTP_201_CREATED)


class RewardDetail(RewardView, APIView):
    """One reward with what it has spent. PATCH sets the limits of its budget."""

    @extend_schema(responses=RewardSerializer)
    def get(self, request: SignedInRequest, slug: str, reward: str) -> Response:
        return Response(RewardSerializer(get_object_or_404(self.rows(), slug=reward)).data)

    @extend_schema(request=LimitsSerializer, responses={200: RewardSerializer, 422: OpenApiTypes.OBJECT})
    def patch(self, request: SignedInRequest, slug: str, reward: str) -> Response:
        row = get_object_or_404(self.rows(), slug=reward)
        limits = LimitsSerializer(data=request.data)
        limits.is_valid(raise_exception=True)
        values = {"money_limit": row.money_limit, "token_limit": row.token_limit, **limits.validated_data}
        try:
            set_limits(row, **values, by=request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(RewardSerializer(row).data)


class RewardScore(RewardView, APIView):
    """Rewards of rollouts. What was scored before is answered at once and costs nothing; the rest is asked by a worker.
    Up to 32 such items are waited for (20 seconds, or `wait`). 200 where all has ended; else 202, and the same request
    again asks how far it is. 422 where an item cannot be scored, the budget is spent or scoring has failed."""

    @extend_schema(
        request=BatchSerializer,
        parameters=[WAIT],
        responses={200: ScoredBatchSerializer, 202: ScoredBatchSerializer, 422: OpenApiTypes.OBJECT},
    )
    def post(self, request: SignedInRequest, slug: str, reward: str) -> Response:
        row = get_object_or_404(self.rows(), slug=reward)
        batch = BatchSerializer(data=request.data)
        batch.is_valid(raise_exception=True)
        items = [Item(**each) for each in batch.validated_data["items"]]
        try:
            rollouts = receive(row, items, batch.validated_data["again"])
            job = begin_scoring(row, request.user) if open_ones(rollouts) else None
            if job is not None:
                wait = wait_of(request) if WAIT.name in request.query_params else usual_wait(rollouts)
                rollouts = watched(row, items, rollouts, job, wait)
        except Invalid as invalid:
            return refusal(invalid)
        body = {"rewards": [each.value for each in rollouts], "items": rollouts}
        data = ScoredBatchSerializer(body, context={"origins": origins(self.project)}).data
        if job is None or not open_ones(rollouts):
            return Response(data)
        answer = Response(data, status.HTTP_202_ACCEPTED)
        answer["Location"] = request.build_absolute_uri(reverse("api-job", args=[self.project.slug, job.uuid]))
        answer["Retry-After"] = "1"
        return answer


def open_ones(rollouts: list[Rollout]) -> int:
    return len({each.pk for each in rollouts if each.state == RolloutState.PLANNED})


def usual_wait(rollouts: list[Rollout]) -> int:
    return min(USUAL_WAIT_SECONDS, MAX_WAIT_SECONDS) if open_ones(rollouts) <= AT_ONCE else 0


def watched(row: Reward, items: list[Item], rollouts: list[Rollout], job: Job, seconds: int) -> list[Rollout]:
    """The rollouts after so many seconds at most. Raises Invalid where scoring has failed meanwhile."""
    awaited(job, seconds)
    rollouts = receive(row, items)
    if job.state == JobState.FAILED and open_ones(rollouts):
        raise Invalid(Problem("not_scored", job.problem))
    return rollouts
