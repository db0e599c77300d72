"""How near an answer comes to the gold, for quizzes and for checks alike: by the metrics of the work itself.

No database: grades and spans go in, a score comes out. What counts as right is the project's choice, and is passed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement.preferences import inferred
from agreement.spans import Spans, f1, figure, marked, match_counts, overlap
from agreement.words import Intervals, words
from projects.models.texts import Segmentation

FIRST, SECOND, TIE = "first", "second", "tie"
# What stands between the parts of an error where its words are read.
PARTED = " … "
PREFERENCES = (FIRST, SECOND, TIE)


@dataclass(frozen=True, slots=True)
class Score:
    """`is_right` by the limits that the project chose; `value` in [0, 1] how nearly; `parts` of what, as JSON."""

    is_right: bool
    value: float
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grades:
    """An answer to one question type. Of a single response `second` is None and `preference` empty.

    A question without a scale has a preference and no grades; None also stands for a grade not given.
    """

    first: float | None = None
    second: float | None = None
    preference: str = ""

    @property
    def preferred(self) -> str:
        """As metrics.md infers it, sign(first - second); what was said outright where there are no grades."""
        if self.first is None or self.second is None:
            return self.preference
        return {1: FIRST, 0: TIE, -1: SECOND}[int(inferred(self.first, self.second))]


def score_grades(gold: Grades, given: Grades, tolerance: float, *, has_order: bool = True) -> Score:
    """Right where each grade lies within `tolerance` of the gold's and the preference is not the other way round.

    A tie beside a preference is not the other way round; where there is a preference alone, it has to be the same.
    Of grades that have no order (`has_order`) each has to be the same, and no preference follows from them.
    `value` is the share of these demands that are met; `parts` says which.
    """
    parts: dict[str, bool] = {}
    tolerance = tolerance if has_order else 0
    for side, wanted, got in (("first", gold.first, given.first), ("second", gold.second, given.second)):
        if wanted is not None:
            parts[side] = got is not None and abs(got - wanted) <= tolerance
    if gold.first is None:
        parts["preference"] = given.preferred == gold.preference
    elif gold.second is not None and has_order:
        parts["preference"] = bool(given.preferred) and {gold.preferred, given.preferred} != {FIRST, SECOND}
    if not parts:
        raise ValueError("the gold says nothing that could be compared")
    return Score(all(parts.values()), sum(parts.values()) / len(parts), parts)


def score_verdicts(gold: Mapping[str, str], given: Mapping[str, str], needed: float) -> Score:
    """Right where the share of the gold's criteria with the same verdict is at least `needed`; `value` is that share.

    One that was not decided about differs. Raises ValueError where the gold decides about nothing.
    """
    if not gold:
        raise ValueError("the gold says nothing that could be compared")
    same = [key for key, verdict in gold.items() if given.get(key) == verdict]
    value = len(same) / len(gold)
    return Score(value >= needed, value, {"criteria": len(gold), "same": len(same)})


def average(scores: Sequence[Score], names: Sequence[str]) -> Score:
    """One score for an answer of several parts: right where all are, the value their mean."""
    if not scores:
        raise ValueError("an answer has at least one part")
    parts = {name: {"right": score.is_right, **score.parts} for name, score in zip(names, scores, strict=True)}
    return Score(all(score.is_right for score in scores), sum(score.value for score in scores) / len(scores), parts)


def words_of(text: str, segmentation: str) -> Intervals:
    """The words of a text as its variety counts them (projects.models.texts.Segmentation)."""
    return words(text, Segmentation(segmentation).rule)


#: Where one error lies: half-open code-point offsets, of one in several places those of each part behind one another.
Place = Sequence[int]
Places = Sequence[Place]


def parts_of(place: Place) -> list[tuple[int, int]]:
    return list(zip(place[::2], place[1::2], strict=True))


def in_words(text: str, place: Place) -> str:
    """The words of all its parts."""
    return PARTED.join(text[start:end] for start, end in parts_of(place))


def taken_together(given: Places, gold: Places) -> list[Place]:
    """Marks of one place each, of whom could not say that several are one: those on parts of one error are one."""
    left = list(given)
    together: list[Place] = []
    for parts in map(parts_of, gold):
        if len(parts) < 2:
            continue
        on_it = [place for place in left if any(place[0] < end and start < place[1] for start, end in parts)]
        left = [place for place in left if place not in on_it]
        if on_it:
            together.append([offset for place in on_it for offset in place])
    return [*together, *left]


def score_places(text: str, segmentation: str, gold: Places, given: Places, needed: float) -> Score:
    """Right from an F1 of `needed`; matched at word IoU > 0.15 as in `agreement.spans`, all parts of an error as one.

    Nothing to find and nothing marked is right. Where only one side marked, no F1 is defined; the answer is wrong,
    and `parts` names the reason. Raises ValueError where a span leaves the text.
    """
    if not gold and not given:
        return Score(True, 1.0, {"gold": 0, "marked": 0, "matched": 0})
    pieces = words_of(text, segmentation)
    f1_figure = figure(match_counts(overlap(_spans(pieces, given), _spans(pieces, gold))), f1)
    parts = {"gold": len(gold), "marked": len(given), "matched": f1_figure.detail["matched_gold"]}
    if f1_figure.value is None:
        return Score(False, 0.0, parts | {"undefined": f1_figure.undefined})
    return Score(f1_figure.value >= needed, f1_figure.value, parts | {"f1": f1_figure.value})


def _spans(pieces: Intervals, places: Places) -> Spans:
    more = [(number, *part) for number, place in enumerate(places) for part in parts_of(place)[1:]]
    owner, starts, ends = (np.array([part[at] for part in more], dtype=np.int64) for at in range(3))
    heads = [place[0] for place in places], [place[1] for place in places]
    return marked([pieces], [0] * len(places), *heads, more=(owner, starts, ends))
