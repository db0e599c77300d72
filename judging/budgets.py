"""Budgets: money and tokens are set aside before a call and settled with what it did cost, across all workers.

A shard sets aside a block for many calls by one conditional UPDATE on its run set's row; within the block its worker
counts by itself. What came back is settled in the transaction that stores it. So at every moment

    what providers may charge <= spent + reserved <= limit

whoever dies. Whoever takes a shard out of its worker's hands counts what it had set aside as spent, because nobody
knows what of it was in flight; a worker that lives after all puts that right when its results come.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F, QuerySet, Sum

from judging.models import RunSet, Shard


@dataclass(frozen=True, slots=True)
class Amount:
    """Billionths of a US dollar, and tokens."""

    money: int = 0
    tokens: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.money + other.money, self.tokens + other.tokens)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.money - other.money, self.tokens - other.tokens)

    def covers(self, other: "Amount") -> bool:
        return self.money >= other.money and self.tokens >= other.tokens


NOTHING = Amount()


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
    RunSet.objects.filter(pk=run_set).update(
        money_spent=F("money_spent") + spent.money,
        tokens_spent=F("tokens_spent") + spent.tokens,
        money_reserved=F("money_reserved") + reserved.money,
        tokens_reserved=F("tokens_reserved") + reserved.tokens,
    )
