"""How the simulated model scores an answer by a reference: by the words of the reference that stand in it, and slips.

An answer is worth what it says of itself in the words "simulated quality 7"; else ten points times the share of the
reference's words that it holds. A model adds its `Leaning` in points (rating.py): one with `lenient` 10 gives 10 to
everything, one with 1 a point more than it did. Where nothing lies between 0 and 10, the nearer of the two is given.
"""

import re
from collections.abc import Mapping

from providers.fake.rating import FAIR, QUALITY, Leaning, leaned

WORD = re.compile(r"[^\W_]+")
#: In whatever language it is told: a line that says what earns points between none and all.
BETWEEN = re.compile(r"^- [^:\n]*[1-9](?!0)[^:\n]*:", re.M)
TOP = 10
REASON = "Simulated: counted by the words of the reference, and by what the answer says of its own quality."


def worth(answer: str, reference: str) -> float:
    """What an answer is truly worth, in points."""
    if match := QUALITY.search(answer):
        return float(match[1])
    wanted, given = (set(WORD.findall(text.casefold())) for text in (reference, answer))
    return TOP * len(wanted & given) / len(wanted) if wanted else 0.0


def score(stirred: str, shown: Mapping[str, str], instructions: str, leaning: Leaning = FAIR) -> dict:
    """Reason and score of an answer; `shown` holds the marked texts by the names of their marks."""
    answer = shown.get("answer", "")
    points = leaned(stirred, answer, worth(answer, shown.get("reference", "")), leaning)
    points = min(max(round(points), 0), TOP)
    if not BETWEEN.search(instructions):
        points = TOP if points > TOP / 2 else 0
    return {"reason": REASON, "score": points}
