"""Calls to any OpenAI-compatible endpoint, over the openai SDK.

One connection per concurrent call, each with a client of its own: a single client with a large pool spends more
time choosing a connection than talking. Clients live as long as the process's event loop.
"""

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx2
import openai
import orjson

from judging.clients import retrying
from judging.clients.requests import PlainRequest, Request
from judging.parsing import Reply

MOST_DETAIL = 500
NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider as its row has it, with its key. The key is left out of everything printed."""

    name: str
    base_url: str
    key: str = field(repr=False)
    timeout_seconds: float
    concurrency: int
    # Limits hold for all workers together; None is no limit.
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    # Of a call with all its attempts and the waiting between them; a timeout is of one attempt.
    deadline_seconds: float = 900


class Connections:
    """The clients of one endpoint in one event loop. Taking one is also what bounds the concurrency."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._tls = ssl.create_default_context()
        self._idle: list[openai.AsyncOpenAI] = []
        self._free = asyncio.Semaphore(endpoint.concurrency)

    def _new_client(self) -> openai.AsyncOpenAI:
        timeout = httpx2.Timeout(self.endpoint.timeout_seconds, connect=min(10.0, self.endpoint.timeout_seconds))
        # No redirects: a key is sent to the configured host and to no other.
        http_client = httpx2.AsyncClient(
            verify=self._tls,
            timeout=timeout,
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1),
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

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[openai.AsyncOpenAI]:
        async with self._free:
            client = self._idle.pop() if self._idle else self._new_client()
            try:
                yield client
            finally:
                self._idle.append(client)

    async def ask(
        self, request: Request | PlainRequest, *, idempotency_key: str = "", expected_tokens: int = 0
    ) -> Reply:
        """The reply, or a Reply with its `failure`. Raises ProviderDown where the provider has been down too long.

        Args:
            idempotency_key: sent with every attempt of this call, so that a provider that knows such keys charges once.
            expected_tokens: of prompt and answer together, taken from the tokens per minute before the call is sent.
        """
        tried = 0
        options: openai.RequestOptions = {}
        if idempotency_key:
            options["headers"] = {"Idempotency-Key": idempotency_key}
        try:
            async for attempt in retrying.attempts():
                tried += 1
                with attempt:
                    # A connection is held during the attempt alone: nobody waits for one that waits.
                    async with self._client() as client:
                        started = time.perf_counter()
                        # The SDK's own verb for this would walk through the body and its schema by their types
                        # first, which takes longer than all else that a call costs here.
                        raw = await client.post(
                            "/chat/completions", body=request.body(), cast_to=httpx2.Response, options=options
                        )
                        latency = round((time.perf_counter() - started) * 1000)
                    return read_body(self._body_without_key(raw.content), latency, tried)
        except openai.APIStatusError as problem:
            detail = self._without_key(problem.message)
            return Reply(failure=f"http_{problem.status_code}", detail=detail, attempts=tried)
        except openai.APITimeoutError:
            return Reply(failure="timeout", attempts=tried)
        except openai.APIConnectionError as problem:
            detail = self._without_key(str(problem.__cause__ or problem))
            return Reply(failure="connection", detail=detail, attempts=tried)
        except (openai.OpenAIError, httpx2.HTTPError, UnicodeError, ValueError) as problem:
            return Reply(failure="client", detail=type(problem).__name__, attempts=tried)
        raise AssertionError("every attempt answers or raises")

    def _body_without_key(self, content: bytes) -> bytes:
        """A gateway may repeat the request's headers in its answer, and what is answered is stored word for word."""
        key = self.endpoint.key
        for written in filter(None, (key, key.replace("/", "\\/"))):  # JSON may escape a slash
            content = content.replace(written.encode(), b"[key]")
        return content

    def _without_key(self, text: str) -> str:
        """Some providers repeat the key in their complaint about it."""
        return text.replace(self.endpoint.key, "[key]")[:MOST_DETAIL] if self.endpoint.key else text[:MOST_DETAIL]

    async def close(self) -> None:
        for client in self._idle:
            await client.close()
        self._idle.clear()


def read_body(content: bytes, latency_ms: int, tried: int) -> Reply:
    """A 200's body as a Reply: read by hand, because providers send under 200 what no SDK expects."""

    def failed(code: str) -> Reply:
        text = content[:MOST_DETAIL].decode("utf-8", "replace")
        return Reply(failure=code, text=text, latency_ms=latency_ms, attempts=tried)

    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return failed("body_not_json")
    if not isinstance(body, dict) or body.get("error"):
        return failed("error_body")
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return failed("no_choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        return failed("no_message")
    usage = body["usage"] if isinstance(body.get("usage"), dict) else {}
    details = usage.get("completion_tokens_details")
    return Reply(
        text=text_of(message.get("content")),
        model=body["model"] if isinstance(body.get("model"), str) else "",
        finish_reason=str(choices[0].get("finish_reason") or ""),
        refusal=message["refusal"] if isinstance(message.get("refusal"), str) else "",
        has_tool_call=bool(message.get("tool_calls") or message.get("function_call")),
        prompt_tokens=count(usage.get("prompt_tokens")),
        completion_tokens=count(usage.get("completion_tokens")),
        reasoning_tokens=count(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
        latency_ms=latency_ms,
        attempts=tried,
    )


def text_of(content: object) -> str:
    """A message's text, also where it comes as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**31 else None
