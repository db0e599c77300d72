"""The broker of a team: kombu's on Redis, but for entries that nobody can read.

kombu takes an entry off its list, fails to read it and ends the worker. Here it goes to the list `unreadable`, which
keeps the newest hundred, and the worker takes the next.
"""

import contextlib
import json
import time
from queue import Empty
from typing import Any

from kombu.log import get_logger
from kombu.transport import redis
from kombu.utils.encoding import bytes_to_str

from config.broker import envelopes
from config.broker.envelopes import PUT_ASIDE, PUT_ASIDE_BYTES, Unreadable
from config.broker.folder import give_up

logger = get_logger(__name__)

UNREADABLE = "unreadable"
# The published types know half of the transport.
kombus: Any = redis


class QoS(kombus.QoS):
    """What was taken and not acknowledged stands in a hash; an entry of it that cannot be read is dropped."""

    def restore_by_tag(self, tag: Any, client: Any = None, leftmost: bool = False) -> None:
        try:
            super().restore_by_tag(tag, client=client, leftmost=leftmost)
        except envelopes.OVER_CONTENT as problem:
            logger.warning("The message %s cannot be given back, and is dropped: %s", tag, problem)
            self._remove_from_indices(tag).execute()


class Channel(kombus.Channel):
    QoS = QoS

    def _brpop_read(self, **options: Any) -> bool:
        """kombu's, reading with care. Returns whether an entry was taken off a list.

        Raises:
            Empty: none came in time.
        """
        try:
            try:
                answer = self.client.parse_response(self.client.connection, "BRPOP", **options)
            except self.connection_errors:
                self.client.connection.disconnect()
                raise
            if not answer:
                raise Empty
            queue = bytes_to_str(answer[0]).rsplit(self.sep, 1)[0]
            self._queue_cycle.rotate(queue)
            message = self._read(answer[1], queue)
            if message is not None:
                self.connection._deliver(message, queue)
            return True
        finally:
            self._in_poll = None
            self._flush_brpop_reauth()

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        with self.conn_or_acquire() as client:
            for priority in self.priority_steps:
                while entry := client.rpop(self._q_for_pri(queue, priority)):
                    message = self._read(entry, queue)
                    if message is not None:
                        return message
            raise Empty

    def _read(self, entry: bytes, queue: str) -> dict[str, Any] | None:
        try:
            return envelopes.read(entry, envelopes.known_tasks())
        except Unreadable as problem:
            self.put_aside(entry, queue, problem)
            return None

    def put_aside(self, entry: bytes, queue: str, problem: Exception) -> None:
        logger.warning(
            "A message of the queue %s cannot be read: %s; it was put aside into the list %s",
            queue,
            problem,
            UNREADABLE,
        )
        kept = {
            "queue": queue,
            "problem": str(problem),
            "taken_at": time.time(),
            "entry": entry[:PUT_ASIDE_BYTES].decode(errors="backslashreplace"),
        }
        # A Redis that is full, or where something else has this name, is no reason to stop.
        with contextlib.suppress(kombus.redis.exceptions.ResponseError), self.conn_or_acquire() as client:
            client.lpush(UNREADABLE, json.dumps(kept))
            client.ltrim(UNREADABLE, 0, PUT_ASIDE - 1)

    def refuse(self, message: dict[str, Any], queue: str, problem: Exception) -> None:
        """Put aside what could be read and that Celery could not take all the same."""
        self.put_aside(json.dumps(message, default=str).encode(), queue, problem)


class Transport(kombus.Transport):
    Channel = Channel

    def _deliver(self, message: dict[str, Any], queue: str) -> None:
        try:
            super()._deliver(message, queue)
        except envelopes.OVER_CONTENT as problem:
            for channel in self.channels:
                if give_up(channel, message):
                    channel.refuse(message, queue, problem)
