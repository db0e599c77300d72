"""Processes that send calls to one provider, and a provider that says how many came at once, and when.

Run as a module this is one such process: it says that it is ready, waits for a line, sends, and says what came of it.
"""

import asyncio
import contextlib
import importlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests import coroutines

ROOT = Path(__file__).parent.parent.parent
GOOD = {
    "model": "simulated-1",
    "choices": [{"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 60, "completion_tokens": 40},
}


@dataclass
class Answer:
    """What the provider does with a request. `missing` bytes of the body are announced and never sent."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    missing: int = 0
    breaks_off: bool = False
    body: dict = field(default_factory=lambda: GOOD)


class Provider:
    """A real HTTP server in a thread of its own. `answer` is told the number of each request, from 1 on."""

    def __init__(self, answer: Callable[[int], Answer] = lambda number: Answer()) -> None:
        self.answer = answer
        self.arrivals: list[float] = []
        self.headers: list[dict[str, str]] = []
        self.open = self.most_open = 0
        self._loop = coroutines.running_loop()
        starting = asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512)
        server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(60)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"

    def stop(self) -> None:
        async def end() -> None:
            connections = asyncio.all_tasks() - {asyncio.current_task()}
            for connection in connections:
                connection.cancel()
            await asyncio.gather(*connections, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)

    def until(self, reached: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until what came here makes `reached` true."""
        ends = time.monotonic() + seconds
        while not reached():
            assert time.monotonic() < ends, f"{len(self.arrivals)} came, at most {self.most_open} at once"
            time.sleep(0.01)

    def forget(self) -> None:
        self.arrivals, self.headers, self.most_open = [], [], 0

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                await reader.readexactly(int(headers["content-length"]))
                if not await self._reply(writer, headers):
                    break
        writer.close()

    async def _reply(self, writer: asyncio.StreamWriter, headers: dict[str, str]) -> bool:
        self.arrivals.append(time.monotonic())
        self.headers.append(headers)
        reply = self.answer(len(self.arrivals))
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await asyncio.sleep(reply.seconds)
        finally:
            self.open -= 1
        if reply.breaks_off:
            return False
        body = json.dumps(reply.body).encode()
        extra = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        length = len(body) + reply.missing
        writer.write(f"HTTP/1.1 {reply.status} X\r\nContent-Length: {length}\r\n{extra}\r\n".encode() + body)
        await writer.drain()
        return not reply.missing

    def most_within(self, seconds: float) -> int:
        """The most requests that came in any such time."""
        times = sorted(self.arrivals)
        return max(sum(start <= moment < start + seconds for moment in times[n:]) for n, start in enumerate(times))


class Sender:
    """A process that sends `calls` calls, up to `workers` at once by its own choice."""

    def __init__(
        self, redis_url: str, calls: int, workers: int, constants: dict[str, float], **endpoint: object
    ) -> None:
        options = {
            "redis_url": redis_url,
            "calls": calls,
            "workers": workers,
            "constants": constants,
            "endpoint": endpoint,
        }
        kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        command = [sys.executable, "-m", "tests.judging.sending", json.dumps(options)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ready(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def came(self) -> Counter[str]:
        """How many calls ended how: an empty code is an answer."""
        assert self.process.stdout is not None
        codes = json.loads(self.process.stdout.readline())
        self.process.wait(60)
        return Counter(codes)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def senders(*started: Sender) -> Iterator[tuple[Sender, ...]]:
    """All ready, none gone; those that still run are killed at the end."""
    try:
        for sender in started:
            sender.ready()
        yield started
    finally:
        for sender in started:
            sender.kill()


def main() -> None:
    options = json.loads(sys.argv[1])
    from django.conf import settings

    settings.configure(REDIS_URL=options["redis_url"])
    for name, value in options["constants"].items():
        module, _dot, constant = name.rpartition(".")
        setattr(importlib.import_module(f"providers.{module}"), constant, value)
    from providers.client import loop
    from providers.client.endpoint import Endpoint
    from providers.client.openai_compatible import Connections
    from providers.client.requests import PlainRequest
    from providers.limiter.circuit_breaker import ProviderDown

    connections = loop.connections(Endpoint(name="shared", key="", **options["endpoint"]))
    codes: list[str] = []

    async def worker(waiting: Iterator[int], connections: Connections) -> None:
        for _call in waiting:
            try:
                codes.append((await connections.ask(PlainRequest("simulated-1", "?"), expected_tokens=100)).failure)
            except ProviderDown:
                codes.append("down")

    async def send() -> None:
        waiting = iter(range(options["calls"]))
        await asyncio.gather(*(worker(waiting, connections) for _worker in range(options["workers"])))

    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    loop.run(send()).result()
    sys.stdout.write(json.dumps(codes) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
