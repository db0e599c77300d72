"""Answers come in pieces that end anywhere, from servers that keep to the form more or less."""

import threading

import pytest

from providers.client.endpoint import Endpoint
from providers.client.events import BrokenStream, EventStream, Streamed
from providers.client.requests import PlainRequest
from providers.client.streaming import Timed, one_by_one
from tests import coroutines
from tests.judging.streaming import DONE, LOOKED, StreamingServer, Told, chunk, follow, words

KEY = "sk-canary-7"
REQUEST = PlainRequest("simulated-1", "ما هي عاصمة الأردن؟")


def asked_of(server: StreamingServer, times: int = 1, seconds: float = 20) -> list[Timed]:
    async def ask() -> list[Timed]:
        async with one_by_one(Endpoint("here", server.url, KEY, seconds, 1)) as connection:
            return [await connection.ask(REQUEST) for _time in range(times)]

    return coroutines.run(ask())


@pytest.fixture
def told(monkeypatch):
    """A server that answers each request as it is told here, in order."""
    servers = []

    def start(*answers: Told) -> StreamingServer:
        server = StreamingServer(lambda _body, number: answers[min(number, len(answers)) - 1])
        servers.append(server)
        follow(monkeypatch, server)
        return server

    yield start
    for server in servers:
        server.stop()


def events(*pieces: bytes) -> list[str]:
    stream = EventStream()
    return [data for piece in pieces for data in stream.feed(piece)] + list(stream.close())


# --- The form ---


@pytest.mark.parametrize("at", range(1, 28))
def test_a_piece_may_end_within_a_character_or_a_line_end(at):
    whole = "data: عمّان 🌙\r\n\r\ndata: x\r\n\r\n".encode()
    assert events(whole[:at], whole[at:]) == ["عمّان 🌙", "x"]


def test_byte_by_byte_with_every_line_end():
    for end in (b"\n", b"\r", b"\r\n"):
        whole = "\ufeffdata: أ".encode() + end + b"data: b" + end + end + b":alive" + end + b"data:c" + end
        assert events(*(bytes([byte]) for byte in whole)) == ["أ\nb", "c"]


def test_comments_names_and_empty_events_say_nothing():
    assert events(b": keep-alive\n\n\n\nevent: ping\nid: 3\nretry: 10\n\ndata: x\n\n") == ["x"]


def test_what_is_no_chunk_breaks_the_stream():
    for data, code in (("{", "body_not_json"), ('{"error": {"message": "gone"}}', "error_body"), ("3", "error_body")):
        with pytest.raises(BrokenStream) as broken:
            Streamed().add(data)
        assert broken.value.code == code


# --- A server ---


def test_the_clock_stands_between_the_request_and_the_last_words(told):
    [timed] = asked_of(told(words(10, seconds=4.0, first=1.5)))
    assert timed.problem == ""
    assert (timed.reply.model, timed.reply.finish_reason) == ("simulated-1", "stop")
    assert timed.reply.text.split() == ["كلمة"] * 10
    assert (timed.first_token_seconds, timed.seconds) == (1.5, 4.0)


def test_a_character_cut_in_two_and_keep_alive_comments_before_the_first_word(told):
    first = chunk("عمّان")
    at = first.index("م".encode()) + 1
    server = told(Told([b": alive\n\n", 2.0, first[:at], 1.0, first[at:], LOOKED, 0.5, chunk(finish="stop"), DONE]))
    [timed] = asked_of(server)
    assert timed.reply.text == "عمّان"
    # The comment is no token; the first came once it was whole.
    assert (timed.first_token_seconds, timed.seconds) == (3.0, 3.5)


def test_thought_that_is_sent_apart_is_a_first_token_and_no_text(told):
    [timed] = asked_of(told(Told([1.0, chunk(reasoning_content="hm"), LOOKED, 2.0, chunk("أ", finish="stop"), DONE])))
    assert (timed.reply.text, timed.reply.reasoning) == ("أ", "hm")
    assert (timed.first_token_seconds, timed.seconds) == (1.0, 3.0)


def test_an_error_in_mid_stream_is_no_answer_and_says_why_without_the_key(told):
    broken = b'data: {"error": {"message": "out of memory %s", "code": 500}}\n\n' % KEY.encode()
    [timed] = asked_of(told(Told([chunk("عمّ"), broken])))
    assert timed.problem == "error_body: out of memory [key]"
    assert timed.reply.text == ""


def test_a_stream_that_breaks_off_is_no_answer(told):
    [dropped, ended] = asked_of(told(Told([chunk("عمّ")], breaks_off=True), Told([chunk("عمّ")])), times=2)
    assert dropped.reply.failure == "connection"
    assert ended.problem.startswith("connection: the stream broke off")


def test_a_server_that_never_says_done_has_ended_where_it_says_why(told):
    [timed] = asked_of(told(Told([chunk("عمّان"), chunk(finish="length")])))
    assert (timed.reply.text, timed.reply.finish_reason, timed.problem) == ("عمّان", "length", "")


def test_a_server_that_does_not_heed_stream_has_no_first_token(told):
    body = '{"model": "simulated-1", "choices": [{"message": {"content": "عمّان"}, "finish_reason": "stop"}]}'.encode()
    [timed] = asked_of(told(Told([3.0, body[:80], 1.0, body[80:]], kind="application/json")))
    assert (timed.reply.text, timed.first_token_seconds, timed.seconds) == ("عمّان", None, 4.0)


def test_a_refusal_says_how_long_to_wait(told):
    body = b'{"error": {"message": "slowly"}}'
    [timed] = asked_of(told(Told([body], status=429, kind="application/json", headers=("Retry-After: 7",))))
    assert (timed.problem, timed.retry_after) == ("http_429: slowly", 7.0)


def test_all_calls_share_one_connection_and_ask_for_nothing_from_a_store(told):
    server = told(words(3, 1.0))
    assert [timed.seconds for timed in asked_of(server, times=3)] == [1.0] * 3
    assert (server.connections, server.most_open) == (1, 1)
    assert all(body["stream"] is True for body in server.asked)
    assert all("cache-control: no-cache, no-store" in head.lower() for head in server.heads)
    assert not any("idempotency-key" in head.lower() for head in server.heads)


def test_who_is_silent_for_too_long_is_given_up(told):
    over = threading.Event()
    [timed] = asked_of(told(Told([chunk("عمّ"), over, DONE])), seconds=0.5)
    over.set()
    assert timed.problem == "timeout"
