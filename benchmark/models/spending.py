"""What the calls of a pass have cost together, where no call of it has a row of its own."""

from django.db import models
from django.db.models import F, Q


class Spending(models.Model):
    """The sum over the calls that were sent. Nothing is taken from it again, whatever becomes of the pass."""

    # Billionths of a US dollar over the calls that have a price, and tokens over all.
    cost = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    # Of the calls, those whose model has no price: they are not in `cost`.
    unpriced_calls = models.PositiveIntegerField(default=0)
    # Of the calls, those whose cost is an upper bound: the provider did not count, or an attempt broke off.
    bound_calls = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


def counts_fit() -> Q:
    """Calls without a price and calls whose cost is a bound are among the calls, and none is both."""
    return Q(calls__gte=F("unpriced_calls") + F("bound_calls"))
