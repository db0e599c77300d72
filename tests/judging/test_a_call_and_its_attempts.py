"""One call to a provider that fails in many ways: when it is tried again, how long it takes, what it may have cost."""

import asyncio
import time

import pytest

from providers.client import retrying
from providers.client.endpoint import Endpoint
from providers.client.openai_compatible import Connections
from providers.client.replies import Reply
from providers.client.requests import PlainRequest
from providers.limiter import pace
from providers.limiter.rate_limiter import RateLimiter
from providers.limiter.shared_limits import Limits
from providers.limiter.stores import LocalStore
from tests import coroutines
from tests.judging.sending import Answer, Provider
from tests.patience import given_more_time
from tests.servers import free_port

REQUEST = PlainRequest("simulated-1", "Where is the fair held?")


@pytest.fixture(autouse=True)
def no_jitter(monkeypatch):
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)


@pytest.fixture
def provider():
    provider = Provider()
    yield provider
    provider.stop()


def opened(url: str, **told) -> Connections:
    values = {"timeout_seconds": 30, "concurrency": 4, "deadline_seconds": 120} | told
    endpoint = Endpoint(name="trial", base_url=url, key="", **values)
    limits = Limits(endpoint.concurrency, endpoint.requests_per_minute, endpoint.tokens_per_minute)
    return Connections(endpoint, RateLimiter("trial", "w", LocalStore(), limits))


def ask(url: str, calls: int = 1, *, key: str = "", **told) -> list[Reply]:
    async def all_at_once() -> list[Reply]:
        connections = opened(url, **told)
        return await asyncio.gather(*(connections.ask(REQUEST, idempotency_key=key) for _call in range(calls)))

    return coroutines.run(all_at_once())


def in_turn(*answers: Answer):
    """The answers one after the other, and good ones from then on."""
    return lambda number: answers[number - 1] if number <= len(answers) else Answer()


# --- Another attempt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken", [Answer(missing=40), Answer(breaks_off=True)], ids=["a body cut short", "no answer at all"]
)
def test_what_breaks_off_is_asked_for_again_and_may_have_been_charged(broken, provider):
    provider.answer = in_turn(broken, broken)
    (reply,) = ask(provider.url)
    assert (reply.failure, reply.text, reply.attempts, reply.uncertain) == ("", "{}", 3, 2)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_is_refused_with_a_status_was_not_charged(status, provider):
    provider.answer = in_turn(Answer(status))
    (reply,) = ask(provider.url)
    assert (reply.failure, reply.attempts, reply.uncertain) == ("", 2, 0)


def test_a_timeout_may_have_been_charged(provider):
    provider.answer = in_turn(Answer(seconds=60))

    def story(factor: float) -> None:
        provider.forget()
        (reply,) = ask(provider.url, timeout_seconds=0.3 * factor)
        assert (reply.failure, reply.attempts, reply.uncertain) == ("", 2, 1)

    given_more_time(story)


def test_what_never_reached_the_provider_was_not_charged():
    (reply,) = ask(f"http://127.0.0.1:{free_port()}/v1")
    assert (reply.failure, reply.attempts, reply.uncertain) == ("connection", retrying.MAX_ATTEMPTS, 0)


@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_what_would_be_as_wrong_again_is_sent_once(status, provider):
    provider.answer = lambda number: Answer(status)
    (reply,) = ask(provider.url)
    assert (reply.failure, reply.attempts) == (f"http_{status}", 1)
    assert len(provider.arrivals) == 1


def test_an_empty_account_is_not_asked_again(provider):
    provider.answer = lambda number: Answer(429, body={"error": {"code": "insufficient_quota"}})
    (reply,) = ask(provider.url)
    assert (reply.failure, reply.attempts) == ("http_429", 1)


def test_every_attempt_of_a_call_carries_its_key(provider):
    provider.answer = in_turn(Answer(500), Answer(missing=5))
    ask(provider.url, key="call-17-round-1")
    assert [headers.get("idempotency-key") for headers in provider.headers] == ["call-17-round-1"] * 3
    provider.forget()
    ask(provider.url)
    assert "idempotency-key" not in provider.headers[0]


# --- The time of a call ----------------------------------------------------------------------------------


