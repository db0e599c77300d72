"""One call at a time with a clock beside it: when the first words came, and when the last.

Calls of judges and collections never come this way: nothing is tried again, and the connection is one that stays open,
so that neither a handshake nor another call is measured along.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from providers.client.bodies import MAX_BYTES, MAX_DETAIL, Call, count, read_body, written
from providers.client.endpoint import Endpoint
from providers.client.events import BrokenStream, EventStream, Streamed
from providers.client.guarded import GuardedTransport
from providers.client.once import read
from providers.client.replies import Reply

if TYPE_CHECKING:
    from providers.client.requests import PlainRequest

PATH = "/chat/completions"
EVENTS = "text/event-stream"
#: No answer from a store that stands in between: what is measured is the model.
HEADERS = {"Content-Type": "application/json", "Cache-Control": "no-cache, no-store", "Accept": f"{EVENTS}, */*"}
LAST_BYTES_SECONDS = 1.0
NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)

clock = time.perf_counter


@dataclass(frozen=True, slots=True)
class Timed:
    """A reply with its seconds, from the request to the end of the answer; `first_token_seconds` until its first
    words, of the answer or of thought, None where the server does not stream. `retry_after` is what a refusal asks
    for."""

    reply: Reply
    seconds: float = 0.0
    first_token_seconds: float | None = None
    retry_after: float | None = None

    @property
    def problem(self) -> str:
        """A code, and after a colon what was said of it; empty where an answer came."""
        code, detail = self.reply.failure, self.reply.detail
        return f"{code}: {detail}" if code and detail.strip() else code


class OneByOne:
    """One connection to an endpoint, on which one call is made at a time."""

    def __init__(self, endpoint: Endpoint, client: httpx2.AsyncClient) -> None:
        self.endpoint, self._client = endpoint, client
        self._streaming: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}

    async def ask(self, request: PlainRequest) -> Timed:
        """The answer as fast as it comes; a Timed with the failure of its reply where none does. Only cancellation is
        raised.

        A server that does not know how to tell its usage in a stream, and says so, is asked without from then on.
        """
        timed = await self._ask(request)
        is_refused = timed.reply.failure in ("http_400", "http_422") and "stream_options" in timed.reply.detail
        if is_refused and self._streaming.pop("stream_options", None):
            return await self._ask(request)
        return timed

    async def _ask(self, request: PlainRequest) -> Timed:
        content = orjson.dumps({**request.body(), **self._streaming})
        headers = HEADERS | ({"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {})
        url = self.endpoint.base_url.rstrip("/") + PATH
        started = clock()
        try:
            async with (
                asyncio.timeout(self.endpoint.timeout_seconds),
                self._client.stream("POST", url, headers=headers, content=content) as response,
            ):
                return await self._read(response, started)
        except NEVER_SENT as problem:
            return failed("connection", self.endpoint.words_without_key(str(problem)))
        except (TimeoutError, httpx2.TimeoutException):
            return failed("timeout", uncertain=1)
        except BrokenStream as broken:
            return failed(broken.code, self.endpoint.words_without_key(broken.detail), uncertain=1)
        except httpx2.TransportError as problem:
            return failed("connection", self.endpoint.words_without_key(str(problem)), uncertain=1)
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, ValueError) as problem:
            return failed("client", type(problem).__name__)

    async def _read(self, response: httpx2.Response, started: float) -> Timed:
        if response.status_code == 200 and response.headers.get("content-type", "").startswith(EVENTS):
            return await self._read_events(response, started)
        content = await within_bounds(response)
        seconds = clock() - started
        if response.status_code != 200:
            from providers.client.retrying import retry_after  # with the SDK, which nothing else here needs

            answer = read(response.status_code, self.endpoint.without_key(content), 0)
            refused = failed(answer.failure or f"http_{answer.status}", answer.detail or answer.message)
            return replace(refused, retry_after=retry_after(response.headers))
        # A server that does not heed `stream` answers as ever.
        reply = read_body(self.endpoint.without_key(content), round(seconds * 1000), Call(b"", {}, 0, attempts=1))
        return Timed(reply, seconds)

    async def _read_events(self, response: httpx2.Response, started: float) -> Timed:
        events, answer, size = EventStream(), Streamed(), 0
        first: float | None = None
        pieces = response.aiter_bytes()
        async for piece in pieces:
            size += len(piece)
            if size > MAX_BYTES:
                raise BrokenStream("body_too_long")
            for data in events.feed(piece):
                if answer.add(data) and first is None:
                    first = clock() - started
            if answer.is_ended:
                break
        for data in events.close():
            answer.add(data)
        seconds = clock() - started
        await read_to_end(pieces)
        # Not every server says [DONE]; one that says neither this nor why it ended was broken off.
        if not answer.is_ended and not answer.finish_reason:
            raise BrokenStream("connection", "the stream broke off in the midst of the answer")
        without_key = self.endpoint.words_without_key
        text, thought = without_key("".join(answer.text)), without_key("".join(answer.reasoning))
        reply = Reply(text, answer.model, answer.finish_reason, answer.refusal, thought)
        counted = replace(
            reply, prompt_tokens=count(answer.usage.get("prompt_tokens")), completion_tokens=written(answer.usage)
        )
        return Timed(counted, seconds, first)


async def read_to_end(pieces: AsyncIterator[bytes]) -> None:
    """What follows the last event, usually nothing, so that the connection is there for the next call."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LAST_BYTES_SECONDS):
            async for _piece in pieces:
                pass


def failed(code: str, detail: str = "", uncertain: int = 0) -> Timed:
    """`uncertain` is 1 where it broke off after it was sent, so that it may be charged all the same."""
    return Timed(Reply(failure=code, detail=detail[:MAX_DETAIL], uncertain=uncertain))


async def within_bounds(response: httpx2.Response) -> bytes:
    """All that is sent, up to what `read_body` finds too long."""
    received = bytearray()
    async for piece in response.aiter_bytes():
        received += piece
        if len(received) > MAX_BYTES:
            break
    return bytes(received)


@asynccontextmanager
async def one_by_one(endpoint: Endpoint) -> AsyncIterator[OneByOne]:
    timeout = httpx2.Timeout(endpoint.timeout_seconds, connect=min(10.0, endpoint.timeout_seconds))
    limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=endpoint.timeout_seconds)
    # A connection that has closed is opened anew, and an address that a stranger named is looked at each time.
    transport = GuardedTransport(limits=limits) if endpoint.is_submitted else None
    # No redirects: a key is sent to the configured host and to no other.
    async with httpx2.AsyncClient(
        follow_redirects=False, timeout=timeout, limits=limits, transport=transport
    ) as client:
        yield OneByOne(endpoint, client)
