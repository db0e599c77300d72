"""A provider that is none: a real HTTP/1.1 server with the OpenAI-compatible addresses, for the demo and tests.

    POST /v1/chat/completions    GET /v1/models    GET, POST /control    GET /control/requests, /control/charges

It listens on this machine alone, keeps connections alive and serves many at once on one thread. It needs
nothing but the standard library, so that it can run beside the product without any of its settings.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any

from providers.fake import streaming
from providers.fake.faults import BROKEN, Answer, Settings, counted, dump, error, respond

HOST = "127.0.0.1"
MAX_HEAD = 64 * 1024
MAX_BODY = 8 * 1024 * 1024
MODELS = ("simulated-1", "simulated-2")
#: Of an answer that is streamed, the share of its time until its first words; and seconds below which nobody waits
#: between two of them.
FIRST_WORDS, LEAST_PAUSE = 0.25, 0.0005


class Provider:
    """The state of one server: its settings, what it has seen, and what it has charged for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests: list[dict] = []
        self.charges = Charges()
        self.reset_counts()

    def reset_counts(self) -> None:
        self.served = 0
        self.open = 0
        self.most_open = 0
        self.statuses: dict[int, int] = {}
        self.requests.clear()
        self.charges = Charges()

    def begin(self, request: dict, headers: dict[str, str]) -> tuple[str, float]:
        """The fault of a chat completion, and the seconds until its answer."""
        self.served += 1
        if self.settings.record:
            self.requests.append({"headers": headers, "body": request})
        self.charges.asked(headers)
        fault = self.settings.fault(str(request.get("model", "")), self.served)
        if fault != "reset":
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        return fault, (self.settings.slow_ms if fault == "slow" else self.settings.latency_ms) / 1000

    def end(self, request: dict, headers: dict[str, str], fault: str) -> Answer:
        size = int(headers.get("content-length", "0"))
        answer = counted(self.settings, respond(self.settings, request, fault), size)
        self.open -= 1
        self.statuses[answer[0]] = self.statuses.get(answer[0], 0) + 1
        self.charges.answered(headers, answer[2], fault)
        return answer

    def control(self, method: str, body: bytes) -> Answer:
        if method == "POST":
            try:
                values = json.loads(body)
                self.settings.change(values)
            except (ValueError, AttributeError, TypeError) as problem:
                return 400, {}, error(str(problem))
            if values.get("reset"):
                self.reset_counts()
        counts = {"served": self.served, "open": self.open, "most_open": self.most_open, "statuses": self.statuses}
        return 200, {}, counts

    def answer(self, method: str, path: str, body: bytes) -> Answer:
        """Everything but chat completions."""
        if (method, path) == ("GET", "/v1/models"):
            listed = self.settings.models or [{"id": name, "object": "model"} for name in MODELS]
            return 200, {}, {"object": "list", "data": listed}
        if path == "/control":
            return self.control(method, body)
        if (method, path) == ("GET", "/control/requests"):
            return 200, {}, {"requests": self.requests}
        if (method, path) == ("GET", "/control/charges"):
            return 200, {}, asdict(self.charges)
        return 404, {}, error("There is nothing at this address")


@dataclass
class Charges:
    """What the provider's bill would say: tokens of all answers that it gave, whether or not they arrived.

    `of_key`: requests and charged answers by the Idempotency-Key that they carried. It charges each of them: few
    providers know such keys, and a caller that relies on them is to be found out.
    """

    answers: int = 0
    broken: int = 0  # answers that a fault of ours kept from arriving
    prompt_tokens: int = 0
    completion_tokens: int = 0
    of_key: dict[str, list[int]] = field(default_factory=dict)

    def asked(self, headers: dict[str, str]) -> None:
        if key := headers.get("idempotency-key"):
            self.of_key.setdefault(key, [0, 0])[0] += 1

    def answered(self, headers: dict[str, str], body: dict, fault: str) -> None:
        usage = body.get("usage")
        if not usage:
            return
        self.answers += 1
        self.broken += fault in BROKEN
        self.prompt_tokens += usage["prompt_tokens"]
        self.completion_tokens += usage["completion_tokens"]
        if key := headers.get("idempotency-key"):
            self.of_key.setdefault(key, [0, 0])[1] += 1


