"""When a provider is down: nothing is sent, until one call tries whether it is back. Pure; seconds throughout.

Failures are lost connections, timeouts and 5xx. Any other answer, a refusal too, shows that somebody is there.
"""

from dataclasses import dataclass

# So many failures in a row open it, or a quarter of the calls at once where that is more: those fail together.
MIN_FAILURES = 5
COOL_OFF_SECONDS = 1.0
MAX_COOL_OFF_SECONDS = 30.0
# Down for so long without an answer, it is for people to decide when to go on.
MAX_SECONDS_DOWN = 120.0


class ProviderDown(Exception):
    """The provider has not answered for so long that waiting on is a decision for people; the call was not answered.

    `attempts` of this call were sent before, `uncertain` of them may have been charged.
    """

    def __init__(self, provider: str, *, attempts: int = 0, uncertain: int = 0) -> None:
        self.provider, self.attempts, self.uncertain = provider, attempts, uncertain
        super().__init__(provider)


@dataclass(slots=True)
class Breaker:
    """Closed while `open_until` is 0. After its cool-off it stays open for all but one, who probes."""

    failures: int = 0
    openings: int = 0
    open_until: float = 0.0
    down_since: float = 0.0
    probe_by: str = ""
    probe_until: float = 0.0

    @property
    def is_open(self) -> bool:
        return self.open_until > 0

    def record(self, now: float, *, is_answered: bool, failures: int, at_once: int) -> None:
        """`failures` in a row, after an answer where there was one; `at_once` is the provider's concurrency."""
        if is_answered:
            self.close()
        self.failures += failures
        if not self.is_open and self.failures >= max(MIN_FAILURES, at_once // 4):
            self.down_since = now
            self._open(now)

    def record_probe(self, now: float, who: str, *, has_failed: bool) -> None:
        """A probe that came to nothing: it failed, or its call was given up and another may try."""
        if self.is_open and self.probe_by == who:
            self.probe_by = ""
            if has_failed:
                self._open(now)

    def probe(self, now: float, who: str, seconds: float) -> bool:
        """True for the one that may send a single attempt, which takes `seconds` at most."""
        if not self.is_open or now < self.open_until or (self.probe_by and now < self.probe_until):
            return False
        self.probe_by, self.probe_until = who, now + seconds
        return True

    def is_down(self, now: float) -> bool:
        """True where it has been open for too long, unless it is time to probe."""
        return self.is_open and now < self.open_until and now - self.down_since >= MAX_SECONDS_DOWN

    def cap_pause(self, now: float) -> None:
        """No cool-off is longer than the longest, also where the clock was set back meanwhile."""
        self.open_until = min(self.open_until, now + MAX_COOL_OFF_SECONDS)

    def close(self) -> None:
        self.failures = self.openings = 0
        self.open_until = self.down_since = self.probe_until = 0.0
        self.probe_by = ""

    def _open(self, now: float) -> None:
        cool_off = COOL_OFF_SECONDS * 2 ** min(self.openings, 20)
        self.open_until = now + min(cool_off, MAX_COOL_OFF_SECONDS)
        self.openings += 1
