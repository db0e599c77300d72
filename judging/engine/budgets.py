"""Budgets: money and tokens are set aside before a call and settled with what it did cost, across all workers.

A shard sets aside a block for many calls by one conditional UPDATE on its run set's row; within the block its worker
counts by itself. What came back is settled in the transaction that stores it. So at every moment

    what providers may charge <= spent + set aside <= limit

whoever dies. Whoever takes a shard out of its worker's hands counts what it had set aside as spent, because nobody
knows what of it was in flight; a worker that lives after all puts that right when its results come. Rows are locked
in one order: run, job, shard, run set.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

from django.db import transaction
from django.db.models import BigIntegerField, F, Q, QuerySet, Sum, Value
from django.db.models.expressions import CombinedExpression
from django.utils import timezone

from jobs.models import Job
from judging.models import RunSet, Shard
from providers.prices import NOTHING, Amount, Charge

NO_LIMIT = 2**60


class Ended(Protocol):
    """A call that has ended: what had been set aside for it, and what it cost."""

    @property
    def held(self) -> Amount: ...

    @property
    def charge(self) -> Charge: ...


class Purse:
    """What one worker has set aside for one shard: `free` for calls to come, `held` for those under way.

    The event loop takes from it; the worker's thread fills it and settles. Where the set has no limit, nothing is set
    aside, and it only counts what is under way.
    """

    def __init__(self, run_set: int, shard: Shard, claim: UUID, is_limited: bool) -> None:
        self.run_set, self.shard, self.claim, self.is_limited = run_set, shard, claim, is_limited
        self.free = self.held = NOTHING
        self._lock = threading.Lock()

    def take(self, amount: Amount) -> bool:
        """Hold an amount for a call. False where it has to be set aside first."""
        with self._lock:
            if self.is_limited:
                if not self.free.covers(amount):
                    return False
                self.free -= amount
            self.held += amount
            return True

    @property
    def is_in_use(self) -> bool:
        """Whether something is held for calls under way."""
        return self.held != NOTHING

    def put_back(self, amount: Amount) -> None:
        """What was held for a call that cost nothing after all."""
        with self._lock:
            self.held -= amount
            if self.is_limited:
                self.free += amount

    def settle(self, ended: Iterable[Ended], is_mine: bool) -> Amount:
        """Write what calls cost, inside the transaction that stores them and as its last statement. Return what was
        held for them, to be let go of once that is committed.

        `is_mine` says whether the shard is still in this worker's hands. If not, what it had set aside was counted as
        spent already, and is corrected by what came of it.
        """
        held, spent = NOTHING, NOTHING
        for each in ended:
            held += each.held
            spent += Amount(each.charge.money or 0, each.charge.tokens)
        if held == spent == NOTHING:
            return held
        if not self.is_limited:
            move(self.run_set, spent, NOTHING)
        elif is_mine:
            keep_aside(self.shard, self.claim, NOTHING - held)
            move(self.run_set, spent, NOTHING - held)
        else:
            move(self.run_set, spent - held, NOTHING)
        return held

    def let_go_of(self, held: Amount) -> None:
        """What was held for calls that are stored and settled."""
        with self._lock:
            self.held -= held

    def fill(self, wanted: Amount, least: Amount) -> bool:
        """Set aside what is missing of `wanted`, or as much of it as leaves others a share; False where not even
        `least` can be had now. In the worker's thread."""
        missing, needed = lacking(self.free, wanted), lacking(self.free, least)
        if needed == NOTHING and self.free.covers(missing):  # half of it is there: this is no time for a statement
            return True
        for _attempt in range(3):  # others may set aside at the same moment
            left = left_of(self.run_set)
            money = max(needed.money, min(missing.money, left.money // 2))
            tokens = max(needed.tokens, min(missing.tokens, left.tokens // 2))
            if money == tokens == 0 or self._set_aside(Amount(money, tokens)):
                return True
        return needed == NOTHING

    def _set_aside(self, amount: Amount) -> bool:
        try:
            with transaction.atomic():
                keep_aside(self.shard, self.claim, amount)
                within_limits(self.run_set, amount)
        except Refused:
            return False
        with self._lock:
            self.free += amount
        return True

    def spare(self) -> bool:
        """Let others have what is not held for a call. False where the shard is in other hands."""
        with self._lock:
            amount, self.free = self.free, NOTHING
        if amount == NOTHING:
            return True
        try:
            with transaction.atomic():
                keep_aside(self.shard, self.claim, NOTHING - amount)
                move(self.run_set, NOTHING, NOTHING - amount)
        except Refused:
            with self._lock:
                self.free += amount
            return False
        return True

    def empty(self, is_mine: bool) -> None:
        """At the end, inside the transaction that lets go of the shard: what is held still was in flight when it was
        broken off, and counts as spent; what is free goes back."""
        with self._lock:
            free, held = self.free, self.held
            self.free = self.held = NOTHING
        if not self.is_limited:
            move(self.run_set, held, NOTHING)
        elif is_mine:
            move(self.run_set, held, NOTHING - held - free)
        else:
            move(self.run_set, NOTHING - free, NOTHING)


class Held:
    """What is held of a purse for one call: its worst case, once for every attempt that may be charged."""

    def __init__(self, purse: Purse | None, worst: Amount) -> None:
        self._purse, self._worst, self._times = purse, worst, 1

    @property
    def amount(self) -> Amount:
        return Amount(self._worst.money * self._times, self._worst.tokens * self._times)

    def once_more(self) -> bool:
        """Whether another attempt can be paid for, now that one may be charged that brought nothing."""
        if self._purse is not None:
            if not self._purse.take(self._worst):
                return False
            self._times += 1
        return True

    def keep(self, times: int) -> None:
        """Of a call that ends without a result: what its attempts may be charged stays, the rest goes back."""
        while self._purse is not None and self._times > times:
            self._purse.put_back(self._worst)
            self._times -= 1


class Refused(Exception):
    """Nothing was set aside."""


def purse_of(shard: Shard, claim: UUID) -> Purse | None:
    """None for a run that belongs to no set."""
    run_set = shard.run.run_set
    return None if run_set is None else Purse(run_set.pk, shard, claim, run_set.is_limited)


def whole(number: int) -> Value:
    """A bare number beside a column would go to PostgreSQL as one of four bytes, whatever the column is, and what does
    not fit into four bytes would be cut off without a word: two dollars and fifteen cents."""
    return Value(number, BigIntegerField())


def plus(column: str, number: int) -> CombinedExpression:
    return F(column) + whole(number)


def lacking(have: Amount, wanted: Amount) -> Amount:
    return Amount(max(0, wanted.money - have.money), max(0, wanted.tokens - have.tokens))


def left_of(run_set: int) -> Amount:
    """What is neither spent nor set aside of a set's limits."""
    row = RunSet.objects.get(pk=run_set)
    money = NO_LIMIT if row.money_limit is None else row.money_limit - row.money_spent - row.money_reserved
    tokens = NO_LIMIT if row.token_limit is None else row.token_limit - row.tokens_spent - row.tokens_reserved
    return Amount(max(0, money), max(0, tokens))


def keep_aside(shard: Shard, claim: UUID, amount: Amount) -> None:
    """Add to what a shard has set aside, within a transaction. Raises Refused where it is in other hands.

    The row of its job is locked by the condition, so nobody takes it out of these hands in between.
    """
    if not Job.objects.held_under(claim).filter(pk=shard.job_id).update(heartbeat_at=timezone.now()):
        raise Refused
    Shard.objects.filter(pk=shard.pk).update(
        money_reserved=plus("money_reserved", amount.money), tokens_reserved=plus("tokens_reserved", amount.tokens)
    )


def within_limits(run_set: int, amount: Amount) -> None:
    """Set an amount of a set's budget aside. Raises Refused where less than that is left."""
    money = F("money_spent") + plus("money_reserved", amount.money)
    tokens = F("tokens_spent") + plus("tokens_reserved", amount.tokens)
    rows = RunSet.objects.filter(
        Q(money_limit=None) | Q(money_limit__gte=money), Q(token_limit=None) | Q(token_limit__gte=tokens), pk=run_set
    )
    changed = rows.update(
        money_reserved=plus("money_reserved", amount.money), tokens_reserved=plus("tokens_reserved", amount.tokens)
    )
    if not changed:
        raise Refused


def is_held_by_any(run_set: int) -> bool:
    """Whether something is set aside, which may come back."""
    return RunSet.objects.filter(Q(money_reserved__gt=0) | Q(tokens_reserved__gt=0), pk=run_set).exists()


def reserved_by(shards: QuerySet[Shard]) -> dict[int, Amount]:
    """By id of run set, what these shards have set aside."""
    rows = shards.filter(run__run_set__isnull=False).values_list("run__run_set")
    sums = rows.annotate(money=Sum("money_reserved"), tokens=Sum("tokens_reserved")).order_by()
    return {pk: Amount(money, tokens) for pk, money, tokens in sums if money or tokens}


def charge(reserved: Mapping[int, Amount]) -> None:
    """Count as spent what was set aside by those who no longer hold it."""
    for pk, amount in sorted(reserved.items()):
        move(pk, spent=amount, reserved=NOTHING - amount)


def move(run_set: int, spent: Amount, reserved: Amount) -> None:
    """Add to what a set has spent and set aside; both may be negative."""
    if spent == reserved == NOTHING:
        return
    RunSet.objects.filter(pk=run_set).update(
        money_spent=plus("money_spent", spent.money),
        tokens_spent=plus("tokens_spent", spent.tokens),
        money_reserved=plus("money_reserved", reserved.money),
        tokens_reserved=plus("tokens_reserved", reserved.tokens),
    )
