"""How far target models and collections are, for their pages: a fixed number of queries, however many there are."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Max, Q
from django.utils import timezone

from judging.collecting.planning import FROZEN
from judging.models import Collection, CollectionCall, CollectionState, RunState, TargetEndpoint
from judging.runs import OVER
from judging.summaries import RATE_WINDOW
from projects.models import Project, Prompt, Response

# States of a call that brought no response and never will by itself, in the order in which they are shown.
WITHOUT_RESPONSE = (
    CollectionState.REFUSED,
    CollectionState.TRUNCATED,
    CollectionState.EMPTY,
    CollectionState.UNUSABLE,
    CollectionState.FAILED,
)


@dataclass(frozen=True, slots=True)
class EndpointSummary:
    """A target model: prompts with a frozen rubric, how many of those have a response, and calls by state."""

    endpoint: TargetEndpoint
    frozen: int
    answered: int
    counts: dict[str, int]
    last: Collection | None = None

    @property
    def without_response(self) -> list[tuple[CollectionState, int]]:
        return [(state, self.counts[state]) for state in WITHOUT_RESPONSE if self.counts.get(state)]

    @property
    def under_way(self) -> int:
        return self.counts.get(CollectionState.PLANNED, 0)

    @property
    def left(self) -> int:
        """Prompts that were never asked, or that a cancelled collection left."""
        return max(self.frozen - self.answered - self.under_way - sum(n for _state, n in self.without_response), 0)


@dataclass(frozen=True, slots=True)
class Overview:
    """All target models of a project, and its prompts by whether their rubric is frozen."""

    frozen: int
    unfrozen: int
    endpoints: list[EndpointSummary] = field(default_factory=list)


def overview(project: Project) -> Overview:
    prompts = Prompt.objects.filter(project=project)
    numbers = prompts.aggregate(n=Count("pk"), frozen=Count("pk", filter=Q(FROZEN)))
    frozen_prompts = prompts.filter(FROZEN).values("pk")
    responses = Response.objects.filter(project=project, prompt__in=frozen_prompts).order_by()
    answered = dict(responses.values_list("target_model").annotate(n=Count("prompt", distinct=True)))
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    calls = CollectionCall.objects.filter(endpoint__project=project).order_by()
    for endpoint, state, n in calls.values_list("endpoint", "state").annotate(n=Count("pk")):
        counts[endpoint][state] = n
    newest = TargetEndpoint.objects.filter(project=project).annotate(newest=Max("collections__pk")).order_by()
    last = {found.endpoint_id: found for found in Collection.objects.filter(pk__in=newest.values("newest"))}
    endpoints = TargetEndpoint.objects.filter(project=project).select_related("target_model__laboratory", "provider")
    return Overview(
        numbers["frozen"],
        numbers["n"] - numbers["frozen"],
        [
            EndpointSummary(
                endpoint,
                numbers["frozen"],
                answered.get(endpoint.target_model_id, 0),
                counts[endpoint.pk],
                last.get(endpoint.pk),
            )
            for endpoint in endpoints
        ],
    )


@dataclass(frozen=True, slots=True)
class CollectionProgress:
    """A collection at a moment. `rate` is answers per second lately, `seconds_left` None where it cannot be told."""

    counts: dict[str, int]
    total: int
    ended: int
    rate: float | None
    is_over: bool

    @property
    def collected(self) -> int:
        return self.counts[CollectionState.COLLECTED]

    @property
    def failed(self) -> int:
        return self.counts[CollectionState.FAILED]

    @property
    def seconds_left(self) -> int | None:
        return round(self.counts[CollectionState.PLANNED] / self.rate) if self.rate else None

    @property
    def states(self) -> list[tuple[CollectionState, int]]:
        """Every state that occurs, with its number of prompts."""
        return [(CollectionState(state), n) for state, n in self.counts.items() if n]


def counts(collection: Collection) -> dict[str, int]:
    """Number of prompts by state, every state named."""
    calls = CollectionCall.objects.filter(collection=collection).order_by()
    found = dict(calls.values_list("state").annotate(n=Count("pk")))
    return {state: found.get(state, 0) for state in CollectionState.values}


def progress(collection: Collection) -> CollectionProgress:
    by_state = counts(collection)
    total = sum(by_state.values())
    running = collection.state == RunState.RUNNING
    return CollectionProgress(
        counts=by_state,
        total=total,
        ended=total - by_state[CollectionState.PLANNED] - by_state[CollectionState.CANCELLED],
        rate=lately(collection, timezone.now()) if running else None,
        # A cancelled one is not over before its worker has let go of it.
        is_over=collection.state in OVER and collection.claim is None,
    )


def lately(collection: Collection, now: datetime) -> float | None:
    """Answers per second within the last half minute, or since the collection began where that is later."""
    since = max(now - RATE_WINDOW, collection.started_at or now)
    seconds = (now - since).total_seconds()
    n = CollectionCall.objects.filter(collection=collection, ended_at__gte=since).count()
    return n / seconds if n and seconds > 0.5 else None
