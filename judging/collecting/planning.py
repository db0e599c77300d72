"""Which prompts a target model would be asked, before anything is asked or written."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone

from benchmark.judged import ranked_version
from benchmark.models import Question, Submission
from benchmark.submissions.ending import GOING
from judging.models import CollectionCall, CollectionState, TargetEndpoint
from projects.collecting_gates import passed
from projects.derived import collected
from projects.models import Prompt, Response
from projects.validation import held_back

#: In the options of a run: how often it asks each prompt, where that is its own.
REPLICATES = "replicates"


@dataclass(slots=True)
class Plan:
    """`prompts` are ids to be asked, each with its number in `replicates`; `taken_up` are ids of calls that a cancelled
    run left unasked."""

    prompts: list[int] = field(default_factory=list)
    replicates: list[int] = field(default_factory=list)
    taken_up: list[int] = field(default_factory=list)
    unvalidated: int = 0  # prompts that no native speaker has looked at, where the project asks for that
    unfrozen: int = 0  # prompts that wait at a gate: nobody sees a response before the freeze
    answered: int = 0  # responses of this model, wherever they came from, as far as they are wanted
    # What was asked before and has no response, by state; it is not asked again by this.
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def size(self) -> int:
        return len(self.prompts) + len(self.taken_up)

    @property
    def n_asked(self) -> int:
        return self.asked.total()


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a project's prompts, and how often each of them is asked: by tags of varieties and by task; what is empty
    lets everything through. Without `replicates` as often as is set for the model."""

    varieties: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    replicates: int | None = None

    def of(self, prompts: QuerySet[Prompt]) -> QuerySet[Prompt]:
        if self.varieties:
            prompts = prompts.filter(variety__tag__in=self.varieties)
        return prompts.filter(task__in=self.tasks) if self.tasks else prompts


ALL = Part()


def questions_of_submission(endpoint: TargetEndpoint) -> QuerySet[Question]:
    """What a submitted endpoint may be asked, now and whenever it is asked again: until it has ended the questions of
    the version that it was accepted for, afterwards those of the version that its board ranks. A question of another
    set is not shown to whoever submitted."""
    rows = Submission.objects.filter(
        board__project=endpoint.project_id, configuration__target_model=endpoint.target_model_id
    )
    submission = rows.select_related("board__project", "board__question_set", "question_set").first()
    if submission is None:
        return Question.objects.none()
    kept = submission.question_set if submission.state in GOING else None
    version = kept or ranked_version(submission.board.project, submission.board)
    return Question.objects.filter(question_set=version) if version else Question.objects.none()


def plan(endpoint: TargetEndpoint, part: Part = ALL) -> Plan:
    """What a run of this target model would ask. Reads only, in a few statements."""
    planned, wanted = Plan(), part.replicates or endpoint.replicates
    known: dict[int, dict[int, tuple[int, str, datetime | None]]] = defaultdict(dict)
    calls = CollectionCall.objects.filter(endpoint=endpoint).order_by("replicate")
    columns = ("prompt_id", "replicate", "pk", "state", "shard__job__due_at")
    for prompt, replicate, call, state, due_at in calls.values_list(*columns):
        known[prompt][replicate] = (call, state, due_at)
    from_elsewhere = responses_of(endpoint).filter(collection_call=None)
    come = dict(from_elsewhere.values_list("prompt").annotate(n=Count("pk")))
    now = timezone.now()
    prompts = part.of(Prompt.objects.filter(project=endpoint.project_id)).order_by("pk")
    is_submitted = endpoint.provider is not None and endpoint.provider.is_submitted
    if is_submitted:
        prompts = prompts.filter(pk__in=questions_of_submission(endpoint).values("prompt"))
    may_be_asked = (passed(endpoint.project), held_back(endpoint.project))
    for prompt, is_passed, is_held_back in prompts.values_list("pk", *may_be_asked):
        asked = known.get(prompt, {})
        without = [call for call in asked.values() if call[1] != CollectionState.COLLECTED]
        there = min(wanted, come.get(prompt, 0) + len(asked) - len(without))
        planned.answered += there
        missing = wanted - there
        if missing and is_held_back:
            planned.unvalidated += 1
            continue
        if missing and not is_passed and not is_submitted:  # its version is frozen, though it may not be the newest
            planned.unfrozen += 1
            continue
        for call, state, drained_at in without[:missing]:
            # While a worker drains a run that was cancelled, what is in flight may yet come back.
            if state == CollectionState.CANCELLED and (drained_at is None or drained_at <= now):
                planned.taken_up.append(call)
            else:
                planned.asked[state] += 1
        new = [number for number in range(1, wanted + 1) if number not in asked]
        for replicate in new[: max(0, missing - len(without))]:
            planned.prompts.append(prompt)
            planned.replicates.append(replicate)
    return planned


def responses_of(endpoint: TargetEndpoint) -> QuerySet[Response]:
    """What the project has of the model, wherever it came from; not what was made of its responses."""
    responses = Response.objects.filter(project=endpoint.project_id, target_model=endpoint.target_model_id)
    return collected(responses).order_by()


def has_all(prompt: str, target_model: Any, replicates: Any) -> Any:
    """Whether a prompt has as many responses of a model as are wanted: a condition. Each is the name of a column, or
    what stands there."""
    responses = collected(Response.objects.filter(prompt=OuterRef(prompt), target_model=target_model)).order_by()
    counted = responses.values("prompt").annotate(n=Count("pk")).values("n")
    return GreaterThanOrEqual(Coalesce(Subquery(counted), 0), replicates)


def open_prompts(endpoint: TargetEndpoint) -> QuerySet[Prompt]:
    """Prompts that may be asked, that lack a response of this model and were not asked of it as often as is wanted."""
    full = has_all("pk", endpoint.target_model_id, endpoint.replicates)
    last = CollectionCall.objects.filter(prompt=OuterRef("pk"), endpoint=endpoint, replicate=endpoint.replicates)
    prompts = Prompt.objects.filter(passed(endpoint.project), ~full, ~Exists(last), project=endpoint.project_id)
    return prompts.select_related("variety").order_by("pk")
