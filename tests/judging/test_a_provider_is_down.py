"""A provider that does not answer is left alone, and asked again by one call at a time until it is back."""

import asyncio
import time
from itertools import pairwise

import pytest

from judging.collecting import difficulty
from judging.collecting.calling import Question, Setup, prepare
from judging.collecting.calling import ask as collect
from judging.models import CollectionState
from providers.client import loop, retrying
from providers.client.endpoint import Endpoint
from providers.client.requests import PlainRequest
from providers.laboratories import Guard
from providers.limiter import circuit_breaker, rate_limiter
from providers.limiter.circuit_breaker import Breaker, ProviderDown
from tests import coroutines
from tests.judging.sending import Answer, Provider
from tests.judging.test_a_call_and_its_attempts import REQUEST, opened
from tests.patience import given_more_time

COOL_OFF = 0.3


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)
    monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", COOL_OFF)
    monkeypatch.setattr(rate_limiter, "RENEW_SECONDS", 0.02)


async def until(condition) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture
def provider():
    provider = Provider(lambda number: Answer(503))
    yield provider
    provider.stop()


def test_after_five_failures_one_call_tries_at_a_time_until_it_answers(provider, monkeypatch):
    """Five attempts, a pause; a sixth, twice the pause; the seventh is answered, and the others follow at once."""
    provider.answer = lambda number: Answer(503 if number <= 6 else 200)

    async def ask():
        connections = opened(provider.url, concurrency=1)
        return await asyncio.gather(*(connections.ask(REQUEST) for _call in range(8)))

    def story(factor: float) -> None:
        provider.forget()
        cool_off = COOL_OFF * factor
        monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", cool_off)
        replies = coroutines.run(ask())
        assert {reply.failure for reply in replies} == {""}
        times = provider.arrivals
        assert times[5] - times[4] >= cool_off
        assert times[6] - times[5] >= 2 * cool_off
        # Waiting spends no attempts: beyond the six that failed each call was sent once.
        assert sum(reply.attempts for reply in replies) == len(times) == 6 + 8
        assert times[4] - times[0] < cool_off
        assert times[-1] - times[6] < cool_off

    given_more_time(story)


def test_while_it_is_open_only_one_is_sent_where_many_wait(provider, monkeypatch):
    """A burst of as many as may be under way; after a pause one; after twice the pause, where it lasts, one more."""

    async def ask(cool_off: float):
        connections = opened(provider.url, concurrency=16)
        asked = [asyncio.create_task(connections.ask(REQUEST)) for _call in range(40)]
        await until(lambda: provider.arrivals and provider.arrivals[-1] - provider.arrivals[0] >= cool_off)
        await asyncio.sleep(cool_off)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    def story(factor: float) -> None:
        provider.forget()
        cool_off = COOL_OFF * factor
        provider.answer = lambda number: Answer(503, seconds=0.05 * factor)
        monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", cool_off)
        coroutines.run(ask(cool_off))
        pauses = [later - earlier for earlier, later in pairwise(provider.arrivals)]
        burst = next(number for number, pause in enumerate(pauses, start=1) if pause >= 0.9 * cool_off)
        assert 5 <= burst <= 16
        assert all(pause >= 1.8 * cool_off for pause in pauses[burst:])

    given_more_time(story)


@pytest.mark.parametrize("status", [400, 429])
def test_a_refusal_shows_that_somebody_is_there(status, provider, monkeypatch):
    """Four failures, a refusal, four failures, and so on: never five in a row, after which nothing would be sent."""
    monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", 60.0)
    monkeypatch.setattr(circuit_breaker, "MAX_COOL_OFF_SECONDS", 60.0)
    provider.answer = lambda number: Answer(status if number % 5 == 0 else 500)

    async def story():
        connections = opened(provider.url, concurrency=1)
        return await asyncio.gather(*(connections.ask(REQUEST) for _call in range(3)))

    began = time.monotonic()
    coroutines.run(story())
    assert len(provider.arrivals) >= 12
    assert time.monotonic() - began < 30


def test_a_probe_that_is_given_up_leaves_the_next_to_another(provider):
    """The call that probes is cancelled on its way; somebody else tries, and the provider is back."""
    provider.answer = lambda number: Answer(503) if number <= 5 else Answer(seconds=60 if number == 6 else 0)

    async def story():
        connections = opened(provider.url, concurrency=1, timeout_seconds=60)
        asked = [asyncio.create_task(connections.ask(REQUEST)) for _call in range(3)]
        await until(lambda: len(provider.arrivals) == 6)
        asked.pop().cancel()  # in turn the sixth attempt is the third call's
        return await asyncio.wait_for(asyncio.gather(*asked), 40)

    assert {reply.failure for reply in coroutines.run(story())} == {""}


