"""Budgets beyond what four bytes hold: of billionths of a dollar, that is two dollars and fifteen cents."""

import pytest

from judging.engine import runs
from judging.engine.budgets import add_to_run_set, add_to_shard, reserve_within_limits
from judging.engine.run_sets import raise_limits
from judging.engine.shards import claim_shard
from judging.judges import add_judge
from providers.endpoints import simulated_provider
from providers.prices import NOTHING, Amount
from tests.judging.budgeting import DOLLAR, a_set, priced

pytestmark = pytest.mark.django_db
# More than 2**31 of either, and more than 2**32.
AMOUNTS = [Amount(3 * DOLLAR, 3 * 10**9), Amount(5 * DOLLAR, 5 * 10**9)]


@pytest.fixture
def run_set(project, feasts):
    judge = priced(add_judge(project, simulated_provider(), "simulated-1"))
    return a_set(judge, money_limit=100 * DOLLAR, token_limit=100 * 10**9)


@pytest.mark.parametrize("amount", AMOUNTS)
def test_large_amounts_are_set_aside_and_spent_to_the_last_billionth(run_set, amount):
    (shard, *_others) = runs.start_here(run_set.runs.get())
    shard, held = claim_shard(shard)

    add_to_shard(shard, held.claim, amount)
    reserve_within_limits(run_set.pk, amount)
    add_to_run_set(run_set.pk, spent=amount, reserved=NOTHING - amount)

    run_set.refresh_from_db()
    shard.refresh_from_db()
    assert (shard.money_reserved, shard.tokens_reserved) == (amount.money, amount.tokens)
    assert (run_set.money_spent, run_set.tokens_spent) == (amount.money, amount.tokens)
    assert (run_set.money_reserved, run_set.tokens_reserved) == (0, 0)


@pytest.mark.parametrize("dollars", [3, 7])
def test_large_limits_are_set(run_set, dollars):
    add_to_run_set(run_set.pk, spent=Amount(2 * DOLLAR, 2 * 10**9), reserved=NOTHING)
    raise_limits(run_set, dollars * DOLLAR, dollars * 10**9)
    run_set.refresh_from_db()
    assert run_set.money_limit == dollars * DOLLAR
