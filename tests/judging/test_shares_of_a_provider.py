"""What each worker may do, worked out on paper: fair parts of the permits, and no minute beyond its limit."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.limiter.shared_limits import LEASE_SECONDS, TURN_SECONDS, Limits, Share, SharedLimits, UsageReport
from providers.limiter.token_buckets import Bucket, capacity, rate

LIMIT = 8
EIGHT = Limits(LIMIT)


class Worker:
    """As a process behaves: it starts nothing beyond its permits, and says what it holds before it is told anew."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.permits = self.under_way = self.wanted = 0

    def speak(self, shared: SharedLimits, now: float, limits: Limits = EIGHT) -> Share:
        report = UsageReport(self.name, limits, held=max(self.permits, self.under_way), under_way=self.under_way)
        report.peak, report.waiting = self.under_way, max(0, self.wanted - self.under_way)
        share = shared.update(report, now)
        self.permits = share.permits
        return share

    def start(self) -> None:
        self.under_way += max(0, min(self.permits, self.wanted) - self.under_way)

    def finish(self, count: int) -> None:
        self.under_way -= min(count, self.under_way)


def wanting(**wanted: int) -> dict[str, Worker]:
    workers = {name: Worker(name) for name in wanted}
    for name, worker in workers.items():
        worker.wanted = wanted[name]
    return workers


# --- Permits ---------------------------------------------------------------------------------------------


def settled(workers: dict[str, Worker], now: float = 0.0) -> dict[str, int]:
    shared = SharedLimits()
    for _round in range(3):
        for worker in workers.values():
            worker.speak(shared, now)
    return {name: worker.permits for name, worker in workers.items()}


def test_alone_it_has_all():
    assert settled(wanting(a=3)) == {"a": 8}


def test_equal_wants_have_equal_parts():
    assert settled(wanting(a=50, b=50)) == {"a": 4, "b": 4}


def test_who_wants_less_leaves_the_rest_to_the_others():
    """One wants 1 of 8, the others have 7 between them: 4 and 3, and in the next turn 3 and 4."""
    assert settled(wanting(a=1, b=50, c=50)) == {"a": 1, "b": 4, "c": 3}
    assert settled(wanting(a=1, b=50, c=50), TURN_SECONDS) == {"a": 1, "b": 3, "c": 4}


def test_what_nobody_wants_is_there_for_whoever_needs_it_first():
    assert settled(wanting(a=1, b=3)) == {"a": 3, "b": 5}


def test_nine_workers_take_turns_at_eight_permits():
    names = "abcdefghi"
    for turn in range(9):
        permits = settled(wanting(**dict.fromkeys(names, 5)), turn * TURN_SECONDS)
        assert sorted(permits.values()) == [0] + [1] * 8
        assert permits[names[-turn - 1]] == 0  # each is left out once


def test_what_is_under_way_is_not_given_to_another():
    shared, workers = SharedLimits(), wanting(a=8, b=8)
    a, b = workers["a"], workers["b"]
    a.speak(shared, 0.0)
    a.start()
    b.speak(shared, 0.1)
    assert (a.under_way, b.permits) == (8, 0)
    a.speak(shared, 0.2)
    assert a.permits == 4
    b.speak(shared, 0.3)
    assert b.permits == 0  # they are still on their way
    a.finish(6)
    a.speak(shared, 0.4)
    b.speak(shared, 0.5)
    assert (a.permits, b.permits) == (4, 4)


def test_a_worker_that_falls_silent_is_forgotten_after_its_lease():
    shared, workers = SharedLimits(), wanting(a=8, b=8)
    workers["a"].speak(shared, 0.0)
    workers["b"].speak(shared, LEASE_SECONDS - 0.1)
    assert workers["b"].permits == 0
    workers["b"].speak(shared, LEASE_SECONDS + 0.1)
    assert workers["b"].permits == 8


def test_the_youngest_limits_hold_for_all():
    """One worker has read the changed row, the other is still busy with a shard from before."""
    shared, workers = SharedLimits(), wanting(a=8, b=8)
    workers["a"].speak(shared, 0.0, Limits(8, read_at=1.0))
    workers["b"].speak(shared, 0.0, Limits(2, read_at=2.0))
    workers["a"].speak(shared, 0.0, Limits(8, read_at=1.0))
    assert workers["a"].permits == 1


def test_a_clock_that_was_set_back_holds_nothing_up():
    """Redis starts anew on a machine whose clock is an hour behind; a worker's copy speaks of an hour ahead."""
    shared, a = SharedLimits(), wanting(a=8)["a"]
    a.speak(shared, 3600.0)
    shared.breaker.open_until = shared.pace.hold_until = 3610.0
    b = wanting(b=8)["b"]
    share = b.speak(shared, 0.0)
    assert b.permits == 8
    assert (share.open_until, share.hold_until) == (30.0, 60.0)


