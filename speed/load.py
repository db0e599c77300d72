"""Load on a server of this machine: keep-alive clients without think time, in processes of their own.

A scenario is an async function `scenario(client, number, **arguments)` at the top level of a module; it is run
again and again by each client until the time is up. Within it `client.request(...)` sends and waits; requests with
`counted=True` (the default) make the figures:

    async def save(client, number, sessions, items):
        answer = await client.request("POST", "/api/...", body=..., headers=sessions[number])

    result = measure(address, save, seconds=10, sessions=sessions, items=items)

The client speaks just enough HTTP/1.1 over a raw socket (Content-Length and chunked bodies), because a full client
library costs more than the server's work and would be what is measured; `measure_client()` tells its own limit.
"""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

CLIENTS = 16
PROCESSES = 2
Scenario = Callable[..., Awaitable[None]]


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    """Lower-case names; of repeated ones the last."""
    body: bytes


@dataclass
class Load:
    """What one measurement gave; times in seconds."""

    seconds: float
    times: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Counted requests per second."""
        return len(self.times) / self.seconds

    def quantile(self, share: float) -> float:
        """Time within which `share` of the counted requests were answered."""
        if len(self.times) < 2:
            return float("nan")
        return statistics.quantiles(self.times, n=1000, method="inclusive")[round(share * 1000) - 1]

    def row(self, name: str, floor: Load | None = None) -> str:
        ratio = f"{self.rate / floor.rate:6.2f}" if floor else "     -"
        codes = " ".join(f"{status}:{count}" for status, count in sorted(self.statuses.items()))
        times = f"{self.quantile(0.5) * 1000:8.1f} {self.quantile(0.95) * 1000:8.1f}"
        return f"{name:36} {self.rate:9.0f} {times} {ratio}   {codes}"


HEADING = f"{'':36} {'rate /s':>9} {'p50 ms':>8} {'p95 ms':>8} {'ratio':>6}   answers"


class Client:
    """One keep-alive connection; it is opened anew where the server closed it."""

    def __init__(self, host: str, port: int, host_header: str) -> None:
        self.host, self.port, self.host_header = host, port, host_header
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.counting = False
        self.memory: dict[str, Any] = {}
        """What a scenario keeps from one run to the next: a version, a place in a list."""

    async def request(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        *,
        counted: bool = True,
    ) -> Answer:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host_header}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if body or method not in ("GET", "HEAD"):
            lines.append(f"Content-Length: {len(body)}")
        message = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        began = time.perf_counter()
        answer = await self.exchange(message, method)
        if counted and self.counting:
            self.times.append(time.perf_counter() - began)
            self.statuses[answer.status] += 1
        return answer

    async def exchange(self, message: bytes, method: str) -> Answer:
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 24)
        assert self.reader
        self.writer.write(message)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in head[1:-2]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status = int(head[0].split(" ", 2)[1])
        empty = method == "HEAD" or status in (204, 304)
        body = b"" if empty else await read_body(self.reader, headers)
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if headers.get("connection", "").lower() == "close":
            self.writer.close()
        return Answer(status, headers, body)

    async def close(self) -> None:
        if self.writer:
            self.writer.close()


async def read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        return await reader.read()
    parts = []
    while size := int((await reader.readline()).split(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readline()
    return b"".join(parts)


def measure(
    address: str,
    scenario: Scenario,
    *,
    clients: int = CLIENTS,
    processes: int = PROCESSES,
    seconds: float = 8.0,
    warm_up: float = 3.0,
    host_header: str = "localhost",
    **arguments: Any,
) -> Load:
    """Run the scenario with `clients` clients spread over `processes` processes.

    Args:
        address: "127.0.0.1:8000"; only a loopback address is accepted.
        seconds: how long is counted, after `warm_up` seconds that are not.
        arguments: given to each run of the scenario; they must be picklable.

    Raises:
        ValueError: the address is not this machine's loopback.
        RuntimeError: a client failed; its message is the client's.
    """
    host, _, port = address.rpartition(":")
    if host not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError(f"{host} is not this machine's loopback address.")
    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    start = context.Barrier(processes)
    workers = []
    for index in range(processes):
        numbers = list(range(index, clients, processes))
        values = (host, int(port), host_header, scenario, numbers, seconds, warm_up, arguments, start, results)
        workers.append(context.Process(target=run_clients, args=values, daemon=True))
        workers[-1].start()
    load = Load(seconds)
    gathered = [results.get(timeout=seconds + warm_up + 120) for _ in workers]
    for worker in workers:
        worker.join()
    for times, statuses, failure in gathered:
        if failure:
            raise RuntimeError(f"A client failed: {failure}")
        load.times += times
        load.statuses.update(statuses)
    return load


def run_clients(
    host: str,
    port: int,
    host_header: str,
    scenario: Scenario,
    numbers: list[int],
    seconds: float,
    warm_up: float,
    arguments: dict[str, Any],
    start: Any,
    results: Any,
) -> None:
    async def run() -> tuple[list[float], Counter[int]]:
        clients = [Client(host, port, host_header) for _ in numbers]
        began = time.perf_counter()
        await asyncio.gather(
            *(
                drive(client, scenario, number, began + warm_up, began + warm_up + seconds, arguments)
                for client, number in zip(clients, numbers, strict=True)
            )
        )
        return [time for client in clients for time in client.times], sum(
            (client.statuses for client in clients), Counter()
        )

    try:
        start.wait(timeout=60)
        results.put((*asyncio.run(run()), ""))
    except Exception as failure:
        results.put(([], Counter(), f"{type(failure).__name__}: {failure}"))


async def drive(
    client: Client, scenario: Scenario, number: int, count_from: float, end: float, arguments: dict[str, Any]
) -> None:
    while (now := time.perf_counter()) < end:
        client.counting = now >= count_from
        await scenario(client, number, **arguments)
    await client.close()


# --- What the client itself can do ----------------------------------------------------------------------


async def get_root(client: Client, number: int) -> None:
    await client.request("GET", "/")


def measure_client(seconds: float = 3.0) -> Load:
    """The client's own limit: against a server that answers every request with the same 200 bytes."""
    context = multiprocessing.get_context("spawn")
    port = context.Queue()
    server = context.Process(target=serve_constant, args=(port,), daemon=True)
    server.start()
    try:
        return measure(f"127.0.0.1:{port.get(timeout=30)}", get_root, seconds=seconds, warm_up=0.5)
    finally:
        server.terminate()
        server.join()


def serve_constant(port: Any) -> None:
    body = b"x" * 200
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n" + body

    class Constant(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            if isinstance(self.transport, asyncio.Transport):
                self.transport.write(answer * data.count(b"\r\n\r\n"))

    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(Constant, "127.0.0.1", 0)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
