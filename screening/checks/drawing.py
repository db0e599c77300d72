"""Which of a rater's turns is a check, and which check it is: drawn by seed, so that anybody can draw it again."""

import hashlib
from collections.abc import Sequence


def is_due(seed: int, stage: int, rater: int, turn: int, share: float) -> bool:
    """Whether the turn with this number (from 0) of a rater in a stage is a check; over many turns `share` of them are.

    A draw per turn, not every tenth turn: what can be counted can be recognised.
    """
    return _uniform(seed, stage, rater, turn, "due") < share


def chosen(seed: int, stage: int, rater: int, turn: int, checks: Sequence[int]) -> int | None:
    """One of the checks that are still open to the rater, by id; None where there is none. Their order is no matter."""
    return min(checks, key=lambda check: _uniform(seed, stage, rater, turn, str(check)), default=None)


def _uniform(seed: int, stage: int, rater: int, turn: int, what: str) -> float:
    """In [0, 1), from SHA-256: the same in every process, and telling nothing about the next."""
    digest = hashlib.sha256(f"{seed}:{stage}:{rater}:{turn}:{what}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
