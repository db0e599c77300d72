"""Several at one moment, each in a thread with a connection of its own."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from django.db import connection

PATIENCE = 120.0


def at_once(work: Callable[[Any], Any], arguments: Iterable[Any]) -> list[Any]:
    """Run `work` on each argument, all starting together; return what they return, in any order. Raises the first
    error of any of them."""
    arguments = list(arguments)
    barrier = threading.Barrier(len(arguments))
    results: list[Any] = []
    errors: list[Exception] = []

    def run(argument: Any) -> None:
        try:
            barrier.wait(timeout=PATIENCE)
            results.append(work(argument))
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[argument]) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    if errors:
        raise errors[0]
    return results
