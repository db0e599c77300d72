"""A worker process that never waits: while the last calls of a shard are under way it begins with the next shard.

Without that, each shard would end with connections that stand idle until its slowest call is back.
"""

import logging
import threading
import time

from django.db import connection

from judging.models import RunState, Shard, ShardState
from judging.shards import work_through

logger = logging.getLogger(__name__)

# After so long a task takes up nothing more: other tasks wait for its process, such as giving back expired leases.
MOST_SECONDS = 20.0


def work_on(shard_id: int) -> None:
    """Work through a shard and, for a while, through those that wait. Returns once all that was begun has ended.

    In a pool of threads others begin with the next shards anyway, and only the one shard is worked through.
    """
    if threading.current_thread() is not threading.main_thread():
        work_through(shard_id)
        return
    relay = Relay()
    try:
        work_through(shard_id, on_last=relay.begin_next)
    finally:
        relay.wait()


class Relay:
    """The shards that one task works through, each in a thread of its own, begun as the one before runs out."""

    def __init__(self) -> None:
        self._until = time.monotonic() + MOST_SECONDS
        self._threads: list[threading.Thread] = []

    def begin_next(self) -> None:
        """From any thread; does not wait."""
        if time.monotonic() < self._until:
            thread = threading.Thread(target=self._work_on_next, name="shard")
            self._threads.append(thread)
            thread.start()

    def wait(self) -> None:
        for thread in self._threads:  # which grows while the threads before its end go on
            thread.join()

    def _work_on_next(self) -> None:
        try:
            waiting = Shard.objects.filter(state=ShardState.QUEUED, run__state=RunState.RUNNING).order_by("pk")
            shard = waiting.values_list("pk", flat=True).first()
            if shard is not None:
                work_through(shard, on_last=self.begin_next)
        except Exception:  # its shard was given back, and the sweep sends it again
            logger.exception("a shard was broken off")
        finally:
            connection.close()
