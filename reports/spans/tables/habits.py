"""The words of judges' habits in marking errors."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as lazy

from agreement.figures import Figure, Recipe
from reports.dashboard import habits as naming
from reports.dashboard.habits import Habit, percent
from reports.dashboard.tables import Table
from reports.spans.groups import PEOPLE
from reports.spans.results import Results

GROUP = "judging"


def recalls(figure: Figure) -> Mapping[str, str]:
    """Of either kind of errors, the share that the judge finds."""
    thin, thick = (percent(share) for share in figure.detail["recalls"])
    return {"thin": thin, "thick": thick}


HABITS = {
    "amount": Habit(
        lazy("errors marked in a response beyond those in the gold"),
        lazy("marks too much: %(size)s errors %(interval)s more in a response than the gold holds"),
        lazy("marks too little: %(size)s errors %(interval)s less in a response than the gold holds"),
        lazy("%(least)s errors in a response or more, and more than people who mark alone"),
        "per response",
    ),
    "depth": Habit(
        lazy("thin errors found less thick errors found"),
        lazy(
            "misses thick errors: it finds %(thin)s of the thin and %(thick)s of the thick errors, a gap of "
            "%(size)s %(interval)s"
        ),
        lazy(
            "misses thin errors: it finds %(thin)s of the thin and %(thick)s of the thick errors, a gap of "
            "%(size)s %(interval)s"
        ),
        lazy("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
}


def habits(results: Results) -> Table:
    figures = {
        (judge, habit): figure
        for judge, found in results.total(GROUP)["evidence"].items()
        if judge != PEOPLE
        for habit, figure in found.items()
    }

    def named(judge: int) -> tuple[str, Mapping[str, str], tuple[str, ...]]:
        return results.detector(judge), results.drill(judge), results.marks(judge)

    def recipe(metric: str, **settings: Any) -> Recipe:
        scope = results.context.scope
        matching: dict[str, Any] = {"threshold": scope.threshold, "matching": scope.matching}
        return results.recipe(GROUP, metric, gold=True, **matching, **settings)

    return naming.table("habits-in-marking", figures, HABITS, named, recipe)
