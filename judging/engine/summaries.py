"""How far judges and runs are: counts for their pages and the programming interface, in one query each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet, Sum, TextChoices
from django.db.models.functions import Coalesce
from django.utils import timezone

from judging.engine import runs
from judging.engine.judge_runs import Judging
from judging.engine.run_kinds import JUDGING, RunKind, kind_of, run_kind
from judging.models import ANSWERED, Call, CallState, Judge, Run, RunSet, RunState
from projects.among import Among
from projects.models import Project

RATE_WINDOW = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Spend:
    """What calls cost: `money` in billionths of a US dollar, None where no call has a cost, and tokens.

    `bounds` is how many of the costs are upper bounds, `unpriced` how many calls were sent and have no cost,
    `reused` how many took a reply that was there already.
    """

    money: int | None = None
    tokens: int = 0
    bounds: int = 0
    unpriced: int = 0
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """A run, or a set of runs, at a moment. `rate` is calls ended per second lately, `seconds_left` None where it
    cannot be told."""

    counts: dict[str, int]
    total: int
    ended: int
    answered: int
    rate: float | None
    seconds_left: int | None
    is_over: bool
    kind: RunKind
    spend: Spend = Spend()

    @property
    def states(self) -> list[tuple[TextChoices, int]]:
        """Every state that occurs, with its number of calls."""
        return [(self.kind.states(state), n) for state, n in self.counts.items() if n]

    @property
    def unanswered(self) -> list[tuple[TextChoices, int]]:
        """The states that are no answer and occur, with their numbers of calls."""
        return [(self.kind.states(state), self.counts[state]) for state in self.kind.unanswered if self.counts[state]]

    @property
    def retriable(self) -> int:
        return sum(self.counts[state] for state in self.kind.retriable)


class Tally(NamedTuple):
    """Calls of one run in one state, added up."""

    n: int
    money: int | None
    tokens: int
    bounds: int
    unpriced: int
    reused: int


def tallies(calls: QuerySet[Any]) -> dict[int, dict[str, Tally]]:
    """By id of run and by state. One statement."""
    rows = calls.values_list("run", "state").annotate(
        n=Count("pk"),
        money=Sum("cost"),
        tokens=Coalesce(Sum("prompt_tokens"), 0) + Coalesce(Sum("completion_tokens"), 0),
        bounds=Count("pk", filter=Q(cost_is_bound=True)),
        unpriced=Count("pk", filter=Q(attempts__gt=0, cost=None)),
        reused=Count("reused"),
    )
    by_run: dict[int, dict[str, Tally]] = defaultdict(dict)
    for run, state, *sums in rows.order_by():
        by_run[run][state] = Tally(*sums)
    return by_run


def spend_of(added_up: Iterable[Tally]) -> Spend:
    added_up = list(added_up)
    costs = [tally.money for tally in added_up if tally.money is not None]
    return Spend(
        money=sum(costs) if costs else None,
        tokens=sum(tally.tokens for tally in added_up),
        bounds=sum(tally.bounds for tally in added_up),
        unpriced=sum(tally.unpriced for tally in added_up),
        reused=sum(tally.reused for tally in added_up),
    )


def progress(run: Run) -> Progress:
    """Two statements; one where the run is not running."""
    rate = lately([run]).get(run.pk) if run.state == RunState.RUNNING else None
    kind = kind_of(run)
    by_state = tallies(kind.of(run)).get(run.pk, {})
    return made_of(kind, by_state, rate, run.state in runs.OVER)


def made_of(kind: RunKind, by_state: Mapping[str, Tally], rate: float | None, is_over: bool) -> Progress:
    counts = {state: by_state[state].n if state in by_state else 0 for state in kind.states.values}
    total = sum(counts.values())
    left = counts[runs.PLANNED]
    return Progress(
        counts=counts,
        total=total,
        ended=total - left - counts[runs.CANCELLED],
        answered=sum(counts[state] for state in kind.answered),
        rate=rate,
        seconds_left=round(left / rate) if rate else None,
        is_over=is_over,
        kind=kind,
        spend=spend_of(by_state.values()),
    )


def lately(running: Sequence[Run]) -> dict[int, float]:
    """By id of run, calls ended per second within the last half minute, or since the run began where that is later;
    without those of which none has ended. One statement for each kind of run."""
    now = timezone.now()
    ended: dict[int, int] = {}
    for kind in {kind_of(run) for run in running}:
        recent = kind.calls._default_manager.filter(run__in=running, ended_at__gte=now - RATE_WINDOW)
        ended |= dict(recent.values_list("run").annotate(n=Count("pk")).order_by())
    rates = {}
    for run in running:
        seconds = (now - max(now - RATE_WINDOW, run.started_at or now)).total_seconds()
        if run.pk in ended and seconds > 0.5:
            rates[run.pk] = ended[run.pk] / seconds
    return rates


@dataclass(frozen=True, slots=True)
class SetProgress:
    """A run set at a moment: all its runs together, and each by itself. `row` is the set as it is now: its limits,
    what is spent of them and what is set aside."""

    row: RunSet
    whole: Progress
    runs: list[tuple[Run, Progress]]

    @property
    def paused_because(self) -> list[str]:
        """Why runs of it wait, each reason once."""
        return sorted({run.paused_because for run, _progress in self.runs if run.paused_because})

    @property
    def state(self) -> str:
        return state_of_set(run.state for run, _progress in self.runs)


def state_of_set(states: Iterable[str]) -> RunState:
    """Of the states of its runs: running while one is; else paused, planned, cancelled or done, whichever comes
    first of them."""
    present = set(states)
    order = (RunState.RUNNING, RunState.PAUSED, RunState.PLANNED, RunState.CANCELLED, RunState.DONE)
    return next((state for state in order if state in present), RunState.DONE)


def set_progress(run_set: RunSet) -> SetProgress:
    """Four statements, however many runs it has, which are all of one kind."""
    row = RunSet.objects.select_related("project").get(pk=run_set.pk)
    parts = ("judge__rater", "prompt_version", "endpoint__target_model", "endpoint__provider")
    set_runs = list(Run.objects.filter(run_set=row).select_related(*parts).order_by("pk"))
    kind = kind_of(set_runs[0]) if set_runs else run_kind(JUDGING)
    rates = lately([run for run in set_runs if run.state == RunState.RUNNING])
    by_run = tallies(kind.calls._default_manager.filter(run__in=set_runs))
    progress_of_runs = [
        (run, made_of(kind, by_run.get(run.pk, {}), rates.get(run.pk), run.state in runs.OVER)) for run in set_runs
    ]
    together = [progress for _run, progress in progress_of_runs]
    counts = {state: sum(progress.counts[state] for progress in together) for state in kind.states.values}
    rate = sum(rates.values()) or None
    whole = Progress(
        counts=counts,
        total=sum(progress.total for progress in together),
        ended=sum(progress.ended for progress in together),
        answered=sum(progress.answered for progress in together),
        rate=rate,
        seconds_left=round(counts[runs.PLANNED] / rate) if rate else None,
        is_over=all(progress.is_over for progress in together),
        kind=kind,
        spend=spend_of(tally for tallied in by_run.values() for tally in tallied.values()),
    )
    return SetProgress(row, whole, progress_of_runs)


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
        return [(state, self.counts[state]) for state in Judging.unanswered if self.counts.get(state)]


def outcomes(judges: Sequence[Judge], round: int) -> dict[int, dict[str, int]]:
    """By judge, its calls of a round by state, over all runs. One statement."""
    counts: dict[int, dict[str, int]] = {judge.pk: {} for judge in judges}
    calls = Call.objects.filter(judge__in=Among(counts), round=round)
    for judge_id, state, n in calls.values_list("judge", "state").annotate(n=Count("pk")).order_by():
        counts[judge_id][state] = n
    return counts


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
