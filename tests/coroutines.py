"""Coroutines in tests. Playwright leaves its own event loop running in the thread of a process that once opened a
browser, and a thread runs one loop at a time: so that no test depends on those before it, each loop has its own thread.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What it returns or raises."""
    with ThreadPoolExecutor(1, thread_name_prefix="coroutine") as beside:
        return beside.submit(asyncio.run, coroutine).result()


def running_loop() -> asyncio.AbstractEventLoop:
    """A loop for the server of a test, which runs until it is stopped."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop
