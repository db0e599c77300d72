"""Run sets: several judges and replicates over the same responses, planned, begun and stopped together, in one budget.

A replicate is a round. What a set asks, each of its runs knows; what it may spend, its row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from judging.engine import runs
from judging.engine.budgets import bigint, check_budget_left
from judging.engine.choice import Choice
from judging.engine.estimates import NO_RANGE, Estimate, Range, estimate, total
from judging.engine.planning import Plan, plan
from judging.engine.purposes import check_round, purpose_of
from judging.models import Judge, PausedBecause, Run, RunSet, RunState, TargetEndpoint
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from providers.prices import Price, prices_of

MAX_REPLICATES = 20


class Suffices(StrEnum):
    """Whether a budget is enough for what is planned, by the range of its cost."""

    YES = "yes"
    MAYBE = "maybe"
    NO = "no"


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """What one judge would be asked in one round. `plan` is None where it cannot be asked; `problem` says why, or why
    there is nothing to ask. `estimate` is None where there is nothing.
    """

    judge: Judge
    round: int
    plan: Plan | None
    problem: str = ""
    price: Price | None = None
    estimate: Estimate | None = None

    @property
    def calls(self) -> int:
        return self.plan.size if self.plan else 0

    @property
    def hits(self) -> int:
        return self.estimate.hits if self.estimate else 0


@dataclass(frozen=True, slots=True)
class SetPlan:
    """What a run set would ask, and what that costs. Limits are in billionths of a US dollar and in tokens."""

    choice: Choice
    runs: list[PlannedRun]
    responses: int
    money_limit: int | None = None
    token_limit: int | None = None

    @property
    def calls(self) -> int:
        return sum(run.calls for run in self.runs)

    @property
    def hits(self) -> int:
        return sum(run.hits for run in self.runs)

    @property
    def hits_are_drawn(self) -> bool:
        """Whether the number of hits is drawn from some of the calls."""
        return any(run.estimate.is_drawn for run in self.runs if run.estimate)

    @property
    def excluded(self) -> int:
        """Responses kept from judges of the laboratory that wrote them, counted once for each judge and round."""
        return sum(run.plan.excluded_count for run in self.runs if run.plan)

    @property
    def tokens(self) -> Range:
        return total(run.estimate.tokens for run in self.runs if run.estimate)

    @property
    def money(self) -> Range | None:
        """Of the judges that have a price; None where none has."""
        priced = [run.estimate.money for run in self.runs if run.estimate and run.estimate.money is not None]
        return total(priced) if priced else None

    @property
    def most_tokens(self) -> int:
        return sum(run.estimate.most_tokens for run in self.runs if run.estimate)

    @property
    def most_money(self) -> int | None:
        priced = [run.estimate.most_money for run in self.runs if run.estimate]
        known = [money for money in priced if money is not None]
        return sum(known) if known else None

    @property
    def unpriced(self) -> list[Judge]:
        """Judges with something to ask whose model has no price, each once: no money limit can hold for them."""
        judges = {run.judge.pk: run.judge for run in self.runs if run.calls and run.price is None}
        return list(judges.values())

    @property
    def money_suffices(self) -> Suffices | None:
        """None without a limit, and where a judge has no price."""
        return None if self.unpriced else suffices(self.money or NO_RANGE, self.money_limit)

    @property
    def tokens_suffice(self) -> Suffices | None:
        return suffices(self.tokens, self.token_limit)


def suffices(needed: Range, limit: int | None) -> Suffices | None:
    if limit is None:
        return None
    if limit < needed.low:
        return Suffices.NO
    return Suffices.YES if limit >= needed.high else Suffices.MAYBE


def plan_set(
    project: Project,
    judges: Sequence[Judge],
    choice: Choice,
    replicates: int = 1,
    money_limit: int | None = None,
    token_limit: int | None = None,
    *,
    first_round: int = 1,
    purpose: str = "",
) -> SetPlan:
    """What a set of these judges would ask in rounds `first_round` and on. Reads only; a judge that cannot be asked
    is in it with its problem.

    Raises Invalid where the choice names what is not in the project.
    """
    responses = choice.check(project).responses(project)
    prices = prices_of(judges)
    planned = [
        planned_run(judge, round, choice, prices.get(judge.pk), purpose)
        for judge in judges
        for round in range(first_round, first_round + replicates)
    ]
    return SetPlan(choice, planned, responses.count(), money_limit, token_limit)


def planned_run(judge: Judge, round: int, choice: Choice, price: Price | None, purpose: str = "") -> PlannedRun:
    if not judge.is_active:
        return PlannedRun(judge, round, None, _("This judge is out of use."))
    try:
        check_round(judge, round, purpose_of(judge, round, purpose))
        planned = plan(judge, choice.responses(judge.project), round)
    except Invalid as invalid:
        return PlannedRun(judge, round, None, str(invalid.problems[0].message))
    if not planned.size:
        return PlannedRun(judge, round, planned, runs.nothing_to_ask(planned), price)
    return PlannedRun(judge, round, planned, "", price, estimate(planned, price))


def create_set(
    project: Project,
    judges: Sequence[Judge],
    choice: Choice,
    replicates: int = 1,
    money_limit: int | None = None,
    token_limit: int | None = None,
    *,
    first_round: int = 1,
    by: User | None = None,
    purpose: str = "",
) -> RunSet:
    """A set with a planned run for each judge and round that has something to ask; nothing is asked yet.

    Raises Invalid where nothing is left to ask, where the choice names what is not there, or where money is limited
    and a judge has no price.
    """
    choice.check(project)
    check_limits(judges, replicates, money_limit, token_limit)
    with transaction.atomic():
        run_set = RunSet.objects.create(
            project=project,
            items=choice.as_json(),
            replicates=replicates,
            money_limit=money_limit,
            token_limit=token_limit,
            created_by=by,
        )
        problems: list[Problem] = []
        for judge in judges:
            for round in range(first_round, first_round + replicates):
                try:
                    responses = choice.responses(project)
                    runs.create_run(judge, responses, by=by, round=round, run_set=run_set, purpose=purpose)
                except Invalid as invalid:
                    problems += [Problem(p.code, f"{judge}: {p.message}", p.field) for p in invalid.problems]
        if not run_set.runs.exists():
            raise Invalid(problems or [Problem("no_judges", _("Choose a judge at least."), "judges")])
        limits = {"money": money_limit, "tokens": token_limit}
        record("run_set.created", actor=by, project=project, subject=run_set.uuid, items=choice.as_json(), **limits)
    return run_set


def check_limits(
    judges: Sequence[Judge | TargetEndpoint], replicates: int, money_limit: int | None, token_limit: int | None
) -> None:
    """Raises Invalid for what no set can hold to."""
    problems = []
    if not 1 <= replicates <= MAX_REPLICATES:
        message = _("Between 1 and %(most)d replicates can be asked for at once.") % {"most": MAX_REPLICATES}
        problems.append(Problem("replicates_out_of_range", message, "replicates"))
    for field, limit in (("money_limit", money_limit), ("token_limit", token_limit)):
        if limit is not None and limit < 1:
            problems.append(
                Problem("limit_too_low", _("A limit is more than nothing; leave it empty for none."), field)
            )
    if money_limit is not None and (unpriced := [judge for judge in judges if judge.pk not in prices_of(judges)]):
        message = _(
            "Nobody has said what these judges cost, so no limit in money can hold for them: %(judges)s. "
            "An administrator sets the price of a model on the page of its provider; a limit in tokens needs none."
        )
        names = ", ".join(map(str, unpriced))
        if any(isinstance(model, TargetEndpoint) for model in unpriced):
            message = _(
                "Nobody has said what these models cost, so no limit in money can hold for them: %(judges)s. "
                "An administrator sets the price of a model on the page of its provider; a limit in tokens needs none."
            )
        problems.append(Problem("price_missing", message % {"judges": names}, "money_limit"))
    if problems:
        raise Invalid(problems)


def start_set(run_set: RunSet, by: User | None = None) -> int:
    """Set the planned runs of a set going; return how many were."""
    return sum(runs.start(run, by) for run in of_set(run_set, RunState.PLANNED))


def pause_set(run_set: RunSet, by: User | None = None, because: str = PausedBecause.PERSON) -> int:
    """Let the running runs wait; return how many now do. What is in flight is stored if it comes back soon."""
    return runs.pause_all(of_set(run_set, RunState.RUNNING), because, by)


def resume_set(run_set: RunSet, by: User | None = None) -> int:
    """Go on with the paused runs, or with the cancelled ones where none is paused; return how many go on.

    Raises Invalid where the budget is spent: `raise_limits` comes first.
    """
    check_budget_left(run_set.pk)
    waiting = of_set(run_set, RunState.PAUSED) or of_set(run_set, RunState.CANCELLED)
    return sum(runs.resume(run, by) for run in waiting)


def cancel_set(run_set: RunSet, by: User | None = None) -> int:
    """Stop every run that is not over; return how many were stopped."""
    return sum(runs.cancel(run, by) for run in of_set(run_set, *RUNNABLE))


def retry_failed_set(run_set: RunSet, by: User | None = None) -> int:
    """Ask again what ended as failed, cut or unreadable, in runs that are over; return how many runs go on."""
    check_budget_left(run_set.pk)
    return sum(runs.retry_failed(run, by) for run in of_set(run_set, *runs.OVER))


RUNNABLE = (RunState.PLANNED, RunState.RUNNING, RunState.PAUSED)


def of_set(run_set: RunSet, *states: str) -> list[Run]:
    rows = run_set.runs.filter(state__in=states) if states else run_set.runs.all()
    return list(rows.select_related("project", "judge__rater", "endpoint__target_model").order_by("pk"))


def raise_limits(run_set: RunSet, money_limit: int | None, token_limit: int | None, by: User | None = None) -> None:
    """Set other limits. They lie at or above what is spent and set aside at that moment: money that calls under way
    may cost cannot be taken back.

    Raises Invalid where they lie below that, where money is limited and a judge has no price, and where a set that
    had no limit is running: nothing is set aside for its calls under way.
    """
    judges = Judge.objects.filter(runs__run_set=run_set).select_related("rater").distinct()
    endpoints = TargetEndpoint.objects.filter(runs__run_set=run_set).select_related("target_model").distinct()
    check_limits([*judges, *endpoints.order_by()], run_set.replicates, money_limit, token_limit)
    with transaction.atomic():
        row = RunSet.objects.select_for_update().get(pk=run_set.pk)
        is_limit = money_limit is not None or token_limit is not None
        if is_limit and not row.is_limited and row.runs.filter(state=RunState.RUNNING).exists():
            message = _("Pause the runs before you set their first limit. Nothing was changed.")
            raise Invalid(Problem("limit_while_running", message, "money_limit"))
        rows = RunSet.objects.filter(pk=run_set.pk)
        if money_limit is not None:
            rows = rows.filter(money_spent__lte=bigint(money_limit) - F("money_reserved"))
        if token_limit is not None:
            rows = rows.filter(tokens_spent__lte=bigint(token_limit) - F("tokens_reserved"))
        if not rows.update(money_limit=money_limit, token_limit=token_limit):
            message = _("More than that is spent or set aside for calls under way. Nothing was changed.")
            raise Invalid(Problem("limit_below_spent", message, "money_limit"))
        limits = {"money": money_limit, "tokens": token_limit}
        record("run_set.limits_set", actor=by, project=run_set.project, subject=run_set.uuid, **limits)
    run_set.refresh_from_db()
