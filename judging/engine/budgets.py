"""Budgets: money and tokens are reserved before a call and settled with what it did cost, across all workers.

A shard reserves a block for many calls by one conditional UPDATE on its run set's row; its worker then holds parts of
the block for single calls without a statement. Results are settled in the transaction that stores them. So at every
moment

    what providers may charge <= spent + reserved <= limit

also where a worker is killed. Whatever revokes a worker's claim on a shard counts what the shard had reserved as spent,
because it is not known how much of it was in flight; a worker that is alive corrects that when its results come. Rows
are locked in one order: run, job, shard, run set.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, F, Q, QuerySet, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.utils import timezone
from django.utils.translation import gettext as _

from jobs.models import Job
from judging.models import RunSet, Shard
from projects.problems import Invalid, Problem
from providers.prices import NOTHING, Amount, Charge

NO_LIMIT = 2**60


class ChargedCall(Protocol):
    """A call that has ended: what was held for it, and what it cost."""

    @property
    def held(self) -> Amount: ...

    @property
    def charge(self) -> Charge: ...


class Reservation:
    """What one worker may spend: `available` for upcoming calls, `held` for calls in flight.

    The event loop calls `hold` and `release`; the worker's thread all else. Without a limit only `held` is counted.
    """

    def __init__(self, is_limited: bool, available: Amount = NOTHING) -> None:
        self.is_limited, self.available, self.held = is_limited, available, NOTHING
        self._lock = threading.Lock()

    def hold(self, amount: Amount) -> bool:
        """Hold an amount for a call. False where less than that is available."""
        with self._lock:
            if self.is_limited:
                if not self.available.covers(amount):
                    return False
                self.available -= amount
            self.held += amount
            return True

    @property
    def is_in_use(self) -> bool:
        """Whether something is held for calls in flight."""
        return self.held != NOTHING

    def release(self, amount: Amount) -> None:
        """Make available again what was held for a call that cannot have been charged."""
        with self._lock:
            self.held -= amount
            if self.is_limited:
                self.available += amount

    def settle_call(self, held: Amount, spent: Amount) -> None:
        """What was held for calls that have ended; what they did not cost is available again."""
        with self._lock:
            self.held -= held
            if self.is_limited:
                self.available += held - spent


class BudgetReservation(Reservation):
    """What one worker has reserved for one shard. Where the set has no limit, nothing is reserved in the database."""

    def __init__(self, run_set: int, shard: Shard, claim: UUID, is_limited: bool) -> None:
        super().__init__(is_limited)
        self.run_set, self.shard, self.claim = run_set, shard, claim

    def settle(self, calls: Iterable[ChargedCall], is_claim_valid: bool) -> Amount:
        """Write what calls cost, inside the transaction that stores them and as its last statement. Return what was
        held for them, for `drop_settled` once that is committed.

        `is_claim_valid` says whether this worker's claim on the shard still holds. If not, what the shard had reserved
        was counted as spent already, and is corrected by what the calls cost.
        """
        held, spent = NOTHING, NOTHING
        for call in calls:
            held += call.held
            spent += Amount(call.charge.money or 0, call.charge.tokens)
        if held == spent == NOTHING:
            return held
        if not self.is_limited:
            add_to_run_set(self.run_set, spent, NOTHING)
        elif is_claim_valid:
            add_to_shard(self.shard, self.claim, NOTHING - held)
            add_to_run_set(self.run_set, spent, NOTHING - held)
        else:
            add_to_run_set(self.run_set, spent - held, NOTHING)
        return held

    def drop_settled(self, held: Amount) -> None:
        """Hold nothing any more for calls that are stored and settled."""
        with self._lock:
            self.held -= held

    def extend(self, target: Amount, minimum: Amount) -> bool:
        """Reserve what is missing of `target`, or as much of it as leaves others a share; False where not even
        `minimum` is left now."""
        missing, needed = missing_from(self.available, target), missing_from(self.available, minimum)
        if needed == NOTHING and self.available.covers(missing):  # half of it is there: this is no time for a statement
            return True
        for _attempt in range(3):  # other workers may reserve at the same moment
            left = remaining_budget(self.run_set)
            money = max(needed.money, min(missing.money, left.money // 2))
            tokens = max(needed.tokens, min(missing.tokens, left.tokens // 2))
            if money == tokens == 0 or self._reserve(Amount(money, tokens)):
                return True
        return needed == NOTHING

    def _reserve(self, amount: Amount) -> bool:
        try:
            with transaction.atomic():
                add_to_shard(self.shard, self.claim, amount)
                reserve_within_limits(self.run_set, amount)
        except NotReserved:
            return False
        with self._lock:
            self.available += amount
        return True

    def return_available(self) -> bool:
        """Return to the set what is not held for a call. False where this worker's claim has ended."""
        with self._lock:
            amount, self.available = self.available, NOTHING
        try:
            with transaction.atomic():
                add_to_shard(self.shard, self.claim, NOTHING - amount)
                add_to_run_set(self.run_set, NOTHING, NOTHING - amount)
        except NotReserved:
            with self._lock:
                self.available += amount
            return False
        return True

    def close(self, is_claim_valid: bool) -> None:
        """At the end, inside the transaction that releases the shard: what is still held was in flight when it was
        broken off, and counts as spent; what is available is returned."""
        with self._lock:
            available, held = self.available, self.held
            self.available = self.held = NOTHING
        if not self.is_limited:
            add_to_run_set(self.run_set, held, NOTHING)
        elif is_claim_valid:
            add_to_run_set(self.run_set, held, NOTHING - held - available)
        else:
            add_to_run_set(self.run_set, NOTHING - available, NOTHING)


