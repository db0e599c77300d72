"""What every command shows of its progress, and what it says when it is interrupted."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TextIO

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

WIDTH = 30
DRAW_SECONDS = 0.1
INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended, as shells have it


def in_counts(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def in_megabytes(number: float) -> str:
    return f"{number / 1e6:,.1f} MB"


class ProgressBar:
    """How far a command is: done of total, rate, time left and a sentence. Redrawn on a terminal, elsewhere a line for
    every tenth.

    `amount` writes a number of what is counted, in figures.
    """

    def __init__(self, stream: TextIO, amount: Callable[[float], str] = in_counts) -> None:
        self.stream = stream
        self.amount = amount
        self.is_terminal = stream.isatty()
        self.started = time.monotonic()
        # What was done before there was a bar says nothing of how fast it goes.
        self.done_before: int | None = None
        self.drawn_at = 0.0
        self.tenths = 0
        self.drawn = 0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def show(self, done: int, total: int | None, sentence: str = "") -> None:
        if self.done_before is None:
            self.done_before = done
        if self.is_terminal:
            self._draw(done, total, sentence)
        elif total and (tenths := min(10, done * 10 // total)) > self.tenths:
            self.tenths = tenths
            self.stream.write(", ".join(filter(None, [f"{tenths * 10} %", sentence])) + "\n")
            self.stream.flush()

    def _draw(self, done: int, total: int | None, sentence: str) -> None:
        now = time.monotonic()
        if now - self.drawn_at < DRAW_SECONDS and not (total and done >= total):
            return
        self.drawn_at = now
        line = self.line(done, total, now - self.started, sentence)
        # Shorter than the line before, it leaves nothing of that standing.
        self.stream.write(f"\r{line:<{self.drawn}}")
        self.stream.flush()
        self.drawn = len(line)

    def line(self, done: int, total: int | None, seconds: float, sentence: str = "") -> str:
        """As it is drawn after so many seconds."""
        rate = (done - (self.done_before or 0)) / seconds if seconds > 0 else 0.0
        parts = [f"{self.amount(done)} / {self.amount(total)}" if total else self.amount(done)]
        if rate:
            parts.append(_("%(rate)s a second") % {"rate": self.amount(rate)})
        if total:
            filled = round(min(1.0, done / total) * WIDTH)
            parts.insert(0, "█" * filled + "░" * (WIDTH - filled))
            if rate and done < total:
                parts.append(_("%(time)s left") % {"time": minutes((total - done) / rate)})
        return "  ".join([*parts, sentence] if sentence else parts)

    def close(self) -> None:
        if self.is_terminal and self.drawn:
            self.stream.write("\n")
            self.stream.flush()
            self.drawn = 0


def minutes(seconds: float) -> str:
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


@contextmanager
def interrupted_with(words: Callable[[], str]) -> Iterator[None]:
    """Ctrl-C within it ends the command with these words: what was kept, and whether work goes on."""
    try:
        yield
    except KeyboardInterrupt:
        raise CommandError(words(), returncode=INTERRUPTED) from None
