"""Accuracy, MAD, signed error and preference accuracy of each judge, round by round."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import judges, preferences, scales
from agreement.classes import UNPARSEABLE
from agreement.statistics import of_columns, share_of_sums
from reports.dashboard import rounds
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.names import PEOPLE
from reports.dashboard.rounds import GROUP, Answered, Moves
from reports.dashboard.tables import Table
from reports.ratings.context import Context
from reports.ratings.measures.judged import SCALE
from reports.ratings.measures.predictions import Predictions, PredictionsByRater
from reports.ratings.measures.predictions import statistics as predictions_of
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]

#: Of the columns of `columns_of`.
STATISTICS = (
    of_columns(share_of_sums, slice(0, 2)),
    of_columns(judges.mad, slice(2, 5)),
    of_columns(judges.signed_error, slice(2, 5)),
    of_columns(share_of_sums, slice(5, 7)),
)


def statistics(loaded: Loaded, context: Context) -> dict[int, dict[int, Answered]]:
    """Per variety, by judge."""
    return rounds.of_rounds(loaded, context, predictions_of, read)


def read(part: PredictionsByRater) -> dict[int, tuple[Integers, Floats]]:
    return {judge: columns_of(one, part) for judge, one in part.predictions.items() if judge != PEOPLE}


def columns_of(made: Predictions, options: PredictionsByRater) -> tuple[Integers, Floats]:
    """Prompt, and right and 1, |e|, e and 1 of each grade, then credit and 1 of each preference; shape (N + M, 7)."""
    counts = (made.predicted != UNPARSEABLE) | (options.grade_policy == "wrong")
    error = np.full(len(made.error), np.nan)
    if not scales.is_one_measure(*(getattr(made, name) for name in SCALE[1:])):
        error = made.error
    of_grades = np.column_stack((counts & (made.predicted == made.truth), counts, judges.error_columns(error)))
    of_preferences = preferences.accuracy_columns(made.preference, made.verdict, unparseable=options.policy)
    columns = np.zeros((len(of_grades) + len(of_preferences), 7))
    columns[: len(of_grades), :5] = of_grades
    columns[len(of_grades) :, 5:] = of_preferences
    return np.concatenate((made.prompt, made.contest_prompt)), columns


def figures(parts: Sequence[Mapping[int, Answered]], is_total: bool) -> dict[int, Moves]:
    """Of all together by judge; of one variety among several nothing is shown."""
    return rounds.moves(parts, STATISTICS) if is_total else {}


def tables(results: Results) -> list[Table]:
    units: dict[str, Any] = {_("MAD"): "grade", _("signed error"): "grade"}
    names = (_("accuracy"), _("MAD"), _("signed error"), _("preference accuracy"))
    return [rounds.table(results, results.total(), names, "share", units)]
