"""How many calls at once a provider bears, learned from its 429s. Pure; seconds throughout.

Additive increase, multiplicative decrease, as TCP does it (Chiu and Jain 1989): all who send find one pace, and
share it evenly.
"""

from dataclasses import dataclass

DECREASE = 0.7
# An answer of every call under way raises the pace by this part of the limit.
INCREASE = 1 / 16
FIRST_HOLD_SECONDS = 0.5
MAX_HOLD_SECONDS = 60.0


@dataclass(slots=True)
class Pace:
    """`cap` calls at once, 0 where nothing but the provider's limit bounds them.

    `epoch` counts the decreases. A 429 for what was sent before the last decrease says nothing about the pace since.
    `refused` counts the decreases since the last answer: one 429 among answers slows down, several in a row stop all
    sending until `hold_until`.
    """

    cap: float = 0.0
    epoch: int = 0
    refused: int = 0
    hold_until: float = 0.0

    def at_once(self, limit: int) -> int:
        return min(limit, max(1, int(self.cap))) if self.cap else limit

    def record_answers(self, count: int, limit: int) -> None:
        """`count` calls of this epoch were answered."""
        self.refused = 0
        if self.cap:
            self.cap += max(1.0, limit * INCREASE) * count / max(1.0, self.cap)
            if self.cap >= limit:
                self.cap = 0.0

    def record_refusal(self, now: float, epoch: int, retry_after: float | None, under_way: int, limit: int) -> None:
        """A 429 for a call of `epoch`, while so many were `under_way` in all."""
        if epoch != self.epoch:
            return
        self.epoch += 1
        self.refused += 1
        self.cap = max(1.0, DECREASE * min(self.cap or limit, max(1, under_way)))
        if self.refused > 1:
            pause = FIRST_HOLD_SECONDS * 2 ** min(self.refused - 2, 10) if retry_after is None else retry_after
            self.hold_until = max(self.hold_until, now + min(pause, MAX_HOLD_SECONDS))

    def cap_pause(self, now: float) -> None:
        """No hold is longer than the longest, also where the clock was set back meanwhile."""
        self.hold_until = min(self.hold_until, now + MAX_HOLD_SECONDS)
