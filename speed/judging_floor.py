"""Bare loops: the same requests to the same provider with nothing around them, no plan, no parsing, no database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence


def sdk(url: str, bodies: Sequence[dict], concurrency: int) -> float:
    """Seconds of an asyncio loop over the openai SDK, as its own documentation has it: one client, one semaphore."""
    return asyncio.run(_sdk(url, bodies, concurrency))


def aiohttp(url: str, bodies: Sequence[dict], concurrency: int) -> float:
    """Seconds of the same loop over aiohttp, which knows nothing of chat completions."""
    return asyncio.run(_aiohttp(url, bodies, concurrency))


async def _sdk(url: str, bodies: Sequence[dict], concurrency: int) -> float:
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    limit = asyncio.Semaphore(concurrency)

    async def one(body: dict) -> None:
        async with limit:
            await client.chat.completions.create(**body)

    begin = time.perf_counter()
    await asyncio.gather(*(one(body) for body in bodies))
    seconds = time.perf_counter() - begin
    await client.close()
    return seconds


async def _aiohttp(url: str, bodies: Sequence[dict], concurrency: int) -> float:
    import aiohttp

    limit = asyncio.Semaphore(concurrency)
    connector = aiohttp.TCPConnector(limit=concurrency)

    async with aiohttp.ClientSession(connector=connector) as session:

        async def one(body: dict) -> None:
            async with limit, session.post(f"{url}/chat/completions", json=body) as response:
                response.raise_for_status()
                await response.json()

        begin = time.perf_counter()
        await asyncio.gather(*(one(body) for body in bodies))
        return time.perf_counter() - begin
