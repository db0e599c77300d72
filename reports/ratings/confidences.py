"""How sure judges say they are of their ratings, as arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from annotation.models import Rating
from reports.dashboard.columns import Floats, Integers, Rows, positions


@dataclass(frozen=True, eq=False)
class Stated(Rows):
    """What judges say of how sure they are, shape (S,): the probability of what they find most probable, and what that
    is, a place on the scale or in PREFERENCES.

    rater  id; item, contest  index, -1 where the answer is of the other; confidence, top.
    """

    rater: Integers
    item: Integers
    contest: Integers
    confidence: Floats
    top: Integers


def stated_by_judges(raters: Integers, questions: Any, items: Any, contests: Any) -> Stated:
    """Of these raters (ids, ascending) on these questions, items and contests as `reader.py` has them, the latest round
    of each. What is of no item or contest that was loaded is left out, as all else of it is."""
    given = Rating.objects.filter(question__in=questions.id.tolist(), probabilities__isnull=False, is_check=False)
    names = ("question_id", "pair_id", "response_id", "rater_id", "round", "is_swapped", "probabilities")
    latest_of = {(*row[:4], row[5]): row for row in given.order_by("round", "id").values_list(*names)}
    rows = list(latest_of.values())
    question = positions(questions.id, np.array([row[0] for row in rows], dtype=np.int64))
    pair, response, rater = (np.array([row[at] or -1 for row in rows], dtype=np.int64) for at in (1, 2, 3))
    n = max(1, len(questions))
    item = _found(items.response * n + items.question, np.where(response >= 0, response * n + question, -1))
    contest = _found(contests.pair * n + contests.question, np.where(pair >= 0, pair * n + question, -1))
    confidence = np.array([max(row[6]) for row in rows], dtype=float)
    # The second's win stands last in files, and first among PREFERENCES.
    top = np.array([int(np.argmax(row[6] if row[1] is None else row[6][::-1])) for row in rows], dtype=np.int64)
    kept = ((item >= 0) | (contest >= 0)) & (positions(raters, rater) >= 0)
    return Stated(rater[kept], item[kept], contest[kept], confidence[kept], top[kept])


def _found(keys: Integers, wanted: Integers) -> Integers:
    """Where each wanted key stands among these, in any order; -1 where it does not."""
    order = np.argsort(keys)
    at = positions(keys[order], wanted)
    return np.where(at >= 0, order[at], -1) if len(keys) else at