class JointReservation(Reservation):
    """Of a call that two budgets pay: held of both or of none."""

    def __init__(self, first: Reservation, second: Reservation) -> None:
        super().__init__(is_limited=True)
        self.first, self.second = first, second

    def hold(self, amount: Amount) -> bool:
        if not self.first.hold(amount):
            return False
        if not self.second.hold(amount):
            self.first.release(amount)
            return False
        return True

    def release(self, amount: Amount) -> None:
        self.first.release(amount)
        self.second.release(amount)


class CallHold:
    """What is held of a reservation for one call: its worst case, once for every attempt that may be charged."""

    def __init__(self, reservation: Reservation | None, worst: Amount) -> None:
        self._reservation, self._worst, self._times = reservation, worst, 1

    @property
    def amount(self) -> Amount:
        return Amount(self._worst.money * self._times, self._worst.tokens * self._times)

    def hold_again(self) -> bool:
        """Hold the worst case of another attempt, after one that may be charged and brought nothing. False where that
        is not available."""
        if self._reservation is not None:
            if not self._reservation.hold(self._worst):
                return False
            self._times += 1
        return True

    def limit_holds(self, times: int) -> None:
        """Of a call that ends without a result, hold the worst case of `times` attempts and release the rest."""
        while self._reservation is not None and self._times > times:
            self._reservation.release(self._worst)
            self._times -= 1


class NotReserved(Exception):
    """Nothing was reserved."""


def reservation_of(shard: Shard, claim: UUID) -> BudgetReservation | None:
    """None for a run that belongs to no set."""
    run_set = shard.run.run_set
    return None if run_set is None else BudgetReservation(run_set.pk, shard, claim, run_set.is_limited)


def bigint(number: int) -> Value:
    """A bare number beside a column would go to PostgreSQL as an integer of four bytes, whatever the column is, and
    overflow silently at two dollars and fifteen cents."""
    return Value(number, BigIntegerField())


def increment(column: str, number: int) -> CombinedExpression:
    return F(column) + bigint(number)


def missing_from(have: Amount, target: Amount) -> Amount:
    return Amount(max(0, target.money - have.money), max(0, target.tokens - have.tokens))


def remaining_budget(run_set: int) -> Amount:
    """What is neither spent nor reserved of a set's limits."""
    row = RunSet.objects.get(pk=run_set)
    money = NO_LIMIT if row.money_limit is None else row.money_limit - row.money_spent - row.money_reserved
    tokens = NO_LIMIT if row.token_limit is None else row.token_limit - row.tokens_spent - row.tokens_reserved
    return Amount(max(0, money), max(0, tokens))


def add_to_shard(shard: Shard, claim: UUID, amount: Amount) -> None:
    """Add to what a shard has reserved, within a transaction. Raises NotReserved where the claim on it has ended.

    The condition locks the row of its job, so the claim is not revoked in between.
    """
    if not Job.objects.held_under(claim).filter(pk=shard.job_id).update(heartbeat_at=timezone.now()):
        raise NotReserved
    Shard.objects.filter(pk=shard.pk).update(
        money_reserved=increment("money_reserved", amount.money),
        tokens_reserved=increment("tokens_reserved", amount.tokens),
    )


def reserve_within_limits(run_set: int, amount: Amount) -> None:
    """Reserve an amount of a set's budget. Raises NotReserved where less than that is left."""
    money = F("money_spent") + increment("money_reserved", amount.money)
    tokens = F("tokens_spent") + increment("tokens_reserved", amount.tokens)
    rows = RunSet.objects.filter(
        Q(money_limit=None) | Q(money_limit__gte=money), Q(token_limit=None) | Q(token_limit__gte=tokens), pk=run_set
    )
    changed = rows.update(
        money_reserved=increment("money_reserved", amount.money),
        tokens_reserved=increment("tokens_reserved", amount.tokens),
    )
    if not changed:
        raise NotReserved


def check_budget_left(run_set: int) -> None:
    """Raises Invalid where all of a set's budget is spent. One statement."""
    is_spent = Q(money_limit__lte=F("money_spent")) | Q(token_limit__lte=F("tokens_spent"))
    if RunSet.objects.filter(is_spent, pk=run_set).exists():
        raise Invalid(Problem("budget_spent", _("The budget is spent. Raise its limit, then go on."), "money_limit"))


def has_reservations(run_set: int) -> bool:
    """Whether any shard of the set has reserved something, which may be returned."""
    return RunSet.objects.filter(Q(money_reserved__gt=0) | Q(tokens_reserved__gt=0), pk=run_set).exists()


def reserved_by(shards: QuerySet[Shard]) -> dict[int, Amount]:
    """By id of run set, what these shards have reserved."""
    rows = shards.filter(run__run_set__isnull=False).values_list("run__run_set")
    sums = rows.annotate(money=Sum("money_reserved"), tokens=Sum("tokens_reserved")).order_by()
    return {pk: Amount(money, tokens) for pk, money, tokens in sums if money or tokens}


def count_as_spent(reserved: Mapping[int, Amount]) -> None:
    """Count as spent what was reserved by shards whose claims were revoked; by id of run set."""
    for pk, amount in sorted(reserved.items()):
        add_to_run_set(pk, spent=amount, reserved=NOTHING - amount)


def add_to_run_set(run_set: int, spent: Amount, reserved: Amount) -> None:
    """Add to what a set has spent and reserved; both may be negative."""
    if spent == reserved == NOTHING:
        return
    RunSet.objects.filter(pk=run_set).update(
        money_spent=increment("money_spent", spent.money),
        tokens_spent=increment("tokens_spent", spent.tokens),
        money_reserved=increment("money_reserved", reserved.money),
        tokens_reserved=increment("tokens_reserved", reserved.tokens),
    )
