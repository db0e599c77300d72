"""What the ratings of a judge show of its habits, and its grades calibrated on gold.

A judge's predictions are given as columns by name, see `predictions.Predictions`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from numpy.typing import NDArray

from agreement.classes import UNPARSEABLE, confusion_columns
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure, Recipe
from agreement.habits import length_slope, longer_preferred, mean_error, position, share_beyond, unused_grade
from agreement.kappa import kappa_of_tables
from reports.dashboard import calibration
from reports.dashboard import habits as naming
from reports.dashboard.calibration import Calibrated, calibrated
from reports.dashboard.columns import Floats
from reports.dashboard.habits import Habit, percent
from reports.dashboard.tables import Table
from reports.dashboard.wording import number
from reports.ratings.measures.predictions import class_of, classes_of
from reports.ratings.results import RatingResults as Results

GROUP = "judges"

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


# --- Tables ----------------------------------------------------------------------------------------


def orders(figure: Figure) -> Mapping[str, str]:
    """How often the two orders disagree, and which side that goes to."""
    first = figure.detail.get("first", 0.0)
    pairs = number(figure.detail["pairs"], "count")
    return {
        "disagree": percent(figure.detail["disagree"]),
        "pairs": pairs,
        "first": percent(first),
        "second": percent(1 - first),
    }


def grade(figure: Figure) -> Mapping[str, str]:
    return {"grade": number(figure.detail.get("grade", 0) + 1, "count")}


HABITS = {
    "position": Habit(
        lazy("position: more for the response shown first than for the second, by the order alone"),
        lazy(
            "prefers what it reads first: its two orders disagree on %(disagree)s of %(pairs)s pairs, and %(first)s of "
            "those go to the first; %(size)s %(interval)s more of all pairs than go to the second"
        ),
        lazy(
            "prefers what it reads last: its two orders disagree on %(disagree)s of %(pairs)s pairs, and %(second)s of "
            "those go to the second; %(size)s %(interval)s more of all pairs than go to the first"
        ),
        lazy("the order alone moves %(least)s or more of all pairs to one side"),
        "percent",
        orders,
    ),
    "leniency": Habit(
        lazy("leniency, in grades"),
        lazy("lenient by %(size)s grades %(interval)s"),
        lazy("severe by %(size)s grades %(interval)s"),
        lazy("the signed error is %(least)s grades or more"),
        "grade",
    ),
    "length": Habit(
        lazy("length, in grades for twice the length"),
        lazy("prefers longer responses: %(size)s grades %(interval)s more than people for twice the length"),
        lazy("prefers shorter responses: %(size)s grades %(interval)s less than people for twice the length"),
        lazy("twice the length changes its grade beside people's by %(least)s or more, with and without gold held"),
        "grade",
    ),
    "longer": Habit(
        lazy("length: preferences for the longer of two, beyond people's"),
        lazy("prefers longer responses: the longer of two wins %(size)s %(interval)s more often than by people"),
        lazy("prefers shorter responses: the longer of two wins %(size)s %(interval)s less often than by people"),
        lazy("the longer wins %(least)s more or less often than by people"),
        "percent",
    ),
    "grades": Habit(
        lazy("a grade that people give and it never does: people's share"),
        lazy("never uses grade %(grade)s of the scale, counted from its lowest; people give it in %(size)s"),
        "",
        lazy("people give the grade in %(least)s or more, and such a judge would have given it by chance"),
        "percent",
        grade,
    ),
    "unreadable": Habit(
        lazy("share of answers that cannot be read"),
        lazy("answers unreadably: %(size)s %(interval)s of what it was asked"),
        "",
        lazy("%(least)s or more cannot be read, where 5 %% are usual"),
        "percent",
    ),
}


def habits(results: Results) -> Table:
    def recipe(metric: str, **settings: Any) -> Recipe:
        return results.recipe(GROUP, metric, drawn=False, unparseable=results.context.unparseable, **settings)

    return naming.table("habits-in-rating", results, results.total(GROUP)["evidence"], HABITS, recipe)


def judges_calibrated(results: Results) -> Table:
    found = results.total(GROUP)["calibrated"]
    recipe = results.recipe(
        GROUP,
        "judges_calibrated",
        prediction="one per answer: a judge asked in both orders gives two",
        scales="where they differ, the place on the scale is mapped",
        quadratic_kappa="of the nearest grades",
        **calibration.SCHEME,
    )
    return calibration.table("calibrated-grades", results, found, recipe, _("quadratic kappa"), "grade")
