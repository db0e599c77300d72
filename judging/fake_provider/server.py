"""A provider that is none: a real HTTP/1.1 server with the OpenAI-compatible addresses, for the demo and tests.

    POST /v1/chat/completions    GET /v1/models    GET, POST /control    GET /control/requests

It listens on this machine alone, keeps connections alive and serves many at once on one thread. It needs
nothing but the standard library, so that it can run beside the product without any of its settings.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from http import HTTPStatus

from judging.fake_provider.faults import Settings, dump, error, respond

HOST = "127.0.0.1"
MAX_BODY = 8 * 1024 * 1024
MODELS = ("simulated-1", "simulated-2")


class Provider:
    """The state of one server: its settings and what it has seen."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests: list[dict] = []
        self.reset_counts()

    def reset_counts(self) -> None:
        self.served = 0
        self.open = 0
        self.most_open = 0
        self.statuses: dict[int, int] = {}
        self.requests.clear()

    async def complete(self, body: bytes, headers: dict[str, str]) -> tuple[int, dict[str, str], dict]:
        try:
            request = json.loads(body)
        except ValueError:
            return 400, {}, error("The body is not JSON")
        self.served += 1
        number = self.served
        if self.settings.record:
            self.requests.append({"headers": headers, "body": request})
        fault = self.settings.fault(str(request.get("model", "")), number)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await asyncio.sleep((self.settings.slow_ms if fault == "slow" else self.settings.latency_ms) / 1000)
            answer = respond(self.settings, request, fault)
        finally:
            self.open -= 1
        self.statuses[answer[0]] = self.statuses.get(answer[0], 0) + 1
        return answer

    def control(self, method: str, body: bytes) -> tuple[int, dict[str, str], dict]:
        if method == "POST":
            try:
                told = json.loads(body)
                self.settings.change(told)
            except (ValueError, AttributeError, TypeError) as problem:
                return 400, {}, error(str(problem))
            if told.get("reset"):
                self.reset_counts()
        counts = {"served": self.served, "open": self.open, "most_open": self.most_open, "statuses": self.statuses}
        return 200, {}, counts

    async def answer(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], dict]:
        path = path.split("?", 1)[0].rstrip("/")
        if (method, path) == ("POST", "/v1/chat/completions"):
            return await self.complete(body, headers)
        if (method, path) == ("GET", "/v1/models"):
            listed = self.settings.models or [{"id": name, "object": "model"} for name in MODELS]
            return 200, {}, {"object": "list", "data": listed}
        if path == "/control":
            return self.control(method, body)
        if (method, path) == ("GET", "/control/requests"):
            return 200, {}, {"requests": self.requests}
        return 404, {}, error("There is nothing at this address")


async def read_request(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str], bytes] | None:
    """The next request of a connection, or None where it has ended."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    line, *fields = head.decode("latin-1").split("\r\n")
    method, path, _version = line.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _colon, value in (f.partition(":") for f in fields if f)}
    length = int(headers.get("content-length", "0"))
    if length > MAX_BODY:
        return None
    return method, path, headers, await reader.readexactly(length)


def serve_connections(provider: Provider) -> Callable:
    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await read_request(reader):
                status, extra, body = await provider.answer(*request)
                content = dump(body)
                fields = {"Content-Type": "application/json", "Content-Length": str(len(content)), **extra}
                head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
                writer.write(f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n".encode() + content)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass  # the other side went away or does not speak HTTP; nobody is left to be told
        finally:
            writer.close()

    return connection


async def serve(port: int, settings: Settings, ready: Callable[[int], None] | None = None) -> None:
    """Serve until cancelled; `ready` is told the port, which the system chose where 0 was given."""
    server = await asyncio.start_server(serve_connections(Provider(settings)), HOST, port, limit=MAX_BODY, backlog=512)
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
