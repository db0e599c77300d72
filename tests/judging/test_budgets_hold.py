"""A budget holds whatever happens: workers that come and go, die, or come back from the dead; pauses and resumes.

The provider of these stories is merciless: it charges every attempt that was ever sent, the most that it can, unless
a worker has said what it did cost. What it may charge never exceeds what is counted as spent or set aside, and that
never exceeds the limit.
"""

import contextlib
import random
import threading
from dataclasses import dataclass, field

import pytest
from django.db import close_old_connections, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobs.models import Job, JobState
from jobs.sweeping import sweep
from jobs.working import Held
from judging.engine import budgets, runs, shards
from judging.engine.budgets import BudgetReservation, reservation_of
from judging.engine.calling import Result
from judging.engine.run_sets import raise_limits
from judging.engine.storing import store
from judging.judges import add_judge
from judging.models import RunSet, RunState, Shard
from projects.problems import Invalid
from providers.prices import NOTHING, Amount, Charge
from tests.judging.budgeting import a_set, priced

STEPS = ("claim", "fill", "send", "answer", "die", "sweep", "pause", "resume", "cancel", "end", "spare", "raise")
MOST = Amount(60, 40)  # a call's worst case


@dataclass
class Worker:
    """A shard in a worker's hands, as the worker believes, and the worst cases of its calls under way."""

    shard: Shard
    held: Held
    reservation: BudgetReservation
    under_way: list[Amount] = field(default_factory=list)


class World:
    """A run set of three shards, its workers, and what the provider may charge."""

    def __init__(self, run_set: RunSet) -> None:
        self.run_set, self.run = run_set, run_set.runs.get()
        self.workers: list[Worker] = []
        self.charged = NOTHING  # by what is known to have ended, and by what nobody will ever know of

    def step(self, name: str, n: int, share: float) -> None:
        worker = self.workers[n % len(self.workers)] if self.workers else None
        if name in ("claim", "sweep", "pause", "resume", "cancel", "raise"):
            getattr(self, name)(n, share)
        elif worker is not None:
            getattr(self, name)(worker, n, share)

    def claim(self, n: int, _share: float) -> None:
        pk = list(self.run.shards.order_by("pk").values_list("pk", flat=True))[n % 3]
        if taken := shards.claim_shard(pk):
            shard, held = taken
            reservation = reservation_of(shard, held.claim)
            assert reservation is not None
            self.workers.append(Worker(shard, held, reservation))

    def fill(self, worker: Worker, n: int, _share: float) -> None:
        wanted = Amount(MOST.money * (n % 5 + 1), MOST.tokens * (n % 5 + 1))
        worker.reservation.extend(wanted, MOST)

    def send(self, worker: Worker, n: int, share: float) -> None:
        for _call in range(n % 4 + 1):
            worst = Amount(round(MOST.money * share), round(MOST.tokens * share))
            if worker.reservation.hold(worst):
                worker.under_way.append(worst)

    def answer(self, worker: Worker, n: int, share: float) -> None:
        ended, worker.under_way = worker.under_way[: n % 3 + 1], worker.under_way[n % 3 + 1 :]
        results = []
        for worst in ended:
            cost = Charge(round(worst.money * share), round(worst.tokens * share), False)
            results.append(Result(-1, -1, "failed", charge=cost, held=worst))
            self.charged += Amount(cost.money or 0, cost.tokens)
        store(worker.shard, worker.held.claim, results, worker.reservation)

    def die(self, worker: Worker, _n: int, _share: float) -> None:
        self.workers.remove(worker)
        self.charged = sum(worker.under_way, self.charged)

    def end(self, worker: Worker, _n: int, _share: float) -> None:
        self.die(worker, 0, 0)
        shards.release_shard(worker.held, worker.shard, worker.reservation)
        runs.finish_if_over(worker.shard.run_id)

    def spare(self, worker: Worker, _n: int, _share: float) -> None:
        worker.reservation.return_available()

    def sweep(self, _n: int, _share: float) -> None:
        """Everybody has been silent for long, the dead and those who were only slow."""
        Job.objects.filter(state=JobState.RUNNING).update(heartbeat_at="2020-01-01T00:00Z", attempts=0)
        sweep()

    def pause(self, _n: int, _share: float) -> None:
        runs.pause(self.run)

    def resume(self, _n: int, _share: float) -> None:
        with contextlib.suppress(Invalid):  # all of it is spent
            if not runs.resume(self.run) and self.run.state == RunState.PLANNED:
                runs.start_here(self.run)
        if self.run.state == RunState.RUNNING:
            Job.objects.filter(state=JobState.DONE).update(state=JobState.QUEUED, ended_at=None)

    def cancel(self, _n: int, share: float) -> None:
        if share > 0.7:
            runs.cancel(self.run)

    def raise_(self, n: int, share: float) -> None:
        row = RunSet.objects.get(pk=self.run_set.pk)
        assert row.money_limit is not None
        assert row.token_limit is not None
        with contextlib.suppress(Invalid):
            raise_limits(row, round(row.money_limit * (0.5 + share)) or 1, round(row.token_limit * (0.5 + share)) or 1)

    def check(self) -> None:
        row = RunSet.objects.get(pk=self.run_set.pk)
        may_charge = sum((worst for worker in self.workers for worst in worker.under_way), self.charged)
        counted = Amount(row.money_spent + row.money_reserved, row.tokens_spent + row.tokens_reserved)
        assert counted.covers(may_charge)
        assert row.money_limit is not None
        assert row.token_limit is not None
        assert Amount(row.money_limit, row.token_limit).covers(counted)
        held = sum((Amount(*pair) for pair in Shard.objects.values_list("money_reserved", "tokens_reserved")), NOTHING)
        assert held == Amount(row.money_reserved, row.tokens_reserved)


