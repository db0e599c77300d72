"""A circuit breaker before a part that may be away: after a failure nobody waits for it, but one probe now and then.

One for a part and process, shared by its threads. It decides who may try; what stands in for the part is its caller's.
"""

import threading
import time

# After a failure the part is left alone for so long.
PAUSE_SECONDS = 2.0
# A probe that has said nothing for so long was lost with its thread, and another may try.
PROBE_SECONDS = 5.0


class CircuitBreaker:
    """Closed: all may try. Open: nobody. After `pause_seconds` one may, and what becomes of that decides."""

    def __init__(self, pause_seconds: float = PAUSE_SECONDS) -> None:
        self.pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._closed_again_at: float | None = None  # of time.monotonic(); None: closed

    @property
    def is_open(self) -> bool:
        return self._closed_again_at is not None

    def may_try(self) -> bool:
        """True for everyone while closed; else for one caller, who says what came of it."""
        if not self.is_open:
            return True
        with self._lock:
            now = time.monotonic()
            if now < (self._closed_again_at or 0.0):
                return False
            if self._closed_again_at is not None:
                self._closed_again_at = now + PROBE_SECONDS
            return True

    def succeed(self) -> bool:
        """The part answered. True where it was away until now."""
        if not self.is_open:
            return False
        with self._lock:
            was_open, self._closed_again_at = self.is_open, None
            return was_open

    def fail(self) -> bool:
        """The part did not answer. True where it was there until now."""
        with self._lock:
            was_closed = not self.is_open
            self._closed_again_at = time.monotonic() + self.pause_seconds
            return was_closed
