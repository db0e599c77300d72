"""Which prompts a target model would be asked, before anything is asked or written."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from benchmark.judged import ranked_version
from benchmark.models import Question, Submission
from benchmark.submissions.ending import GOING
from judging.models import CollectionCall, CollectionState, TargetEndpoint
from projects.collecting_gates import passed
from projects.models import Prompt, Response


@dataclass(slots=True)
class Plan:
    """`prompts` are ids without a call, `taken_up` ids of calls that a cancelled run left unasked."""

    prompts: list[int] = field(default_factory=list)
    taken_up: list[int] = field(default_factory=list)
    unfrozen: int = 0  # prompts that wait at a gate: nobody sees a response before the freeze
    answered: int = 0  # prompts with a response of this model, wherever it came from
    # Prompts asked before that have no response, by state; they are not asked again by this.
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def size(self) -> int:
        return len(self.prompts) + len(self.taken_up)

    @property
    def n_asked(self) -> int:
        return self.asked.total()


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


def plan(endpoint: TargetEndpoint) -> Plan:
    """What a run of this target model would ask. Reads only, in a few statements."""
    planned = Plan()
    calls = CollectionCall.objects.filter(endpoint=endpoint)
    known = {row[0]: row[1:] for row in calls.values_list("prompt_id", "pk", "state", "shard__job__due_at")}
    now = timezone.now()
    answered = Response.objects.filter(prompt=OuterRef("pk"), target_model=endpoint.target_model_id)
    prompts = Prompt.objects.filter(project=endpoint.project_id).order_by("pk")
    is_submitted = endpoint.provider is not None and endpoint.provider.is_submitted
    if is_submitted:
        prompts = prompts.filter(pk__in=questions_of_submission(endpoint).values("prompt"))
    for prompt, is_frozen, is_answered in prompts.values_list("pk", passed(endpoint.project), Exists(answered)):
        if is_answered:
            planned.answered += 1
        elif not is_frozen and not is_submitted:  # its version is frozen, though it may not be the newest
            planned.unfrozen += 1
        elif prompt not in known:
            planned.prompts.append(prompt)
        else:
            call, state, drained_at = known[prompt]
            # While a worker drains a run that was cancelled, what is in flight may yet come back.
            if state == CollectionState.CANCELLED and (drained_at is None or drained_at <= now):
                planned.taken_up.append(call)
            else:
                planned.asked[state] += 1
    return planned


def open_prompts(endpoint: TargetEndpoint) -> QuerySet[Prompt]:
    """Prompts that may be asked, that have no response of this model and were not asked of it."""
    answered = Response.objects.filter(prompt=OuterRef("pk"), target_model=endpoint.target_model_id)
    asked = CollectionCall.objects.filter(prompt=OuterRef("pk"), endpoint=endpoint)
    prompts = Prompt.objects.filter(
        passed(endpoint.project), ~Exists(answered), ~Exists(asked), project=endpoint.project_id
    )
    return prompts.select_related("variety").order_by("pk")