setattr(World, "raise", World.raise_)


@pytest.fixture
def judge(project, db, feasts, settings):
    from providers.endpoints import simulated_provider

    return priced(add_judge(project, simulated_provider(), "simulated-1", max_output_tokens=100))


@pytest.fixture
def three_shards(judge, monkeypatch):
    """A set whose run has three shards and some money."""
    monkeypatch.setattr(runs, "MAX_IN_SHARD", 8)
    monkeypatch.setattr(runs, "MIN_IN_SHARD", 8)
    run_set = a_set(judge, money_limit=400, token_limit=300)
    assert run_set.runs.get().shards.count() == 3
    return run_set


def play(run_set: RunSet, steps) -> None:
    with transaction.atomic():
        world = World(run_set)
        runs.start_here(world.run)
        for name, n, share in steps:
            world.step(name, n, share)
            world.check()
        transaction.set_rollback(True)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 20), st.floats(0, 1)), max_size=40))
def test_what_may_be_charged_is_counted_and_what_is_counted_is_within_the_limit(three_shards, steps):
    play(three_shards, steps)


# A worker extends its reservation, sends four calls and dies; another takes the shard over, again and again.
TAKEN_AND_LOST = [("claim", 0, 0), ("fill", 4, 0), ("send", 3, 1.0), ("die", 0, 0), ("sweep", 0, 0)]
DEATHS = TAKEN_AND_LOST * 6
# A worker is thought dead, comes back, and settles what had been counted as spent.
BACK_FROM_THE_DEAD = [*TAKEN_AND_LOST[:3], ("sweep", 0, 0), ("answer", 2, 1.0), ("end", 0, 0)]


@pytest.mark.parametrize("steps", [DEATHS, BACK_FROM_THE_DEAD])
def test_deaths_are_paid_for(three_shards, steps):
    play(three_shards, steps)


def test_without_the_charge_for_the_dead_it_would_be_exceeded(three_shards, monkeypatch):
    """The planted defect: what a dead worker had set aside is free for others at once."""

    def forgive(reserved):
        for pk, amount in reserved.items():
            budgets.add_to_run_set(pk, NOTHING, NOTHING - amount)

    monkeypatch.setattr(budgets, "count_as_spent", forgive)
    with pytest.raises(AssertionError):
        play(three_shards, DEATHS)


def test_without_the_condition_of_the_update_it_would_be_exceeded(three_shards, monkeypatch):
    """The planted defect: what is set aside is not compared with what is left."""
    monkeypatch.setattr(
        budgets, "reserve_within_limits", lambda pk, amount: budgets.add_to_run_set(pk, NOTHING, amount)
    )
    monkeypatch.setattr(budgets, "remaining_budget", lambda pk: Amount(10**9, 10**9))
    with pytest.raises(AssertionError):
        play(three_shards, DEATHS)


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment(three_shards):
    """Three threads with connections of their own fill, send, answer and die side by side, while a fourth looks on."""
    world = World(three_shards)
    runs.start_here(world.run)
    stopped, broken, charged = threading.Event(), [], []

    def work(n: int) -> None:
        dice = random.Random(n)
        try:
            for _turn in range(12):
                mine = World(three_shards)
                mine.claim(n, 0)
                for _step in range(6):
                    name = dice.choice(("fill", "send", "answer", "send", "answer", "spare"))
                    mine.step(name, dice.randrange(20), dice.random())
                for _worker in list(mine.workers):
                    mine.step(dice.choice(("end", "die")), 0, 0)
                charged.append(mine.charged)
                Job.objects.filter(shard=mine.run.shards.order_by("pk")[n].pk, state=JobState.RUNNING).update(
                    heartbeat_at="2020-01-01T00:00Z", attempts=0
                )
                sweep()
                Job.objects.filter(state=JobState.DONE).update(state=JobState.QUEUED, ended_at=None)
        except BaseException as problem:
            broken.append(problem)
        finally:
            connection.close()

    def look_on() -> None:
        while not stopped.wait(0.01):
            row = RunSet.objects.get(pk=three_shards.pk)
            if row.money_spent + row.money_reserved > (row.money_limit or 0):
                broken.append(AssertionError("money"))
            if row.tokens_spent + row.tokens_reserved > (row.token_limit or 0):
                broken.append(AssertionError("tokens"))
        connection.close()

    close_old_connections()
    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    watcher = threading.Thread(target=look_on)
    for thread in (*threads, watcher):
        thread.start()
    for thread in threads:
        thread.join(60)
    stopped.set()
    watcher.join(10)
    assert not broken
    row = RunSet.objects.get(pk=three_shards.pk)
    assert Amount(row.money_spent, row.tokens_spent).covers(sum(charged, NOTHING))
    assert (row.money_reserved, row.tokens_reserved) == (0, 0)
