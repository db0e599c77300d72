"""What the ratings of a judge show of its biases, and its grades calibrated on gold.

A judge's predictions are given as columns by name, see `predictions.Predictions`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from agreement import scales
from agreement.biases import RARE, length_slope, longer_preferred, mean_error, position, share_beyond, unused_grade
from agreement.classes import UNPARSEABLE
from agreement.figures import NO_ITEMS, Figure, Recipe
from reports.dashboard import calibration
from reports.dashboard.biases import MUCH, UNREADABLE, USUAL, Bias, percent
from reports.dashboard.biases import table as table_of_biases
from reports.dashboard.calibration import Calibrated, calibrated
from reports.dashboard.columns import Floats
from reports.dashboard.tables import Table
from reports.dashboard.wording import number
from reports.ratings.measures.judged import SCALE
from reports.ratings.measures.predictions import class_of
from reports.ratings.results import RatingResults as Results

#: Of a grade; and of a grade for twice the length.
GRADES = 0.1
#: Of pairs: so many more to the one side than to the other.
PAIRS = 0.05

Pool = Mapping[str, NDArray[Any]]


def of_predictions(judge: int, pool: Pool) -> dict[tuple[int, str], Figure]:
    """By judge and bias. Of a judge that states preferences alone, leniency and grades are not asked for."""
    figures = {"position": position(pool["shift"], pool["both_prompt"], PAIRS)}
    if len(pool["error"]):
        figures |= _of_grades(pool)
        unread, prompt = pool["predicted"] == UNPARSEABLE, pool["prompt"]
    else:
        columns = (pool["verdict"], pool["preference"], pool["longer"], pool["contest_prompt"])
        figures["longer"] = longer_preferred(*columns, PAIRS)
        unread, prompt = np.isnan(pool["verdict"]), pool["contest_prompt"]
    figures["unreadable"] = share_beyond(unread, prompt, USUAL, MUCH)
    return {(judge, bias): figure for bias, figure in figures.items()}


def _of_grades(pool: Pool) -> dict[str, Figure]:
    """What is in grades is asked for on one ordered scale alone."""
    apart = scales.is_one_measure(*(pool[name] for name in SCALE[1:]))
    if apart:
        nothing = Figure.without_value(apart, len(pool["error"]), least=GRADES)
        return {"leniency": nothing, "length": nothing, "grades": replace(nothing, detail={"least": RARE})}
    [of_all] = scales.tables_of(*(pool[name] for name in SCALE))
    return {
        "leniency": mean_error(pool["error"], pool["prompt"], GRADES),
        "length": length_slope(pool["error"], pool["gold"], pool["length"], pool["prompt"], GRADES),
        "grades": unused_grade(pool["predicted"], pool["truth"], pool["prompt"], of_all.n_classes),
    }


def calibrated_grades(pool: Pool) -> Calibrated:
    """Grades calibrated on gold, on one ordered scale: a map and its errors are in the grades of that scale."""
    apart = scales.is_one_measure(*(pool[name] for name in SCALE[1:]))
    known = ~np.isnan(pool["error"])
    lowest, highest, truth = (pool[name][known] for name in ("lowest", "highest", "truth"))
    tables = scales.tables_of(*(pool[name][known] for name in SCALE))

    def kappa(grades: Floats, golds: Floats) -> Figure:
        """Quadratic kappa of the nearest grades."""
        if not len(grades):
            return Figure.without_value(NO_ITEMS)
        predicted = class_of(grades, lowest, highest)
        sums = scales.confusion_sums(truth, predicted, tables)
        return scales.figures(sums, tables, ["quadratic_kappa"])["quadratic_kappa"]

    return calibrated(pool["gold"] + pool["error"], pool["gold"], pool["prompt"], kappa, apart)


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


BIASES = {
    "position": Bias(
        _("position: more for the response shown first than for the second, by the order alone"),
        _(
            "prefers what it reads first: its two orders disagree on %(disagree)s of %(pairs)s pairs, and %(first)s of "
            "those go to the first; %(size)s %(interval)s more of all pairs than go to the second"
        ),
        _(
            "prefers what it reads last: its two orders disagree on %(disagree)s of %(pairs)s pairs, and %(second)s of "
            "those go to the second; %(size)s %(interval)s more of all pairs than go to the first"
        ),
        _("the order alone moves %(least)s or more of all pairs to one side"),
        "percent",
        orders,
    ),
    "leniency": Bias(
        _("leniency, in grades"),
        _("lenient by %(size)s grades %(interval)s"),
        _("severe by %(size)s grades %(interval)s"),
        _("the signed error is %(least)s grades or more"),
        "grade",
    ),
    "length": Bias(
        _("length, in grades for twice the length"),
        _("prefers longer responses: %(size)s grades %(interval)s more than people for twice the length"),
        _("prefers shorter responses: %(size)s grades %(interval)s less than people for twice the length"),
        _("twice the length changes its grade beside people's by %(least)s or more, with and without gold held"),
        "grade",
    ),
    "longer": Bias(
        _("length: preferences for the longer of two, beyond people's"),
        _("prefers longer responses: the longer of two wins %(size)s %(interval)s more often than by people"),
        _("prefers shorter responses: the longer of two wins %(size)s %(interval)s less often than by people"),
        _("the longer wins %(least)s more or less often than by people"),
        "percent",
    ),
    "grades": Bias(
        _("a grade that people give and it never does: people's share"),
        _("never uses grade %(grade)s of the scale, counted from its lowest; people give it in %(size)s"),
        "",
        _("people give the grade in %(least)s or more, and such a judge would have given it by chance"),
        "percent",
        grade,
    ),
    "unreadable": UNREADABLE,
}


def biases(results: Results) -> Table:
    def recipe(metric: str, **settings: Any) -> Recipe:
        return results.recipe(metric, drawn=False, unparseable=results.context.unparseable, **settings)

    return table_of_biases("habits-in-rating", results, results.total()["evidence"], BIASES, recipe)


def judges_calibrated(results: Results) -> Table:
    judged = results.total()["calibrated"]
    recipe = results.recipe(
        "judges_calibrated",
        prediction="one per answer: a judge asked in both orders gives two",
        scales="one ordered scale alone",
        quadratic_kappa="of the nearest grades",
        **calibration.SCHEME,
    )
    return calibration.table("calibrated-grades", results, judged, recipe, gettext("quadratic kappa"), "grade")
