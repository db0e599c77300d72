"""How far target models are, for their pages: a fixed number of queries, however many there are."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Count, Max, Q

from judging.collecting.target_runs import Collecting
from judging.models import CollectionCall, CollectionState, Run, TargetEndpoint
from projects.collecting_gates import passed
from projects.derived import collected
from projects.models import Project, Prompt, Response


@dataclass(frozen=True, slots=True)
class EndpointSummary:
    """A target model: prompts that may be asked (`frozen`), how many of those have a response (where several
    are wanted, how many have come), and calls by state."""

    endpoint: TargetEndpoint
    frozen: int
    answered: int
    counts: dict[str, int]
    last: Run | None = None

    @property
    def wanted(self) -> int:
        return self.frozen * self.endpoint.replicates

    @property
    def without_response(self) -> list[tuple[CollectionState, int]]:
        return [(state, self.counts[state]) for state in Collecting.unanswered if self.counts.get(state)]

    @property
    def under_way(self) -> int:
        return self.counts.get(CollectionState.PLANNED, 0)

    @property
    def left(self) -> int:
        """Prompts that were never asked, or that a cancelled run left."""
        return max(self.wanted - self.answered - self.under_way - sum(n for _state, n in self.without_response), 0)


@dataclass(frozen=True, slots=True)
class Overview:
    """All target models of a project, and its prompts by whether they may be asked."""

    frozen: int
    unfrozen: int
    endpoints: list[EndpointSummary] = field(default_factory=list)


def overview(project: Project) -> Overview:
    prompts = Prompt.objects.filter(project=project)
    may_be_asked = passed(project)
    numbers = prompts.aggregate(n=Count("pk"), frozen=Count("pk", filter=Q(may_be_asked)))
    frozen_prompts = prompts.filter(may_be_asked).values("pk")
    responses = collected(Response.objects.filter(project=project, prompt__in=frozen_prompts)).order_by()
    come = responses.values_list("target_model").annotate(prompts=Count("prompt", distinct=True), n=Count("pk"))
    answered = {model: (prompts, n) for model, prompts, n in come}
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    calls = CollectionCall.objects.filter(endpoint__project=project).order_by()
    for endpoint, state, n in calls.values_list("endpoint", "state").annotate(n=Count("pk")):
        counts[endpoint][state] = n
    newest = TargetEndpoint.objects.filter(project=project).annotate(newest=Max("runs__pk")).order_by()
    last = {run.endpoint_id: run for run in Run.objects.filter(pk__in=newest.values("newest"))}
    endpoints = TargetEndpoint.objects.filter(project=project).select_related("target_model__laboratory", "provider")
    return Overview(
        numbers["frozen"],
        numbers["n"] - numbers["frozen"],
        [
            EndpointSummary(
                endpoint,
                numbers["frozen"],
                answered.get(endpoint.target_model_id, (0, 0))[endpoint.replicates > 1],
                counts[endpoint.pk],
                last.get(endpoint.pk),
            )
            for endpoint in endpoints
        ],
    )
