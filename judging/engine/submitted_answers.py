"""Answers of submitted models, of which a judge is asked nothing more once what the submissions of their month may cost
is used up. Other answers of the same run are asked about as before.

What calls about them may cost is set aside before they are sent, for all workers of all runs together, so that at every
moment

    what was spent for the submissions of a month + what is set aside for them <= what the lead allows

as it is with the budget of a set of runs (`judging/engine/budgets.py`). A worker holds one row for each month that its
shard asks about. Whoever sets aside locks the board first, as whoever accepts a submission does, and reads what is set
aside before what is spent: a call that ends in between is counted twice then, never left out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from benchmark.models import Board
from benchmark.submissions import spending
from benchmark.submissions.spending import without_budget
from judging.engine.budgets import NO_LIMIT, ChargedCall, NotReserved, Reservation, increment, missing_from
from judging.models import Call, CallState, Judge, Shard, SubmissionHold
from projects.among import Among
from projects.models import Project, Response
from providers.prices import NOTHING, Amount, price_of

#: Of a call that was cancelled for this.
PROBLEM = "submission_budget"
#: Of one that was cancelled because submissions that are still asked hold the rest of the month.
HELD = "submission_held"
#: Of one whose judge costs what nobody has said, while the lead limits money.
UNPRICED = "submission_unpriced"


# --- What is not asked at all ---


def unpaid_responses(judge: Judge, responses: QuerySet[Response]) -> dict[int, str]:
    """Those of these responses that this judge is not asked about, by id, each with the reason. One statement where the
    project's board limits nothing."""
    board = limited_board(judge.project)
    if board is None:
        return {}
    if is_unpriced(board, judge):
        reasons = dict.fromkeys(configurations_of(board), _("money is limited, and its judge has no price"))
    else:
        told = _("what the submissions of %(month)s may cost is spent")
        months = without_budget(judge.project)
        reasons = {configuration: told % {"month": month} for configuration, month in months.items()}
    if not reasons:
        return {}
    rows = responses.filter(answer__configuration__in=Among(reasons)).order_by()
    return {response: reasons[pk] for response, pk in rows.values_list("pk", "answer__configuration")}


def unpaid_calls(calls: QuerySet[Call], judge: Judge) -> QuerySet[Call]:
    """Those of these calls of a judge that are about such answers."""
    board = limited_board(judge.project)
    if board is not None and is_unpriced(board, judge):
        return calls.filter(response__answer__configuration__in=Among(configurations_of(board)))
    return calls.filter(response__answer__configuration__in=Among(without_budget(judge.project)))


def limited_board(project: Project) -> Board | None:
    """The project's board, where it limits what submissions may cost."""
    return Board.objects.filter(project=project).exclude(submission_money=None, submission_tokens=None).first()


def is_unpriced(board: Board, judge: Judge) -> bool:
    """Whether no limit in money can hold for a judge."""
    return board.submission_money is not None and price_of(judge) is None


def configurations_of(board: Board) -> list[int]:
    submitted = board.submissions.filter(configuration__isnull=False).order_by()
    return list(submitted.values_list("configuration", flat=True))


# --- What is set aside for those that are asked ---


def holds_of(board: Board, month: str) -> tuple[Amount, Amount]:
    """What is set aside for judges' calls about the submissions of a month, and the part of it that counts as spent:
    its worker is gone. One statement."""
    holds = SubmissionHold.objects.filter(board=board, month=month).order_by()
    sums = {False: NOTHING, True: NOTHING}
    for is_over, money, tokens in holds.values_list("is_over").annotate(Sum("money"), Sum("tokens")):
        sums[is_over] = Amount(money, tokens)
    return sums[False] + sums[True], sums[True]


def count_holds_as_spent(shards: QuerySet[Shard]) -> None:
    """The claims on these shards were revoked: nobody knows how much of what they had set aside was in flight. A worker
    that is alive corrects that when its results come."""
    SubmissionHold.objects.filter(shard__in=shards, is_over=False).update(is_over=True)


