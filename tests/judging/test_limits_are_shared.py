"""Two workers on one Redis send to one provider: its limits hold for both together, whatever becomes of Redis."""

import time

import pytest
import redis

from tests import servers
from tests.judging.sending import Answer, Provider, Sender, senders
from tests.patience import given_more_time

pytestmark = [pytest.mark.redis, pytest.mark.xdist_group("waiting for workers")]
# A minute of the tests, so that several of them pass within one.
MINUTE = 1.5
QUICK = {
    "client.retrying.FIRST_WAIT": 0.02,
    "limiter.token_buckets.MINUTE": MINUTE,
    "limiter.token_buckets.BURST_SECONDS": 0.2,
    "limiter.token_buckets.HELD_SECONDS": 0.4,
}


@pytest.fixture(scope="module")
def redis_url():
    """A Redis of its own: the tests flush it, which the others' would not stand."""
    with servers.redis() as url:
        yield url


@pytest.fixture
def flush(redis_url):
    redis.Redis.from_url(redis_url).flushall()
    return redis.Redis.from_url(redis_url).flushall


@pytest.fixture
def provider(flush):
    """Its first answers take so long that the calls meet which may be under way at once, however slow they are sent."""
    provider = Provider(lambda number: Answer(seconds=1 if number <= 8 else 0.05))
    yield provider
    provider.stop()


def sender(redis_url: str, provider: Provider, calls: int, **told) -> Sender:
    constants = QUICK | told.pop("constants", {})
    endpoint = {"base_url": provider.url, "timeout_seconds": 10, "concurrency": 8} | told
    return Sender(redis_url, calls, workers=30, constants=constants, **endpoint)


def test_two_processes_keep_to_the_concurrency_together(redis_url, provider):
    with senders(sender(redis_url, provider, 120), sender(redis_url, provider, 120)) as (one, other):
        one.go()
        other.go()
        assert one.came() == other.came() == {"": 120}
    assert provider.most_open == 8  # and not 16; nor is any of it left unused


def test_a_process_alone_has_it_all_and_shares_it_with_one_that_joins(redis_url, provider, flush):
    """The first has all eight. The second gets its part within moments, and not only once the first is through."""

    def story(factor: float) -> None:
        flush()
        provider.forget()
        provider.answer = lambda number: Answer(seconds=0.05 * factor)
        with senders(sender(redis_url, provider, 400), sender(redis_url, provider, 40)) as (one, other):
            one.go()
            provider.until(lambda: provider.most_open == 8)
            before = len(provider.arrivals)
            other.go()
            assert other.came() == {"": 40}
            # Four of eight are its own: while its 40 were sent, so were some of the other's, and by far not all.
            assert len(provider.arrivals) - before < 0.75 * (400 + 40 - before)
            assert one.came() == {"": 400}
        assert provider.most_open == 8

    given_more_time(story)


def test_permits_of_a_killed_process_come_back(redis_url, provider):
    """It can give nothing back itself: its lease ends, and the other has all of them."""
    provider.answer = lambda number: Answer(seconds=0.3)
    short = {"limiter.shared_limits.LEASE_SECONDS": 0.8}
    doomed = sender(redis_url, provider, 100, constants=short)
    heir = sender(redis_url, provider, 48, constants=short)
    with senders(doomed, heir):
        doomed.go()
        heir.go()
        provider.until(lambda: provider.most_open == 8)
        doomed.kill()
        time.sleep(0.9)  # until its lease has ended
        provider.forget()
        assert heir.came() == {"": 48}
    assert provider.most_open == 8


def test_fewer_permits_than_processes_go_from_one_to_the_other(redis_url, provider):
    provider.answer = lambda number: Answer(seconds=0.02)
    short = {"limiter.shared_limits.TURN_SECONDS": 0.3}
    one, other = (sender(redis_url, provider, 20, concurrency=1, constants=short) for _process in range(2))
    with senders(one, other):
        one.go()
        other.go()
        assert one.came() == other.came() == {"": 20}
    assert provider.most_open == 1


def test_redis_is_flushed_while_they_send(redis_url, provider, flush):
    """The state comes back from whoever speaks first: nobody waits for ever, and the limit holds throughout."""
    with senders(sender(redis_url, provider, 150), sender(redis_url, provider, 150)) as (one, other):
        one.go()
        other.go()
        for _flush in range(10):
            time.sleep(0.11)
            flush()
        assert one.came() == other.came() == {"": 150}
    assert provider.most_open <= 8