class Connection(asyncio.Protocol):
    """One connection of a client, which sends its next request when it has the answer to the last.

    A protocol and timers rather than streams and tasks: the server shares its machine with what is measured on it.
    """

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.buffer = bytearray()
        self.head: tuple[str, str, dict[str, str], int] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.under_way: tuple[dict, dict[str, str], str] | None = None  # request, headers and fault of a completion

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self.timer:
            self.timer.cancel()
        if self.under_way:  # the client has gone; the answer is charged all the same
            self.answer()

    def answer(self) -> Answer:
        assert self.under_way
        answer = self.provider.end(*self.under_way)
        self.under_way = None
        return answer

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        try:
            if self.head is None:
                self.read_head()
            if self.head is not None and len(self.buffer) >= self.head[3]:
                method, path, headers, length = self.head
                body = bytes(self.buffer[:length])
                del self.buffer[:length]
                self.head = None
                self.serve(method, path, headers, body)
        except ValueError:  # not HTTP
            self.transport.close()

    def read_head(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self.buffer) > MAX_HEAD:
                raise ValueError("no head")
            return
        line, *fields = self.buffer[:end].decode("latin-1").split("\r\n")
        del self.buffer[: end + 4]
        method, path, _version = line.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _colon, value in (f.partition(":") for f in fields)}
        length = int(headers.get("content-length", "0"))
        if length > MAX_BODY:
            raise ValueError("too long")
        self.head = method, path.split("?", 1)[0].rstrip("/"), headers, length

    def serve(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        if (method, path) != ("POST", "/v1/chat/completions"):
            self.send(self.provider.answer(method, path, body))
            return
        try:
            request = json.loads(body)
        except ValueError:
            self.send((400, {}, error("The body is not JSON")))
            return
        fault, seconds = self.provider.begin(request, headers)
        if fault == "reset":
            self.transport.abort()
            return
        self.under_way = request, headers, fault
        if fault == "hang":
            return  # until the caller has had enough and goes
        if request.get("stream") is True:
            self.after(seconds * FIRST_WORDS, self.begin_stream, fault, seconds * (1 - FIRST_WORDS))
        elif seconds:
            self.timer = asyncio.get_running_loop().call_later(seconds, self.complete, fault)
        else:
            self.complete(fault)

    def after(self, seconds: float, act: Callable[..., None], *arguments: Any) -> None:
        self.timer = asyncio.get_running_loop().call_later(seconds, act, *arguments)

    def begin_stream(self, fault: str, seconds: float) -> None:
        """Send the first words of an answer now and the last after so many seconds; what is none comes at once."""
        with_usage = (
            bool((self.under_way[0].get("stream_options") or {}).get("include_usage")) if self.under_way else False
        )
        answer = self.answer()
        status, extra, body = answer
        if status != HTTPStatus.OK or "choices" not in body:
            self.send(answer, is_cut=fault == "cutstream")
            return
        fields = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **extra}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode())
        pieces = streaming.events(body, with_usage)
        self.stream(pieces[: len(pieces) // 2] if fault == "cutstream" else pieces, fault, seconds / len(pieces))

    def stream(self, pieces: list[bytes], fault: str, pause: float) -> None:
        """A piece after the other, with so many seconds between them."""
        if pause < LEAST_PAUSE:
            self.transport.write(b"".join(map(streaming.chunked, pieces)))
            pieces = []
        elif pieces:
            self.transport.write(streaming.chunked(pieces[0]))
            self.after(pause, self.stream, pieces[1:], fault, pause)
            return
        if fault == "cutstream":
            self.transport.close()
        else:
            self.transport.write(streaming.chunked(b""))

    def complete(self, fault: str) -> None:
        self.send(self.answer(), is_cut=fault == "cutstream")

    def send(self, answer: Answer, is_cut: bool = False) -> None:
        status, extra, body = answer
        content = dump(body)
        fields = {"Content-Type": "application/json", "Content-Length": str(len(content)), **extra}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        sent = content[: len(content) // 2] if is_cut else content
        self.transport.write(f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n".encode() + sent)
        if is_cut:
            self.transport.close()


async def serve(port: int, settings: Settings, ready: Callable[[int], None] | None = None) -> None:
    """Serve until cancelled; `ready` is told the port, which the system chose where 0 was given."""
    provider = Provider(settings)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(provider), HOST, port, backlog=512)
    async with server:
        if ready:
            ready(server.sockets[0].getsockname()[1])
        await server.serve_forever()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="A simulated provider; its answers mean nothing.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--told", type=json.loads, default={}, help="what /control would be told, as JSON")
    options = parser.parse_args(arguments)
    settings = Settings(latency_ms=options.latency_ms, seed=options.seed)
    settings.change(options.told)

    def say(port: int) -> None:
        sys.stdout.write(f"Simulated provider on http://{HOST}:{port}/v1\n")
        sys.stdout.flush()

    try:
        asyncio.run(serve(options.port, settings, say))
    except KeyboardInterrupt:
        sys.stdout.write("Stopped.\n")


if __name__ == "__main__":
    main()