class MonthReservation(Reservation):
    """What one worker has set aside for one shard's calls about the submissions of one month."""

    def __init__(self, shard: Shard, claim: UUID, month: str) -> None:
        super().__init__(is_limited=True)
        self.shard, self.claim, self.month = shard, claim, month
        self.board: int = shard.run.project_id

    @property
    def row(self) -> QuerySet[SubmissionHold]:
        return SubmissionHold.objects.filter(claim=self.claim, month=self.month)

    def extend(self, target: Amount, minimum: Amount) -> bool:
        """Set aside what is missing of `target`, or as much of it as leaves others a share; False where not even
        `minimum` is left now."""
        missing, needed = missing_from(self.available, target), missing_from(self.available, minimum)
        if needed == NOTHING and self.available.covers(missing):
            return True
        try:
            with transaction.atomic():
                amount = self._reserve(missing, needed)
        except NotReserved:
            return needed == NOTHING
        with self._lock:
            self.available += amount
        return True

    def _reserve(self, missing: Amount, needed: Amount) -> Amount:
        board = Board.objects.select_for_update(of=("self",)).get(pk=self.board)
        left = spending.left(board, self.month)
        limits = Amount(*(NO_LIMIT if rest is None else rest for rest in left))
        amount = Amount(
            max(needed.money, min(missing.money, limits.money // 2)),
            max(needed.tokens, min(missing.tokens, limits.tokens // 2)),
        )
        if amount == NOTHING or not limits.covers(amount):
            raise NotReserved
        if not self._add(amount):
            SubmissionHold.objects.create(
                board=board,
                shard=self.shard,
                claim=self.claim,
                month=self.month,
                money=amount.money,
                tokens=amount.tokens,
            )
        return amount

    def _add(self, amount: Amount) -> int:
        return self.row.update(money=increment("money", amount.money), tokens=increment("tokens", amount.tokens))

    def return_available(self) -> None:
        """Return what is not held for a call."""
        with self._lock:
            amount, self.available = self.available, NOTHING
        if amount != NOTHING:
            self._add(NOTHING - amount)

    def settle(self, held: Amount) -> None:
        """In the transaction that stores what calls cost: it stands in their rows from now on."""
        if held != NOTHING:
            self._add(NOTHING - held)

    def drop_settled(self, held: Amount) -> None:
        with self._lock:
            self.held -= held

    def close(self) -> None:
        """At the end: what is still held was in flight when it was broken off, and counts as spent."""
        with self._lock:
            held = self.held
            self.available = self.held = NOTHING
        if held == NOTHING:
            self.row.filter(is_waiting=False).delete()
        self.row.update(money=held.money, tokens=held.tokens, is_over=True)

    def wait(self) -> None:
        """Remember that calls of the shard are asked again once others have ended."""
        SubmissionHold.objects.update_or_create(
            claim=self.claim,
            month=self.month,
            defaults={"is_waiting": True},
            create_defaults={"board_id": self.board, "shard": self.shard, "is_waiting": True},
        )


class BudgetWatch:
    """Of one shard in one worker's hands: which of its calls are about submissions, and what is set aside for them."""

    def __init__(self, shard: Shard, claim: UUID, month_of: Mapping[int, str]) -> None:
        self.shard, self.month_of = shard, month_of
        self.months = {month: MonthReservation(shard, claim, month) for month in sorted(set(month_of.values()))}

    def reservation_for(self, call: int) -> MonthReservation | None:
        """None for a call that is about no submission."""
        month = self.month_of.get(call)
        return None if month is None else self.months[month]

    def stop(self) -> Set[int]:
        """Cancel what is planned about answers whose month's budget is spent, or whose cost nobody could count; ids of
        these calls. Those that are in flight are among them: what comes of them is stored, for it is paid for."""
        judge = self.shard.run.asked_judge
        board = limited_board(judge.project)
        if board is None:
            return frozenset()
        if is_unpriced(board, judge):
            return self.cancel(self.months, UNPRICED)
        return self.cancel([month for month in self.months if spending.is_used_up(board, month)], PROBLEM)

    def cancel(self, months: Iterable[str], problem: str) -> Set[int]:
        months = set(months)
        if not months:
            return frozenset()
        stopped = [call for call, month in self.month_of.items() if month in months]
        planned = Call.objects.filter(shard=self.shard, state=CallState.PLANNED, pk__in=Among(stopped))
        with transaction.atomic():
            if planned.update(state=CallState.CANCELLED, problem=problem) and problem == HELD:
                for month in months:
                    self.months[month].wait()
        return frozenset(stopped)

    def reserve(self, upcoming: Sequence[Any], worst_case: Callable[[Any], Amount]) -> tuple[Set[int], bool]:
        """Set aside what the next calls may cost: the ids of those that are cancelled because their month cannot pay
        them, and whether the next one waits for what calls in flight or other workers may return."""
        stopped: set[int] = set()
        waiting: set[str] = set()
        by_month: dict[str, list[Amount]] = defaultdict(list)
        for prepared in upcoming:
            if month := self.month_of.get(prepared.question.call):
                by_month[month].append(worst_case(prepared))
        for month, costs in by_month.items():
            reservation = self.months[month]
            if reservation.extend(sum(costs, reservation.held), costs[0]):
                continue
            waiting.add(month)
            if reservation.is_in_use:  # what comes back may have cost less
                continue
            reservation.return_available()
            if self.others_hold(month):
                continue
            waiting.discard(month)
            # Not waited for: a submission may be asked for hours, perhaps by this very worker when it is free.
            if spending.is_set_aside(Board.objects.get(pk=reservation.board), month):
                stopped |= self.cancel([month], HELD)
            elif not reservation.extend(costs[0], costs[0]):  # it may have ended in between
                stopped |= self.cancel([month], PROBLEM)
        following = (prepared.question.call for prepared in upcoming if prepared.question.call not in stopped)
        first = next(following, None)
        return stopped, first is not None and self.month_of.get(first) in waiting

    def others_hold(self, month: str) -> bool:
        """Whether a worker has set aside something that it may return."""
        holds = SubmissionHold.objects.filter(board=self.shard.run.project_id, month=month, is_over=False)
        return holds.filter(Q(money__gt=0) | Q(tokens__gt=0)).exists()

    def return_available(self) -> None:
        for reservation in self.months.values():
            if not reservation.is_in_use:
                reservation.return_available()

    def held_by_month(self, results: Iterable[Any]) -> dict[str, Amount]:
        held: dict[str, Amount] = {}
        for result in results:
            if month := self.month_of.get(result.call):
                held[month] = held.get(month, NOTHING) + result.held
        return held

    def settle(self, results: Iterable[ChargedCall]) -> None:
        """In the transaction that stores them."""
        for month, held in self.held_by_month(results).items():
            self.months[month].settle(held)

    def drop_settled(self, results: Iterable[ChargedCall]) -> None:
        """Once that is committed."""
        for month, held in self.held_by_month(results).items():
            self.months[month].drop_settled(held)

    def close(self) -> None:
        for reservation in self.months.values():
            reservation.close()


def watch_of(shard: Shard, claim: UUID) -> BudgetWatch | None:
    """None where the shard asks about no submission. One statement."""
    calls = Call.objects.filter(shard=shard, response__answer__configuration__submission__isnull=False).order_by()
    month_of = dict(calls.values_list("pk", "response__answer__configuration__submission__month"))
    return BudgetWatch(shard, claim, month_of) if month_of else None
