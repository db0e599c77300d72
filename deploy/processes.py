"""Children of one process: started in groups of their own, watched, ended in order, none left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
LOG_BYTES = 5_000_000
READ_BYTES = 1_000_000


class Interrupted(Exception):
    """The person, or the machine, asked this process to end."""


def end_on_signals() -> None:
    """Turn Ctrl-C, SIGTERM and a closed terminal into one exception, so that every `finally` is run."""

    def interrupt(number: int, _frame: object) -> None:
        # A second signal while children are being ended must not leave them behind.
        for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signal_number, signal.SIG_IGN)
        raise Interrupted(signal.Signals(number).name)

    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, interrupt)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # ignored already under nohup
        signal.signal(signal.SIGHUP, interrupt)


def libc_on_linux() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if sys.platform == "linux" else None


LIBC = libc_on_linux()


def end_with_parent() -> None:
    """Asked of the kernel in the new child: end it where its parent is killed and cannot do so itself."""
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """One long-running program with a process group and a log file of its own."""

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        log: Path,
        *,
        environment: dict[str, str] | None = None,
        user: int | None = None,
        group: int | None = None,
        patience: float = 8.0,
        stop_signal: signal.Signals = signal.SIGTERM,
        folder: Path | None = None,
        stdin: bytes = b"",
        descriptors: Sequence[int] = (),
    ) -> None:
        """Start it.

        Args:
            name: what people call it, in messages.
            log: takes its output; a log beyond 5 MB is set aside first as one `.1` file. Where it cannot be written
                the output is lost, and the program runs all the same.
            user, group: numeric ids to run as; only root may set them.
            patience: seconds between the stop signal and SIGKILL.
            stdin: what it reads before its standard input ends.
            descriptors: open files of ours that it inherits under the same numbers.

        Raises:
            OSError: it could not be started.
        """
        self.name, self.log, self.patience, self.stop_signal = name, log, patience, stop_signal
        with open_log(log) as output:
            self.log_start = output.tell() if output.seekable() else 0
            self.process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=end_with_parent,
                user=user,
                group=group,
                extra_groups=None if user is None else [],
                pass_fds=descriptors,
            )
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(stdin)
                self.process.stdin.close()
        self.read_to = self.log_start
        self.asked = False

    @property
    def ended(self) -> bool:
        return self.process.poll() is not None

    def new_log_lines(self) -> list[str]:
        """Whole lines written since the last call, one that is too long in parts; none where the log cannot be read."""
        try:
            with self.log.open("rb") as log:
                log.seek(self.read_to)
                data = log.read(READ_BYTES)
        except OSError:
            return []
        whole = data.rfind(b"\n") + 1 or (len(data) if len(data) == READ_BYTES else 0)
        self.read_to += whole
        return data[:whole].decode(errors="replace").splitlines()

    def last_log_lines(self, count: int = 25) -> str:
        try:
            with self.log.open("rb") as log:
                log.seek(max(self.log_start, self.log.stat().st_size - 100_000))
                return "\n".join(log.read(200_000).decode(errors="replace").splitlines()[-count:])
        except OSError:
            return ""

    def shorten_log(self) -> None:
        """Set a log aside that has become too long; the child goes on writing at the end of what is left, which is
        nothing."""
        with contextlib.suppress(OSError):
            if self.log.stat().st_size > LOG_BYTES and stat.S_ISREG(self.log.stat().st_mode):
                with contextlib.suppress(OSError):  # on a full disk the room that it takes counts for more
                    shutil.copyfile(self.log, self.log.with_name(self.log.name + ".1"))
                os.truncate(self.log, 0)
                self.log_start = self.read_to = 0

    def ask_to_stop(self) -> None:
        """Ask once; only the group's leader, which ends its own workers in its own order."""
        if not self.asked and not self.ended:
            self.asked = True
            self.process.send_signal(self.stop_signal)

    def stop(self) -> None:
        """Ask, wait, then make sure that nothing of its group is left."""
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(self.patience)
        self.kill()
        self.process.wait()

    def kill(self) -> None:
        """SIGKILL to what is left of its group, the leader or those that it has left behind."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)


def open_log(log: Path) -> IO[bytes]:
    """The log to append to, its folder made, the old one set aside; the null device where none of it can be done."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.replace(log.with_name(log.name + ".1"))
        return log.open("ab")
    except OSError:
        return open(os.devnull, "ab")


def stop_in_order(children: list[Child]) -> None:
    """End the children one after another; a failure with one does not spare the next."""
    for child in children:
        with contextlib.suppress(OSError):
            child.stop()


def first_ended(children: list[Child]) -> Child | None:
    return next((child for child in children if child.ended), None)


def wait_until(ready: Callable[[], bool], children: list[Child], seconds: float, pause: float = 0.05) -> bool:
    """Wait for `ready()`; False when the time is up or a child ended meanwhile."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not first_ended(children):
        if ready():
            return True
        time.sleep(pause)
    return False
