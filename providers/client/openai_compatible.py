"""Calls to any OpenAI-compatible endpoint, over the openai SDK.

Loading this module loads the SDK, which takes most of a second: nothing imports it that a process without calls needs.

One connection per concurrent call, each with a client of its own: a single client with a large pool spends more
time choosing a connection than talking. Clients live as long as the process's event loop.
"""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Callable

import httpx2
import openai
import orjson

from providers.client import retrying
from providers.client.bodies import MAX_BYTES, MAX_DETAIL, Call, read_body
from providers.client.endpoint import Endpoint
from providers.client.guarded import GuardedTransport
from providers.client.replies import Reply
from providers.client.requests import PlainRequest, Request
from providers.client.sending import NeverSent
from providers.limiter.circuit_breaker import ProviderDown
from providers.limiter.rate_limiter import DeadlineOver, Outcome, RateLimiter

# Longer ones are read beside the event loop.
MAX_BYTES_AT_ONCE = 64 * 1024
NO_KEY = "none"
PATH = "/chat/completions"
# Failures before the provider had the request: it can have charged nothing.
NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class Connections:
    """The clients of one endpoint in one event loop. The rate limiter decides how many send at once."""

    def __init__(self, endpoint: Endpoint, limiter: RateLimiter) -> None:
        self.endpoint = endpoint
        self._limiter = limiter
        self._tls = ssl.create_default_context()
        self._idle: list[openai.AsyncOpenAI] = []
        self._is_retired = False
        self._closing: set[asyncio.Task[None]] = set()

    def _new_client(self) -> openai.AsyncOpenAI:
        timeout = httpx2.Timeout(self.endpoint.timeout_seconds, connect=min(10.0, self.endpoint.timeout_seconds))
        # No redirects: a key is sent to the configured host and to no other.
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        is_submitted = self.endpoint.is_submitted
        http_client = httpx2.AsyncClient(
            verify=self._tls,
            timeout=timeout,
            follow_redirects=False,
            limits=limits,
            transport=GuardedTransport(verify=self._tls, limits=limits) if is_submitted else None,
            event_hooks={"response": [receive]},
        )
        client = openai.AsyncOpenAI(
            api_key=self.endpoint.key or NO_KEY,
            base_url=self.endpoint.base_url,
            timeout=timeout,
            max_retries=0,
            http_client=http_client,
        )
        # The SDK would fill these in from variables meant for OpenAI itself and send them to every provider.
        client.organization = client.project = None
        return client

    async def ask(
        self,
        request: Request | PlainRequest,
        *,
        idempotency_key: str = "",
        expected_tokens: int = 0,
        may_retry: Callable[[], bool] = lambda: True,
    ) -> Reply:
        """The reply, or a Reply with its `failure`. Raises ProviderDown where the provider has been down too long.

        Args:
            idempotency_key: sent with every attempt of this call, so that a provider that knows such keys charges once.
            expected_tokens: of prompt and answer together, taken from the tokens per minute before the call is sent.
            may_retry: called before an attempt that follows one which may have been charged. Where it returns False,
                the call fails as "unaffordable".
        """
        headers = {"Content-Type": "application/json"}
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        call = Call(orjson.dumps(request.body()), headers, expected_tokens)
        deadline = retrying.Deadline(self.endpoint.deadline_seconds)
        try:
            while True:
                try:
                    return await self._attempt(call, deadline)
                except openai.OpenAIError as problem:
                    call.last_problem = problem
                    pause = retrying.pause(problem, call.attempts, deadline)
                await asyncio.sleep(pause)
                if call.uncertain > call.paid_again:
                    if not may_retry():
                        return call.failed("unaffordable", self._last_failure(call))
                    call.paid_again = call.uncertain
        except asyncio.CancelledError as cancelled:
            if not call.attempts:
                raise NeverSent from cancelled
            raise
        except ProviderDown as down:
            down.attempts, down.uncertain = call.attempts, call.uncertain
            raise
        except DeadlineOver:
            return call.failed("deadline", self._last_failure(call))
        except openai.OpenAIError as problem:
            return call.failed(*self._code_and_detail(problem))
        except (httpx2.HTTPError, UnicodeError, ValueError) as problem:
            return call.failed("client", type(problem).__name__)

    async def _attempt(self, call: Call, deadline: retrying.Deadline) -> Reply:
        """Send once, as soon as a permit is granted. A connection is held during the attempt alone."""
        permit = await self._limiter.acquire(call.expected_tokens, deadline.at)
        outcome, retry_after_seconds, used = Outcome.GIVEN_UP, None, None
        try:
            reply = await self._send(call, deadline.begin())
            outcome = Outcome.ANSWERED
            used = None if reply.prompt_tokens is None else reply.prompt_tokens + (reply.completion_tokens or 0)
            return reply
        except openai.APIStatusError as problem:
            outcome, retry_after_seconds = outcome_of(problem), retrying.retry_after(problem.response.headers)
            raise
        except openai.APIConnectionError as problem:
            outcome = Outcome.FAILED
            call.uncertain += not isinstance(problem.__cause__, NEVER_SENT)
            raise
        finally:
            self._limiter.release(permit, outcome, retry_after=retry_after_seconds, tokens=used)

    async def _send(self, call: Call, deadline: float) -> Reply:
        """One attempt within its own time and the call's. Raises DeadlineOver where the latter ends it."""
        call.attempts += 1
        client = self._idle.pop() if self._idle else self._new_client()
        started = time.monotonic()
        until = started + self.endpoint.timeout_seconds
        try:
            # The client's own timeouts begin anew with every piece of the answer that comes.
            async with asyncio.timeout(min(until, deadline) - started):
                # The SDK's own verb for this would walk through the body and its schema by their types
                # first, which takes longer than all else that a call costs here; and it would write JSON slowly.
                raw = await client.post(PATH, content=call.content, cast_to=httpx2.Response, options=call.options)
        except TimeoutError:
            self._discard(client)
            if deadline < until:
                call.uncertain += 1
                raise DeadlineOver from None
            raise openai.APITimeoutError(httpx2.Request("POST", self.endpoint.base_url)) from None
        except asyncio.CancelledError:
            self._discard(client)
            raise
        except BaseException:
            self._put_back(client)
            raise
        self._put_back(client)
        latency = round((time.monotonic() - started) * 1000)
        if len(raw.content) > MAX_BYTES_AT_ONCE:
            return await asyncio.to_thread(self._read, raw.content, latency, call)
        return self._read(raw.content, latency, call)

    def _read(self, content: bytes, latency_ms: int, call: Call) -> Reply:
        return read_body(self.endpoint.without_key(content), latency_ms, call)

    def _detail(self, text: str) -> str:
        return self.endpoint.words_without_key(text)[:MAX_DETAIL]

    def _code_and_detail(self, problem: openai.OpenAIError) -> tuple[str, str]:
        """The code of a failure, and what the provider or the network says of it."""
        if isinstance(problem, openai.APIStatusError):
            return f"http_{problem.status_code}", self._detail(problem.message)
        if isinstance(problem, openai.APITimeoutError):
            return "timeout", ""
        if isinstance(problem, openai.APIConnectionError):
            return "connection", self._detail(str(problem.__cause__ or problem))
        return "client", type(problem).__name__

    def _last_failure(self, call: Call) -> str:
        """The failure of the last attempt in a line; empty where none failed."""
        return " ".join(self._code_and_detail(call.last_problem)).strip() if call.last_problem else ""

    def _put_back(self, client: openai.AsyncOpenAI) -> None:
        if self._is_retired:
            self._discard(client)
        else:
            self._idle.append(client)

    def _discard(self, client: openai.AsyncOpenAI) -> None:
        """Close it beside the call: what was broken off may leave its connection in any state."""
        task = asyncio.create_task(client.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def retire(self) -> None:
        """Its endpoint has changed: calls under way end as they are, and no connection is kept for others."""
        self._is_retired = True
        while self._idle:
            self._discard(self._idle.pop())


async def receive(response: httpx2.Response) -> None:
    """Take in a body: of an answer no more than MAX_BYTES and a piece, of a complaint MAX_BYTES_AT_ONCE and one.

    A few bytes can unpack to gigabytes; they are unpacked piece by piece, and no piece is asked for beyond that.
    """
    most = MAX_BYTES if response.status_code == 200 else MAX_BYTES_AT_ONCE
    received = bytearray()
    async with contextlib.aclosing(response.aiter_bytes()) as pieces:
        async for piece in pieces:
            received += piece
            if len(received) > most:
                break
    if len(received) > most:
        await response.aclose()  # with its connection: the rest is not waited for
    # Where `aread`, which is called next, looks first.
    response._content = bytes(received)


def outcome_of(problem: openai.APIStatusError) -> Outcome:
    if problem.status_code >= 500:
        return Outcome.FAILED
    return Outcome.REFUSED if problem.status_code == 429 and retrying.is_worth_another(problem) else Outcome.ANSWERED
