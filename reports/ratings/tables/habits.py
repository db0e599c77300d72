"""The words of judges' habits in rating, and the table of calibrated judges."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from agreement.figures import Figure, Recipe
from reports.dashboard import calibration as calibrated
from reports.dashboard import habits as naming
from reports.dashboard.habits import Habit, percent
from reports.dashboard.tables import Table
from reports.dashboard.wording import number
from reports.ratings.results import Results

GROUP = "judges"


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
    def named(judge: int) -> tuple[str, Mapping[str, str], tuple[str, ...]]:
        return results.rater(judge), results.by_judge(judge), results.marks(judge)

    def recipe(metric: str, **settings: Any) -> Recipe:
        return results.recipe(GROUP, metric, drawn=False, unparseable=results.context.unparseable, **settings)

    return naming.table("habits-in-rating", results.total(GROUP)["evidence"], HABITS, named, recipe)


def judges_calibrated(results: Results) -> Table:
    rows = [
        (results.rater(judge), found, results.by_judge(judge), results.marks(judge))
        for judge, found in results.total(GROUP)["calibrated"].items()
    ]
    recipe = results.recipe(
        GROUP,
        "judges_calibrated",
        prediction="one per answer: a judge asked in both orders gives two",
        scales="where they differ, the place on the scale is mapped",
        quadratic_kappa="of the nearest grades",
        **calibrated.SCHEME,
    )
    return calibrated.table("calibrated-grades", rows, recipe, _("quadratic kappa"), "grade")
