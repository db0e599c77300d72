"""What draws each judge's grades and preferences away from people's, all at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import scales
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.drawn_by import Laboratories, doublings, markup_of
from reports.dashboard.joint_biases import Effects, Errors, effects_of, table, within
from reports.dashboard.tables import Table
from reports.ratings.consensus import Gold, gold_of
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "joint"


@dataclass(frozen=True, eq=False)
class ErrorsOfJudges:
    """Of one variety, by judge: of grades, and of preferences between two responses that were shown together. Scales of
    the questions that judges graded on: lowest, highest, nominal; shape (K,)."""

    grades: dict[int, Errors]
    preferences: dict[int, Errors]
    lowest: Integers
    highest: Integers
    nominal: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, ErrorsOfJudges]:
    """Per variety; of answers about a judge's own laboratory too, which are what one of the effects is of."""
    loaded = loaded.with_own or loaded
    items, questions = loaded.items, loaded.questions
    texts = _Texts(loaded)
    gold = gold_of(loaded, context)
    of_grades = {judge: _of_grades(loaded, gold, judge, texts) for judge in loaded.judges}
    of_preferences = {judge: _of_preferences(loaded, gold, judge, texts) for judge in loaded.judges}
    judged = np.zeros(len(items), dtype=bool)
    judged[loaded.grades.item[~loaded.grades.by_human]] = True
    parts = {}
    for variety in loaded.varieties:
        asked = questions.taken(np.unique(items.question[(items.variety == variety) & judged]))
        grades, preferences = (within(by_judge, variety) for by_judge in (of_grades, of_preferences))
        parts[variety] = ErrorsOfJudges(grades, preferences, asked.lowest, asked.highest, asked.nominal)
    return parts


class _Texts:
    """Of items and of both sides of contests: doublings of length, marks of markup, whose model."""

    def __init__(self, loaded: Loaded):
        items, contests = loaded.items, loaded.contests
        self.laboratories = Laboratories(
            loaded.project, np.unique(np.concatenate((items.model, contests.first_model, contests.second_model)))
        )
        sides = (items.response, contests.first_response, contests.second_response)
        marks = np.split(markup_of(loaded.project, np.concatenate(sides)), np.cumsum([len(one) for one in sides[:-1]]))
        self.item_marks, first, second = marks
        self.contest_marks = first - second
        self.item_length = doublings(items.length)
        self.contest_length = doublings(contests.first_length) - doublings(contests.second_length)


def _of_grades(loaded: Loaded, gold: Gold, judge: int, texts: _Texts) -> Errors:
    rows = np.flatnonzero(loaded.grades.rater == judge)
    item = loaded.grades.item[rows]
    error = loaded.grades.grade[rows] - gold.grade[item]
    known = ~np.isnan(error)
    rows, item, error = rows[known], item[known], error[known]
    features = (
        texts.item_length[item],
        # Alone it stands between first and second.
        np.nan_to_num(loaded.grades.shown_first[rows], nan=0.5),
        texts.laboratories.is_own(judge, loaded.items.model[item]).astype(float),
        texts.item_marks[item],
    )
    return _errors(loaded.items, item, error, features)


def _of_preferences(loaded: Loaded, gold: Gold, judge: int, texts: _Texts) -> Errors:
    """In shares of wins: half of the difference of what both say, 1, 0 or -1."""
    verdicts, contests = loaded.verdicts, loaded.contests
    rows = np.flatnonzero((verdicts.rater == judge) & verdicts.is_ordered)
    contest = verdicts.contest[rows]
    error = (verdicts.says[rows] - gold.says[contest]) / 2
    known = ~np.isnan(error)
    rows, contest, error = rows[known], contest[known], error[known]
    first, second = (
        texts.laboratories.is_own(judge, model[contest]).astype(float)
        for model in (contests.first_model, contests.second_model)
    )
    features = (
        texts.contest_length[contest],
        np.where(verdicts.is_swapped[rows], -0.5, 0.5),
        first - second,
        texts.contest_marks[contest],
    )
    return _errors(contests, contest, error, features)


def _errors(of: Any, at: Integers, error: Floats, features: Sequence[Floats]) -> Errors:
    """`of` items or contests."""
    return Errors(error, of.prompt[at], of.variety[at], of.question[at], np.column_stack(features))


def figures(parts: Sequence[ErrorsOfJudges], is_total: bool) -> dict[str, dict[int, Effects]]:
    """Of all together, "grades" and "preferences" by judge. Of one variety among several nothing is shown."""
    if not is_total:
        return {"grades": {}, "preferences": {}}
    scale = [np.concatenate([getattr(part, name) for part in parts]) for name in ("lowest", "highest", "nominal")]
    apart = scales.is_one_measure(*scale)
    made: dict[str, dict[int, Effects]] = {}
    for name, why in (("grades", apart), ("preferences", "")):
        by_judge = [getattr(part, name) for part in parts]
        made[name] = {
            judge: effects_of([one[judge] for one in by_judge if judge in one], why, by_language=name == "grades")
            for judge in sorted({judge for one in by_judge for judge in one})
        }
    return made


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    total = results.total()
    return [
        table(
            "errors-drawn-by",
            results,
            _("What draws judges' grades away from people's"),
            total["grades"],
            "grade",
            {
                "error": "grade of the judge less gold",
                "held": "question types",
                "position": "1 for the response shown first, 0 for the second, 1/2 alone",
                "scales": "one ordered scale alone",
            },
        ),
        table(
            "preferences-drawn-by",
            results,
            _("What draws judges' preferences away from people's"),
            total["preferences"],
            "share",
            {
                "error": "half of the judge's verdict less people's, each 1, 0 or -1: in shares of wins",
                "held": "question types and varieties",
                "features": "of the first response less the second",
                "pairs": "that the judge was shown side by side",
            },
        ),
    ]
