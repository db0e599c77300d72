"""The embedded mode's broker: a folder with a file for each message.

kombu has one of its own, whose reader can take a file that its writer has made and not yet filled, and dies of it.
Here a message is whole when its name appears, taking it is one renaming, and what cannot be read is put aside into
the folder `unreadable`. Nothing is flushed to the disk: the row in the database is the truth, and is swept.
"""

import contextlib
import os
import shutil
import stat
import time
import uuid
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.log import get_logger
from kombu.transport import virtual
from kombu.utils.json import dumps

from config.broker import envelopes
from config.broker.envelopes import PUT_ASIDE, PUT_ASIDE_BYTES, Unreadable

logger = get_logger(__name__)

# Half-written and taken files whose process is gone.
ABANDONED_SECONDS = 3600


class Channel(virtual.Channel):
    """Messages of a queue are the files `<anything without a point>.<queue>.msg`, oldest name first."""

    # Every process knows the queues from the settings, so no table of them is kept in files.
    supports_fanout = False

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self.folder = Path(connection.client.transport_options["folder"])
        self._listed: dict[str, deque[str]] = {}
        # Names that can neither be read nor moved: said once, and never touched again.
        self._immovable: set[str] = set()

    # --- Sending ----------------------------------------------------------------------------------------

    def _put(self, queue: str, message: dict[str, Any], **_kwargs: Any) -> None:
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        unfinished = self.folder / f".{name}.part"
        try:
            try:
                unfinished.write_bytes(dumps(message).encode())
            except FileNotFoundError:
                self.folder.mkdir(parents=True, exist_ok=True)
                unfinished.write_bytes(dumps(message).encode())
            unfinished.rename(self.folder / name)
        except OSError as problem:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise ChannelError(f"The message {name} cannot be written: {problem}") from problem

    # --- Taking -----------------------------------------------------------------------------------------

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        for name in self._waiting(queue):
            taken = self.folder / f".{name}.taken"
            try:
                (self.folder / name).rename(taken)
            except FileNotFoundError:
                continue  # another worker was faster
            except OSError as problem:
                self._immovable.add(name)
                logger.warning("The file %s cannot be taken and is left alone: %s", self.folder / name, problem)
                continue
            try:
                message = envelopes.read(content_of(taken), envelopes.known_tasks())
            except (Unreadable, OSError) as problem:
                self._put_aside(taken, name, problem)
                continue
            with contextlib.suppress(OSError):
                taken.unlink()
            return message
        raise Empty

    def _waiting(self, queue: str) -> Iterator[str]:
        """Names of the queue's messages. The folder is listed when those of the last time are used up: not once for
        each of thousands."""
        listed = self._listed.get(queue)
        if not listed:
            listed = self._listed[queue] = deque(sorted(self._names(queue)))
        while listed:
            yield listed.popleft()

    def _names(self, queue: str) -> list[str]:
        suffix = f"{queue}.msg"
        try:
            names = os.listdir(self.folder)
        except OSError:
            with contextlib.suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True)
            return []
        return [
            name
            for name in names
            if name.partition(".")[2] == suffix and name[0] != "." and name not in self._immovable
        ]

    def _size(self, queue: str) -> int:
        return len(self._names(queue))

    def _purge(self, queue: str) -> int:
        names = self._names(queue)
        for name in names:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        return len(names)

    def _new_queue(self, queue: str, **_kwargs: Any) -> None:
        """Called when a process declares a queue: what a killed one left half-done goes."""
        limit = time.time() - ABANDONED_SECONDS
        with contextlib.suppress(OSError):
            for path in self.folder.glob(f".*.{queue}.msg.*"):
                with contextlib.suppress(OSError):
                    if path.lstat().st_mtime < limit:
                        path.unlink()

    # --- What cannot be read ----------------------------------------------------------------------------

    def _put_aside(self, path: Path, name: str, problem: Exception) -> None:
        """Move it out of the way and say so once; where even that fails it goes."""
        aside = self.folder / "unreadable"
        target = aside / f"{time.time_ns():020d}_{uuid.uuid4().hex[:8]}_{name[-120:]}"
        try:
            aside.mkdir(exist_ok=True)
            path.rename(target)
            kept = f"it was put aside as {target}"
        except OSError:
            kept = "it was removed"
            with contextlib.suppress(OSError):
                remove(path)
        logger.warning("The message %s cannot be read: %s; %s", name, problem, kept)
        with contextlib.suppress(OSError):
            if stat.S_ISREG(target.lstat().st_mode) and target.lstat().st_size > PUT_ASIDE_BYTES:
                os.truncate(target, PUT_ASIDE_BYTES)
        with contextlib.suppress(OSError):
            for old in sorted(os.listdir(aside))[:-PUT_ASIDE]:
                with contextlib.suppress(OSError):
                    remove(aside / old)

    def refuse(self, message: dict[str, Any], queue: str, problem: Exception) -> None:
        """Put aside what could be read and that Celery could not take all the same."""
        path = self.folder / f".{uuid.uuid4().hex}.{queue}.msg.taken"
        with contextlib.suppress(OSError, TypeError, ValueError):
            path.write_bytes(dumps(message).encode())
        self._put_aside(path, f"of the queue {queue}".replace(" ", "-"), problem)


def content_of(path: Path) -> bytes:
    """What a file holds; never waits (as a pipe would make it), never follows a link.

    Raises:
        Unreadable: it is no file, or larger than any message.
        OSError: it may not be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable("it is no file")
        if about.st_size > envelopes.MAX_BYTES:
            raise Unreadable(f"it has {about.st_size:,} bytes")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(envelopes.MAX_BYTES + 1)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


class Transport(virtual.Transport):
    Channel = Channel
    # All connections of a process know the queues that any of them has declared.
    global_state = virtual.BrokerState()
    default_port = 0
    driver_type = driver_name = "folder"
    implements = virtual.Transport.implements.extend(asynchronous=False, exchange_type=frozenset(["direct"]))

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.state = self.global_state

    def driver_version(self) -> str:
        return "1"

    def _deliver(self, message: dict[str, Any], queue: str | None) -> None:
        try:
            super()._deliver(message, queue)
        except envelopes.OVER_CONTENT as problem:
            channels: Any = self.channels
            for channel in channels:
                if give_up(channel, message):
                    channel.refuse(message, queue, problem)


def give_up(channel: Any, message: dict[str, Any]) -> bool:
    """Free the place that a message holds among those that a worker has taken; whether it held one."""
    tag = message["properties"]["delivery_tag"]
    if tag not in channel.qos._delivered:
        return False
    channel.basic_reject(tag, requeue=False)
    return True
