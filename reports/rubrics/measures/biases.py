"""What the grades of a judge show of its biases: leniency, length, what it does not see, what it does not answer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.biases import length_slope, mean_error, recall_gap, share_beyond
from agreement.correlation import spearman
from agreement.criteria import BOTH, JUDGE_ONLY, NEITHER, PERSON_ONLY
from agreement.figures import Figure, Recipe
from reports.dashboard import calibration
from reports.dashboard.biases import MUCH, UNREADABLE, USUAL, Bias, percent
from reports.dashboard.biases import table as table_of_biases
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Table
from reports.rubrics.results import RubricResults as Results

#: A point of a hundred; and a point for twice the length.
POINTS = 1.0
#: Of recalls, ten in a hundred.
GAP = 0.1


def rank_correlation(scores: Floats, references: Floats) -> Figure:
    """Spearman's. Without the interval for single items: a prompt has several responses."""
    correlation = spearman(scores, references)
    return Figure(correlation.value, correlation.n, undefined=correlation.undefined)


def of_scores(
    judge: int, errors: Floats, human: Floats, length: Integers, prompt: Integers, asked: Mapping[str, Flags]
) -> dict[tuple[int, str], Figure]:
    """errors, human, length, prompt  of all responses, shape (R,), NaN where judge or person has no score.
    asked  by "scored", "refused" and "unreadable" whether the judge's answer came to that, shape (R,)."""
    ended = asked["scored"] | asked["refused"] | asked["unreadable"]
    return {
        (judge, "leniency"): mean_error(errors, prompt, POINTS),
        (judge, "length"): length_slope(errors, human, length, prompt, POINTS),
        (judge, "refusals"): share_beyond(asked["refused"][ended], prompt[ended], USUAL, MUCH),
        (judge, "unreadable"): share_beyond(asked["unreadable"][ended], prompt[ended], USUAL, MUCH),
    }


def of_verdicts(
    one: int, types: Integers, prompt: Integers, known: Mapping[tuple[int, str], Figure]
) -> dict[tuple[int, str], Figure]:
    """What is seen of the faults that the first grader found, by what kind of criterion says so.

    types  cells per response and type of criterion, shape (R, 8, 4), see `criteria.TYPES`. known  figures made before:
    those of PEOPLE, who come first, are what a judge is compared with. A fault is a positive criterion that the person
    failed, or a negative one whose error the person found.
    """
    # Polarity, explicitness, objectivity, cell.
    cells = types.reshape(len(types), 2, 2, 2, 4)
    positive, negative = cells[:, 0], cells[:, 1]
    seen = positive[..., NEITHER] + negative[..., BOTH]
    there = seen + positive[..., JUDGE_ONLY] + negative[..., PERSON_ONLY]
    figures = {}
    for name, other in (("explicitness", 2), ("objectivity", 1)):
        people = known.get((PEOPLE, name))
        found_of, all_of = (np.asarray(counts.sum(axis=other)) for counts in (seen, there))
        figures[one, name] = recall_gap(found_of, all_of, prompt, GAP, people.value if people else None)
    return figures


# --- Tables ----------------------------------------------------------------------------------------


def recalls(figure: Figure) -> Mapping[str, str]:
    """Of either kind of criteria, the share of faults that the judge sees."""
    one, other = (percent(share) for share in figure.detail["recalls"])
    return {"one": one, "other": other}


BIASES = {
    "leniency": Bias(
        _("leniency, in points of 100"),
        _("lenient by %(size)s points %(interval)s"),
        _("severe by %(size)s points %(interval)s"),
        _("the signed error is %(least)s points or more"),
        "points",
    ),
    "length": Bias(
        _("length, in points for twice the length"),
        _("prefers longer responses: %(size)s points %(interval)s more than people for twice the length"),
        _("prefers shorter responses: %(size)s points %(interval)s less than people for twice the length"),
        _(
            "twice the length changes its score beside people's by %(least)s points or more, with and without people's "
            "score held"
        ),
        "points",
    ),
    "explicitness": Bias(
        _("faults seen on explicit less on implicit criteria"),
        _(
            "misses implicit criteria: of the faults that a person found it sees %(one)s on explicit and %(other)s on "
            "implicit criteria, a gap of %(size)s %(interval)s"
        ),
        _(
            "misses explicit criteria: of the faults that a person found it sees %(one)s on explicit and %(other)s on "
            "implicit criteria, a gap of %(size)s %(interval)s"
        ),
        _("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
    "objectivity": Bias(
        _("faults seen on objective less on subjective criteria"),
        _(
            "misses subjective criteria: of the faults that a person found it sees %(one)s on objective and %(other)s "
            "on subjective criteria, a gap of %(size)s %(interval)s"
        ),
        _(
            "misses objective criteria: of the faults that a person found it sees %(one)s on objective and %(other)s "
            "on subjective criteria, a gap of %(size)s %(interval)s"
        ),
        _("the two shares differ by %(least)s or more, and by more than people's do"),
        "percent",
        recalls,
    ),
    "refusals": Bias(
        _("share of answers that are refusals"),
        _("refuses much: %(size)s %(interval)s of what it was asked"),
        "",
        _("%(least)s or more are refused, where 5 %% are usual"),
        "percent",
    ),
    "unreadable": UNREADABLE,
}


def biases(results: Results) -> Table:
    """What rests on scores and what rests on single verdicts, together: the correction is for all of it."""
    figures = {**results.total()["evidence"], **results.total("criteria")["evidence"]}

    def recipe(metric: str, **settings: Any) -> Recipe:
        made = results.recipe(metric, drawn=False, **settings)
        return replace(made, data_snapshot=f"{made.data_snapshot} {results.snapshots['criteria']}")

    return table_of_biases("habits-in-grading", results, figures, BIASES, recipe)


def judges_calibrated(results: Results) -> Table:
    judged = results.total()["calibrated"]
    recipe = results.recipe("judges_calibrated", **calibration.SCHEME)
    return calibration.table("calibrated-scores", results, judged, recipe, gettext("Spearman"), "pp")
