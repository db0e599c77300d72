"""What the marks of a judge show of its biases: how many it makes, and which kind of error it does not see.

Rows are answers on responses with settled errors, see `matching.Detected`.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from agreement.biases import Floats, Integers, mean_error, recall_gap
from agreement.figures import Figure, Recipe
from reports.dashboard.biases import Bias, percent
from reports.dashboard.biases import table as table_of_biases
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Table
from reports.spans.context import DEPTHS
from reports.spans.results import SpanResults as Results

#: Errors in a response.
ERRORS = 0.5
#: Of recalls, ten in a hundred.
GAP = 0.1
THIN, THICK = DEPTHS.index("thin"), DEPTHS.index("thick")


def of_marks(matches: Integers, classes: Integers, prompt: Integers, people: dict[str, Figure]) -> dict[str, Figure]:
    """By bias.

    matches  match counts, shape (N, 4). classes  gold errors found and all by category and then by depth, shape
    (N, C + D, 2). people  the same figures of people, {} where these are they: the gold is made of what all of them
    found, so that each by himself marks less.
    """
    beyond: Floats = (matches[:, 1] - matches[:, 3]).astype(float)
    amount = mean_error(beyond, prompt, ERRORS)
    depths = classes[:, classes.shape[1] - len(DEPTHS) :][:, [THIN, THICK]]
    known = {name: figure.value for name, figure in people.items()}
    if known.get("amount") is not None:
        amount = amount.with_detail(people=known["amount"])
    return {"amount": amount, "depth": recall_gap(depths[..., 0], depths[..., 1], prompt, GAP, known.get("depth"))}


# --- Tables ----------------------------------------------------------------------------------------


def recalls(figure: Figure) -> Mapping[str, str]:
    """Of either kind of errors, the share that the judge finds."""
    thin, thick = (percent(share) for share in figure.detail["recalls"])
    return {"thin": thin, "thick": thick}


BIASES = {
    "amount": Bias(
        _("errors marked in a response beyond those in the gold"),
        _("marks too much: %(size)s errors %(interval)s more in a response than the gold holds"),
        _("marks too little: %(size)s errors %(interval)s less in a response than the gold holds"),
        _("%(least)s errors in a response or more, and more than people who mark alone"),
        "per response",
    ),
    "depth": Bias(
        _("thin errors found less thick errors found"),
        _(
            "misses thick errors: it finds %(thin)s of the thin and %(thick)s of the thick errors, a gap of "
            "%(size)s %(interval)s"
        ),
        _(
            "misses thin errors: it finds %(thin)s of the thin and %(thick)s of the thick errors, a gap of "
            "%(size)s %(interval)s"
        ),
        _("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
}


def biases(results: Results) -> Table:
    figures = {
        (judge, bias): figure
        for judge, figures_of_judge in results.total()["evidence"].items()
        if judge != PEOPLE
        for bias, figure in figures_of_judge.items()
    }

    def recipe(metric: str, **settings: Any) -> Recipe:
        scope = results.context.scope
        return results.recipe(metric, gold=True, threshold=scope.threshold, matching=scope.matching, **settings)

    return table_of_biases("habits-in-marking", results, figures, BIASES, recipe)
