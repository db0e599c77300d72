"""One request to a provider, and its answer as it came: for trying a model, and for a provider's list of models.

Nothing is tried again and nothing waits its turn: somebody looks on, and wants to know what happened. Calls of judges
never come this way.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
import orjson

from providers.client.endpoint import Endpoint
from providers.client.guarded import GuardedTransport

MAX_BYTES = 8 * 1024 * 1024
MAX_DETAIL = 500


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `failure` is a code where nothing did; `body` is the JSON of the answer, or None."""

    status: int = 0
    body: Any = None
    content: bytes = field(default=b"", repr=False)
    latency_ms: int = 0
    failure: str = ""
    detail: str = ""

    @property
    def is_success(self) -> bool:
        return self.status == 200 and not self.failure

    @property
    def message(self) -> str:
        """What the provider complains of, in its own words; the beginning of them."""
        error = self.body.get("error", self.body) if isinstance(self.body, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        if isinstance(message, str) and message:
            return message[:MAX_DETAIL]
        return self.content[:MAX_DETAIL].decode("utf-8", "replace")

    @property
    def problem(self) -> str:
        """A code, and after a colon what was said of it (providers/problem_texts.py); empty after a success."""
        if self.is_success:
            return ""
        code, detail = (self.failure, self.detail) if self.failure else (f"http_{self.status}", self.message)
        return f"{code}: {detail}" if detail.strip() else code


async def send(
    endpoint: Endpoint,
    method: str,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    key_header: str = "",
) -> Answer:
    """Ask the provider's own host, within the time of one attempt in all, and follow it nowhere else.

    `key_header` is a header that carries the key beside `Authorization`. Only cancellation is raised.
    """
    sent = {"Content-Type": "application/json", **(headers or {})}
    if endpoint.key:
        sent |= {"Authorization": f"Bearer {endpoint.key}"} | ({key_header: endpoint.key} if key_header else {})
    started = time.perf_counter()
    try:
        content = orjson.dumps(body) if body is not None else None
        url = endpoint.base_url.rstrip("/") + path
        # No redirects: a key is sent to the configured host and to no other.
        client = httpx2.AsyncClient(
            follow_redirects=False, transport=GuardedTransport() if endpoint.is_submitted else None
        )
        async with asyncio.timeout(endpoint.timeout_seconds), client:
            client.timeout = httpx2.Timeout(endpoint.timeout_seconds, connect=min(10.0, endpoint.timeout_seconds))
            async with client.stream(method, url, headers=sent, content=content) as response:
                received = await within_bounds(response)
    except (TimeoutError, httpx2.TimeoutException):
        return Answer(failure="timeout")
    except httpx2.TransportError as problem:
        return Answer(failure="connection", detail=endpoint.words_without_key(str(problem))[:MAX_DETAIL])
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, ValueError) as problem:
        return Answer(failure="client", detail=type(problem).__name__)
    latency = round((time.perf_counter() - started) * 1000)
    if received is None:
        return Answer(response.status_code, failure="too_long", latency_ms=latency)
    return read(response.status_code, endpoint.without_key(received), latency)


async def within_bounds(response: httpx2.Response) -> bytes | None:
    """All that is sent, or None where it is too much to hold."""
    received = bytearray()
    async for chunk in response.aiter_bytes():
        received += chunk
        if len(received) > MAX_BYTES:
            return None
    return bytes(received)


def read(status: int, content: bytes, latency_ms: int) -> Answer:
    if 300 <= status < 400:
        return Answer(status, content=content, latency_ms=latency_ms, failure="redirect")
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        failure = "body_not_json" if status == 200 else ""
        return Answer(status, content=content, latency_ms=latency_ms, failure=failure)
    return Answer(status, body, content, latency_ms)
