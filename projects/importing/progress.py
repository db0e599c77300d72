"""How far an import has come, on the standard error of a command."""

import time
from typing import TextIO

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

WIDTH = 30


class ProgressBar:
    """A bar that redraws itself on a terminal; elsewhere a line for every tenth of the file."""

    def __init__(self, stream: TextIO):
        self.stream = stream
        self.is_terminal = stream.isatty()
        self.started = time.monotonic()
        self.drawn_at = 0.0
        self.tenths = 0

    def __call__(self, lines: int, bytes_read: int, size: int | None) -> None:
        if self.is_terminal:
            self._draw(lines, bytes_read, size)
        elif size and (tenths := min(10, bytes_read * 10 // size)) > self.tenths:
            self.tenths = tenths
            words = ngettext("%(percent)d %%, %(lines)d line", "%(percent)d %%, %(lines)d lines", lines)
            self.stream.write(words % {"percent": tenths * 10, "lines": lines} + "\n")
            self.stream.flush()

    def _draw(self, lines: int, bytes_read: int, size: int | None) -> None:
        now = time.monotonic()
        is_done = size is not None and bytes_read >= size
        if now - self.drawn_at < 0.1 and not is_done:
            return
        self.drawn_at = now
        share = min(1.0, bytes_read / size) if size else 0.0
        bar = "█" * round(share * WIDTH) + "░" * (WIDTH - round(share * WIDTH)) if size else ""
        words = _("%(lines)d lines, %(megabytes).1f MB, %(seconds)d s")
        numbers = {"lines": lines, "megabytes": bytes_read / 1e6, "seconds": now - self.started}
        self.stream.write(f"\r{bar} {words % numbers} ")
        self.stream.flush()

    def close(self) -> None:
        if self.is_terminal:
            self.stream.write("\n")