def test_a_call_ends_at_its_deadline_with_all_its_attempts(provider):
    """Attempts of 0.3 s each, all in vain: after 0.8 s the third is broken off."""
    provider.answer = lambda number: Answer(seconds=120)

    def story(factor: float) -> None:
        began = time.monotonic()
        (reply,) = ask(provider.url, timeout_seconds=0.3 * factor, deadline_seconds=0.8 * factor)
        assert 0.8 * factor <= time.monotonic() - began < 60
        assert (reply.failure, reply.detail, reply.attempts, reply.uncertain) == ("deadline", "timeout", 3, 3)

    given_more_time(story)


def test_an_answer_that_trickles_in_is_not_waited_for(provider):
    """Every piece of it comes in time, the whole does not: an attempt's time holds for the whole."""

    async def trickle(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _piece in range(400):
            writer.write(b" ")
            await asyncio.sleep(0.1)
        writer.close()

    async def story() -> Reply:
        async with await asyncio.start_server(trickle, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            connections = opened(url, timeout_seconds=0.4, deadline_seconds=0.6)
            return await connections.ask(REQUEST)

    began = time.monotonic()
    assert coroutines.run(story()).failure == "deadline"
    assert time.monotonic() - began < 20  # and not the forty seconds of the whole


def test_waiting_before_the_first_attempt_does_not_count(provider):
    """Six calls one after the other, 0.3 s each: the last one waits for longer than any of them may take."""

    def story(factor: float) -> None:
        provider.answer = lambda number: Answer(seconds=0.3 * factor)
        replies = ask(provider.url, 6, concurrency=1, deadline_seconds=factor)
        assert {reply.failure for reply in replies} == {""}

    given_more_time(story)


def test_a_provider_that_says_when_is_asked_no_earlier(provider):
    provider.answer = in_turn(Answer(429, {"Retry-After": "0.7"}))
    ask(provider.url)
    first, second = provider.arrivals
    assert second - first >= 0.7


def test_a_provider_that_says_too_late_is_not_asked_again(provider):
    provider.answer = lambda number: Answer(429, {"Retry-After": "90"})
    began = time.monotonic()
    (reply,) = ask(provider.url, deadline_seconds=60)
    assert time.monotonic() - began < 40
    assert (reply.failure, reply.detail.split()[0], reply.attempts) == ("deadline", "http_429", 1)
    assert len(provider.arrivals) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_what_retry_after_says(headers, seconds):
    assert retrying.retry_after(headers) == seconds


# --- Several 429s ----------------------------------------------------------------------------------------


def test_a_second_429_in_a_row_stops_all_calls(provider):
    """Two calls; each is refused in turn, and the second refusal asks for half a second: neither is sent before."""
    provider.answer = in_turn(Answer(429), Answer(429, {"Retry-After": "0.5"}))
    replies = ask(provider.url, 2, concurrency=1)
    assert {reply.failure for reply in replies} == {""}
    _first, second, third, _fourth = provider.arrivals
    assert third - second >= 0.5


def test_one_429_among_answers_stops_nobody(provider):
    """The one that is refused for so long ends; the others are sent as if nothing had been."""
    provider.answer = in_turn(Answer(), Answer(429, {"Retry-After": "60"}))
    replies = ask(provider.url, 5, concurrency=1, deadline_seconds=50)
    assert sorted(reply.failure for reply in replies) == ["", "", "", "", "deadline"]
    _first, second, third, *_others = provider.arrivals
    assert third - second < 20


def test_a_pace_falls_by_what_is_refused_and_rises_by_what_is_answered():
    """Of 64 at once: a refusal makes it 0.7 x 64; answers to as many as are under way add a sixteenth of 64."""
    shared_pace = pace.Pace()
    assert shared_pace.at_once(64) == 64
    shared_pace.record_refusal(0.0, 0, None, 64, 64)
    assert (shared_pace.at_once(64), shared_pace.epoch) == (44, 1)
    shared_pace.record_refusal(0.0, 0, None, 64, 64)  # it was sent before the pace fell
    assert shared_pace.at_once(64) == 44
    shared_pace.record_answers(44, 64)
    assert shared_pace.at_once(64) == 48
    for _round in range(5):
        shared_pace.record_answers(shared_pace.at_once(64), 64)
    assert shared_pace.at_once(64) == 64
    for epoch in range(1, 30):
        shared_pace.record_refusal(0.0, epoch, None, 64, 64)
    assert shared_pace.at_once(64) == 1