def test_down_for_too_long_is_for_people_to_decide(provider, monkeypatch):
    """All calls are told at once, with what was sent of them; later a new one tries whether it is back."""
    monkeypatch.setattr(circuit_breaker, "MAX_SECONDS_DOWN", 0.5)
    monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", 30.0)

    async def story():
        connections = opened(provider.url, concurrency=2)
        told = await asyncio.gather(*(connections.ask(REQUEST) for _call in range(6)), return_exceptions=True)
        sent = len(provider.arrivals)
        with pytest.raises(ProviderDown):
            await connections.ask(REQUEST)
        assert len(provider.arrivals) == sent
        provider.answer = lambda number: Answer()
        monkeypatch.setattr(circuit_breaker, "MAX_COOL_OFF_SECONDS", 0.0)  # as if the pause were over
        return told, sent, await connections.ask(REQUEST)

    told, sent, last = coroutines.run(story())
    down = [problem for problem in told if isinstance(problem, ProviderDown)]
    assert len(down) >= 4  # one call may have come to the end of its attempts before
    # What is broken off on its way to the provider is an attempt, and may not have arrived.
    assert sent <= sum(problem.attempts for problem in told) <= sent + 2
    assert {problem.uncertain for problem in down} == {0}
    assert last.failure == ""


def test_how_long_it_stays_open():
    """Five failures: 0.3 s; each failed probe doubles that, up to 30 s; an answer ends it."""
    breaker = Breaker()
    breaker.record(100.0, is_answered=False, failures=4, at_once=8)
    assert not breaker.is_open
    breaker.record(100.0, is_answered=True, failures=4, at_once=8)
    assert not breaker.is_open
    breaker.record(100.0, is_answered=False, failures=1, at_once=8)
    assert breaker.open_until == pytest.approx(100.3)
    assert not breaker.probe(100.2, "one", 5)
    assert breaker.probe(100.3, "one", 5)
    assert not breaker.probe(100.4, "another", 5)
    assert breaker.probe(105.4, "another", 5)  # the first one was never heard of again
    breaker.record_probe(106.0, "another", has_failed=True)
    assert breaker.open_until == pytest.approx(106.6)
    for _probe in range(10):
        assert breaker.probe(breaker.open_until, "one", 5)
        breaker.record_probe(breaker.open_until, "one", has_failed=True)
    now = breaker.open_until - 30
    assert breaker.is_down(now)
    assert not breaker.is_down(breaker.open_until)  # time to try
    breaker.record(now, is_answered=True, failures=0, at_once=8)
    assert not breaker.is_open
    assert not breaker.is_down(now)


@pytest.mark.parametrize(("at_once", "failures"), [(1, 5), (16, 5), (64, 16)])
def test_many_at_once_fail_together(at_once, failures):
    breaker = Breaker()
    breaker.record(0.0, is_answered=False, failures=failures - 1, at_once=at_once)
    assert not breaker.is_open
    breaker.record(0.0, is_answered=False, failures=1, at_once=at_once)
    assert breaker.is_open


# --- Who else asks providers -----------------------------------------------------------------------------


def test_a_prompt_to_a_target_model_stays_open(provider, monkeypatch):
    monkeypatch.setattr(circuit_breaker, "MAX_SECONDS_DOWN", 0.0)

    async def story():
        connections = opened(provider.url)
        setup = Setup(Guard("simulated-1", "simulated"), "simulated-1")
        questions = [prepare(setup, Question(n, "?")) for n in range(8)]
        asked = (collect(setup, connections, each) for each in questions)
        return await asyncio.gather(*asked, return_exceptions=True)

    came = coroutines.run(story())
    assert any(isinstance(each, ProviderDown) for each in came)
    answers = [each.read() for each in came if not isinstance(each, ProviderDown)]
    assert {answer.state for answer in answers} <= {CollectionState.FAILED}


def test_an_author_is_told_at_once(provider, monkeypatch):
    monkeypatch.setattr(circuit_breaker, "MAX_SECONDS_DOWN", 0.0)
    monkeypatch.setattr(circuit_breaker, "COOL_OFF_SECONDS", 30.0)
    endpoint = Endpoint(name="authors", base_url=provider.url, key="", timeout_seconds=60, concurrency=4)

    async def fail():
        connections = loop.connections(endpoint)
        await asyncio.gather(*(connections.ask(REQUEST) for _call in range(5)), return_exceptions=True)

    loop.run(fail()).result()
    began = time.monotonic()
    reply = loop.run(difficulty.within(loop.connections(endpoint), PlainRequest("m", "?"), 60)).result()
    assert (reply.failure, time.monotonic() - began < 20) == ("provider_down", True)
    with pytest.raises(difficulty.NoAnswer, match="no_answer"):
        difficulty.answer_of(reply)