def test_what_is_written_down_is_what_is_read():
    shared = SharedLimits()
    shared.update(
        UsageReport("a", Limits(8, 60, 6000), waiting=3, requests=1, tokens=10, failures=9, is_refused=True), 5.0
    )
    assert SharedLimits.load(shared.dump()) == shared


ACTIONS = st.tuples(st.sampled_from("abc"), st.sampled_from(["speak", "start", "finish", "want"]), st.integers(0, 12))


@settings(max_examples=200, deadline=None)
@given(st.lists(ACTIONS, max_size=80))
def test_never_more_under_way_than_the_limit_and_nobody_waits_for_ever(actions):
    shared, workers = SharedLimits(), wanting(a=0, b=0, c=0)
    now = 0.0
    for name, action, count in actions:
        now += 0.05
        worker = workers[name]
        if action == "speak":
            worker.speak(shared, now)
        elif action == "start":
            worker.start()
        elif action == "finish":
            worker.finish(count)
        else:
            worker.wanted = count
        for other in workers.values():  # nobody is silent for as long as a lease
            if name != other.name and other.name in shared.members:
                shared.members[other.name].until = now + LEASE_SECONDS
        assert sum(worker.under_way for worker in workers.values()) <= LIMIT
    served = set()
    for _round in range(8):  # of 60,000 beginnings drawn at random the longest wait was five rounds
        for worker in workers.values():
            worker.finish(12)
            now += 0.05
            worker.speak(shared, now)
            worker.start()
            served |= {worker.name} if worker.under_way else set()
    assert served == {worker.name for worker in workers.values() if worker.wanted}


# --- Minutes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 3, 60, 600, 5000])
@pytest.mark.parametrize("workers", [1, 3])
def test_no_minute_has_more_than_its_limit(limit, workers):
    """Workers that would send without end, each taking for a fifth of a second ahead, over eight minutes."""
    dice = random.Random(limit * workers)
    shared, limits = SharedLimits(), Limits(64, requests_per_minute=limit)
    sent: list[float] = []
    spoken = [(dice.uniform(0, 0.2), name) for name in range(workers)]
    for step in range(5 * 60 * 8):
        for first, name in sorted(spoken):
            now = first + step * 0.2
            share = shared.update(UsageReport(str(name), limits, waiting=64, requests=limit), now)
            sent += [now + dice.uniform(0, 0.2) for _request in range(share.requests)]
    sent.sort()
    ahead = 0
    for first, moment in enumerate(sent):
        while ahead < len(sent) and sent[ahead] < moment + 60:
            ahead += 1
        assert ahead - first <= limit
    # What is held back is little: a thirtieth.
    assert len(sent) >= 8 * limit * 0.96 - 1


def test_how_fast_sixty_a_minute_are():
    """Two to begin with and 59 more in 61 seconds, a permit being used within one: at most 60 in any minute."""
    assert capacity(60) == 2
    assert rate(60) == pytest.approx(59 / 61)
    bucket = Bucket(2, 0.0)
    assert (bucket.take_whole(5, 1), bucket.take_whole(1, 1)) == (2, 0)
    bucket.refill(60, 61 / 59)
    assert bucket.take_whole(5, 2) == 1


def test_more_tokens_than_expected_are_paid_back_before_the_next():
    shared, limits = SharedLimits(), Limits(8, tokens_per_minute=6000)  # about 97 a second, and 101 at first
    share = shared.update(UsageReport("a", limits, waiting=1, tokens=101), 0.0)
    assert share.tokens == 101
    share = shared.update(UsageReport("a", limits, waiting=1, tokens=100, tokens_beyond=300), 0.0)
    assert share.tokens == 0
    needed = 300 / rate(6000)
    share = shared.update(UsageReport("a", limits, waiting=1, tokens=50), needed + 0.5)
    assert share.tokens == pytest.approx(0.5 * rate(6000))


def test_what_is_not_used_is_given_back():
    shared, limits = SharedLimits(), Limits(8, requests_per_minute=600)
    assert shared.update(UsageReport("a", limits, waiting=11, requests=11), 0.0).requests == 11
    assert shared.update(UsageReport("b", limits, waiting=10, requests=10), 0.0).requests == 0
    shared.update(UsageReport("a", limits, under_way=1, requests=-8), 0.0)
    assert (
        shared.update(UsageReport("b", limits, waiting=10, requests=10), 0.0).requests == 4
    )  # half of it: there are two who want
