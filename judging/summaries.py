"""How far judges and runs are: counts for their pages and the programming interface, in one query each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Max
from django.utils import timezone

from judging import runs
from judging.models import ANSWERED, Call, CallState, Judge, Run, RunState
from projects.models import Project

# States that are no answer, in the order in which they are shown.
UNANSWERED = (CallState.REFUSED, CallState.TRUNCATED, CallState.MALFORMED, CallState.FAILED)
RATE_WINDOW = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Progress:
    """A run at a moment. `rate` is calls ended per second lately, `seconds_left` None where it cannot be told."""

    counts: dict[str, int]
    total: int
    ended: int
    answered: int
    rate: float | None
    seconds_left: int | None
    is_over: bool

    @property
    def states(self) -> list[tuple[CallState, int]]:
        """Every state that occurs, with its number of calls."""
        return [(CallState(state), n) for state, n in self.counts.items() if n]

    @property
    def retriable(self) -> int:
        return sum(self.counts[state] for state in runs.RETRIABLE)


def progress(run: Run) -> Progress:
    counts = runs.counts(run)
    total = sum(counts.values())
    ended = total - counts[CallState.PLANNED] - counts[CallState.CANCELLED]
    rate = lately(run) if run.state == RunState.RUNNING else None
    left = counts[CallState.PLANNED]
    return Progress(
        counts=counts,
        total=total,
        ended=ended,
        answered=sum(counts[state] for state in ANSWERED),
        rate=rate,
        seconds_left=round(left / rate) if rate else None,
        is_over=run.state in runs.OVER,
    )


def lately(run: Run) -> float | None:
    """Calls ended per second within the last half minute, or since the run began where that is later."""
    now = timezone.now()
    since = max(now - RATE_WINDOW, run.started_at or now)
    seconds = (now - since).total_seconds()
    n = Call.objects.filter(run=run, ended_at__gte=since).count()
    return n / seconds if n and seconds > 0.5 else None


@dataclass(frozen=True, slots=True)
class JudgeSummary:
    """A judge with its calls by state over all its runs, and the latest run."""

    judge: Judge
    counts: dict[str, int]
    last_run: Run | None

    @property
    def planned(self) -> int:
        return sum(self.counts.values())

    @property
    def answered(self) -> int:
        return sum(self.counts.get(state, 0) for state in ANSWERED)

    @property
    def unanswered(self) -> list[tuple[CallState, int]]:
        """The states that are no answer and occur, with their numbers of calls."""
        return [(state, self.counts[state]) for state in UNANSWERED if self.counts.get(state)]


def outcomes(judges: Sequence[Judge], round: int) -> dict[int, dict[str, int]]:
    """By judge, its calls of a round by state, over all runs. One statement."""
    found: dict[int, dict[str, int]] = {judge.pk: {} for judge in judges}
    calls = Call.objects.filter(judge__in=list(found), round=round)
    for judge_id, state, n in calls.values_list("judge", "state").annotate(n=Count("pk")).order_by():
        found[judge_id][state] = n
    return found


def judge_summaries(project: Project) -> list[JudgeSummary]:
    """The judges, those in use first: three queries in all."""
    judges = (
        Judge.objects.filter(project=project)
        .select_related("rater__laboratory", "provider", "prompt")
        .order_by("-is_active", "rater__name")
    )
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for judge_id, state, n in (
        Call.objects.filter(judge__project=project).values_list("judge", "state").annotate(n=Count("pk")).order_by()
    ):
        counts[judge_id][state] = n
    newest = Judge.objects.filter(project=project).annotate(newest=Max("runs__pk")).values("newest")
    last = {run.judge_id: run for run in Run.objects.filter(pk__in=newest)}
    return [JudgeSummary(judge, counts[judge.pk], last.get(judge.pk)) for judge in judges]
