"""The words of judges' habits in grading, and the table of calibrated judges."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from agreement.figures import Figure, Recipe
from reports.dashboard import calibration as calibrated
from reports.dashboard import habits as naming
from reports.dashboard.habits import Habit, percent
from reports.dashboard.tables import Table
from reports.rubrics.results import Results

GROUP = "judges"


def recalls(figure: Figure) -> Mapping[str, str]:
    """Of either kind of criteria, the share of faults that the judge sees."""
    one, other = (percent(share) for share in figure.detail["recalls"])
    return {"one": one, "other": other}


HABITS = {
    "leniency": Habit(
        lazy("leniency, in points of 100"),
        lazy("lenient by %(size)s points %(interval)s"),
        lazy("severe by %(size)s points %(interval)s"),
        lazy("the signed error is %(least)s points or more"),
        "points",
    ),
    "length": Habit(
        lazy("length, in points for twice the length"),
        lazy("prefers longer responses: %(size)s points %(interval)s more than people for twice the length"),
        lazy("prefers shorter responses: %(size)s points %(interval)s less than people for twice the length"),
        lazy(
            "twice the length changes its score beside people's by %(least)s points or more, with and without people's "
            "score held"
        ),
        "points",
    ),
    "explicitness": Habit(
        lazy("faults seen on explicit less on implicit criteria"),
        lazy(
            "misses implicit criteria: of the faults that a person found it sees %(one)s on explicit and %(other)s on "
            "implicit criteria, a gap of %(size)s %(interval)s"
        ),
        lazy(
            "misses explicit criteria: of the faults that a person found it sees %(one)s on explicit and %(other)s on "
            "implicit criteria, a gap of %(size)s %(interval)s"
        ),
        lazy("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
    "objectivity": Habit(
        lazy("faults seen on objective less on subjective criteria"),
        lazy(
            "misses subjective criteria: of the faults that a person found it sees %(one)s on objective and %(other)s "
            "on subjective criteria, a gap of %(size)s %(interval)s"
        ),
        lazy(
            "misses objective criteria: of the faults that a person found it sees %(one)s on objective and %(other)s "
            "on subjective criteria, a gap of %(size)s %(interval)s"
        ),
        lazy("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
    "refusals": Habit(
        lazy("share of answers that are refusals"),
        lazy("refuses much: %(size)s %(interval)s of what it was asked"),
        "",
        lazy("%(least)s or more are refused, where 5 %% are usual"),
        "percent",
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
    """What rests on scores and what rests on single verdicts, together: the correction is for all of it."""
    figures = {**results.total(GROUP)["evidence"], **results.total("criteria")["evidence"]}

    def named(judge: int) -> tuple[str, Mapping[str, str], tuple[str, ...]]:
        return results.rater(judge), results.by_judge(judge), results.marks(judge)

    def recipe(metric: str, **settings: Any) -> Recipe:
        made = results.recipe(GROUP, metric, drawn=False, **settings)
        return replace(made, data_snapshot=f"{made.data_snapshot} {results.snapshots['criteria']}")

    return naming.table("habits-in-grading", figures, HABITS, named, recipe)


def judges_calibrated(results: Results) -> Table:
    rows = [
        (results.rater(judge), found, results.by_judge(judge), results.marks(judge))
        for judge, found in results.total(GROUP)["calibrated"].items()
    ]
    recipe = results.recipe(GROUP, "judges_calibrated", **calibrated.SCHEME)
    return calibrated.table("calibrated-scores", rows, recipe, _("Spearman"), "pp")
