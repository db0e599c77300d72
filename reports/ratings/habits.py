"""What the ratings of a judge show of its habits, and its grades calibrated on gold.

A judge's predictions are given as columns by name, see `predictions.Predictions`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.classes import UNPARSEABLE, confusion_columns
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.habits import length_slope, longer_preferred, mean_error, position, share_beyond, unused_grade
from agreement.kappa import kappa_of_tables
from reports.dashboard.calibration import Calibrated, calibrated
from reports.ratings.groups import Floats
from reports.ratings.predictions import class_of, classes_of

#: Of a grade; and of a grade for twice the length.
GRADES = 0.1
#: Of pairs: so many more to the one side than to the other.
PAIRS = 0.05
#: Verdicts that cannot be read: such a share is usual, such a share is much.
USUAL, MUCH = 0.05, 0.1

Pool = Mapping[str, NDArray[Any]]


def of_predictions(judge: int, pool: Pool) -> dict[tuple[int, str], Figure]:
    """By judge and habit. Of a judge that states preferences alone, leniency and grades are not asked for."""
    found = {"position": position(pool["shift"], pool["both_prompt"], PAIRS)}
    if len(pool["error"]):
        found["leniency"] = mean_error(pool["error"], pool["prompt"], GRADES)
        found["length"] = length_slope(pool["error"], pool["gold"], pool["length"], pool["prompt"], GRADES)
        found["grades"] = unused_grade(
            pool["said"], pool["truth"], pool["prompt"], classes_of(pool["lowest"], pool["highest"])
        )
        unread, prompt = pool["said"] == UNPARSEABLE, pool["prompt"]
    else:
        columns = (pool["verdict"], pool["preference"], pool["longer"], pool["contest_prompt"])
        found["longer"] = longer_preferred(*columns, PAIRS)
        unread, prompt = np.isnan(pool["verdict"]), pool["contest_prompt"]
    found["unreadable"] = share_beyond(unread, prompt, USUAL, MUCH)
    return {(judge, habit): figure for habit, figure in found.items()}


def calibrated_grades(pool: Pool) -> Calibrated:
    """Grades calibrated on gold; where scales differ, the place on the scale is."""
    scale = np.column_stack((pool["lowest"], pool["highest"] - pool["lowest"])).astype(float)
    known = ~np.isnan(pool["error"])
    lowest, highest, truth = (pool[name][known] for name in ("lowest", "highest", "truth"))

    def kappa(grades: Floats, golds: Floats) -> Figure:
        """Quadratic kappa of the nearest grades."""
        if not len(grades):
            return Figure.without_value(NO_ITEMS)
        said = class_of(grades, lowest, highest)
        n_classes = classes_of(lowest, highest)
        table = confusion_columns(truth, said, n_classes).sum(axis=0)
        square = table.reshape(n_classes, n_classes + 1)[:, :-1]
        value = float(kappa_of_tables(square, "quadratic"))
        return Figure.without_value(NO_VARIATION, len(said)) if np.isnan(value) else Figure(value, len(said))

    return calibrated(pool["gold"] + pool["error"], pool["gold"], pool["prompt"], kappa, scale)
