"""The event loop receives, within bounds; whoever stores a reply reads it. So no reply delays another's call."""

import asyncio
import contextlib
import gzip
import threading
import tracemalloc

import pytest
from django.core.management import call_command

from judging.engine import calling
from judging.models import CallState
from providers.client.bodies import MAX_BYTES
from providers.problem_texts import in_words
from tests import coroutines
from tests.judging.test_a_call_and_its_attempts import ask


def test_a_run_reads_no_reply_in_the_event_loop(judge, feasts, monkeypatch):
    threads = set()
    read = calling.outcome_of

    def noted(*given):
        threads.add(threading.current_thread().name)
        return read(*given)

    monkeypatch.setattr(calling, "outcome_of", noted)
    call_command("run_judges", "feasts", "--judge", judge.rater.name, "--here")
    assert judge.runs.get().calls.filter(state=CallState.SCORED).count() == 24
    assert threads
    assert "providers" not in threads


class Sends:
    """A server that answers every request with these bytes, again and again where `is_endless`."""

    def __init__(self, head: str, body: bytes, is_endless: bool = False) -> None:
        self.head, self.body, self.is_endless, self.sent = head, body, is_endless, 0
        self._loop = coroutines.running_loop()
        starting = asyncio.start_server(self._answer, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(5)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 {self.head}\r\nConnection: close\r\n\r\n".encode())
            while True:
                writer.write(self.body)
                await writer.drain()
                self.sent += len(self.body)
                if not self.is_endless:
                    break
        writer.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)


@pytest.fixture
def sends():
    servers = []

    def start(*told, **also) -> Sends:
        servers.append(Sends(*told, **also))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def test_a_few_bytes_that_unpack_to_many_are_not_unpacked(sends):
    bomb = gzip.compress(b" " * 100_000_000, 9)
    server = sends("200 OK\r\nContent-Encoding: gzip", bomb)
    tracemalloc.start()
    [reply] = ask(server.url)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (reply.failure, reply.attempts) == ("body_too_long", 1)
    assert in_words(reply.failure) != reply.failure
    assert most < 8 * MAX_BYTES


def test_an_answer_that_does_not_end_is_not_waited_for(sends):
    server = sends("200 OK", b"[" * 100_000, is_endless=True)
    [reply] = ask(server.url, timeout_seconds=60, deadline_seconds=60)
    assert (reply.failure, reply.attempts) == ("body_too_long", 1)


def test_a_complaint_that_does_not_end_is_a_complaint(sends):
    server = sends("400 Bad", b"no " * 30_000, is_endless=True)
    [reply] = ask(server.url, timeout_seconds=60, deadline_seconds=60)
    assert reply.failure == "http_400"


def test_a_long_answer_in_gzip_is_read(sends):
    text = "ا" * 400_000
    written = '{"model": "simulated-1", "choices": [{"message": {"content": "%s"}}]}' % ("\\u0627" * 400_000)
    server = sends("200 OK\r\nContent-Encoding: gzip", gzip.compress(written.encode()))
    [reply] = ask(server.url)
    assert (reply.failure, reply.text) == ("", text)