def minutes(factor: float) -> tuple[dict[str, float], float]:
    """The constants of a minute that is longer than the others', and its seconds: what is sent late counts for less."""
    names = (
        "limiter.token_buckets.MINUTE",
        "limiter.token_buckets.BURST_SECONDS",
        "limiter.token_buckets.HELD_SECONDS",
    )
    return {name: QUICK[name] * factor for name in names}, MINUTE * factor


def test_two_processes_keep_to_the_requests_per_minute_together(redis_url, provider, flush):
    """Sixty a minute, over more than two of the test's minutes; Redis forgets all about it on the way."""
    provider.answer = lambda number: Answer()

    def story(factor: float) -> None:
        flush()
        provider.forget()
        constants, minute = minutes(factor)
        told = {"requests_per_minute": 60, "constants": constants}
        one, other = (sender(redis_url, provider, 70, **told) for _process in range(2))
        with senders(one, other):
            one.go()
            other.go()
            provider.until(lambda: len(provider.arrivals) >= 30)
            flush()
            assert one.came() == other.came() == {"": 70}
        taken = provider.arrivals[-1] - provider.arrivals[0]
        assert provider.most_within(minute) <= 60
        assert taken > 2 * minute

    given_more_time(story)


def test_tokens_are_counted_as_well(redis_url, provider, flush):
    """6000 tokens a minute of calls of 100 tokens are sixty calls."""
    provider.answer = lambda number: Answer()

    def story(factor: float) -> None:
        flush()
        provider.forget()
        constants, minute = minutes(factor)
        told = {"tokens_per_minute": 6000, "constants": constants}
        one, other = (sender(redis_url, provider, 50, **told) for _process in range(2))
        with senders(one, other):
            one.go()
            other.go()
            assert one.came() == other.came() == {"": 50}
        assert provider.most_within(minute) <= 61

    given_more_time(story)


def test_a_429_to_one_slows_both_down(redis_url, provider):
    """The provider bears four at once and says so. Both learn of it, though each is told only of its own calls."""
    provider.answer = lambda number: Answer(429 if provider.open >= 4 else 200, seconds=0.03)
    one, other = (sender(redis_url, provider, 150, concurrency=24) for _process in range(2))
    with senders(one, other):
        one.go()
        other.go()
        assert one.came() == other.came() == {"": 150}
    # Unadapted, 24 at once would have 20 refused each time. Once slowed down few are sent in vain.
    refused = len(provider.arrivals) - 300
    assert refused < 100


def test_what_one_finds_down_the_other_leaves_alone(redis_url, provider, flush):
    """Twenty calls of the first fail; then nothing is sent by either until the cool-off is over."""

    def story(factor: float) -> None:
        flush()
        provider.forget()
        provider.answer = lambda number: Answer(503)
        constants = {"limiter.circuit_breaker.COOL_OFF_SECONDS": 1.5 * factor}
        one, other = (sender(redis_url, provider, 20, constants=constants) for _process in range(2))
        with senders(one, other):
            one.go()
            provider.until(lambda: len(provider.arrivals) >= 5)
            time.sleep(0.5 * factor)  # in which more would come
            sent = len(provider.arrivals)
            assert 5 <= sent <= 5 + 8  # five failures open it; the others were under way
            other.go()
            time.sleep(0.5 * factor)
            assert len(provider.arrivals) == sent
            provider.answer = lambda number: Answer()
            assert one.came() == other.came() == {"": 20}

    given_more_time(story)


def test_without_redis_each_keeps_to_its_own_limits(provider):
    nowhere = f"redis://127.0.0.1:{servers.free_port()}/0"
    with senders(sender(nowhere, provider, 60)) as (alone,):
        alone.go()
        assert alone.came() == {"": 60}
    assert provider.most_open == 8


def test_redis_goes_away_while_they_send(provider):
    """Each goes on with what was its part: together they keep to the limit."""
    with servers.redis() as url:
        one, other = sender(url, provider, 160), sender(url, provider, 160)
        for started in (one, other):
            started.ready()
        one.go()
        other.go()
        provider.until(lambda: len(provider.arrivals) >= 80)
    try:
        assert one.came() == other.came() == {"": 160}
    finally:
        one.kill()
        other.kill()
    assert provider.most_open == 8
