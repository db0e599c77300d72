"""Two judges compared on what both answered."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy
from django.utils.translation import gettext as _

from agreement import inference, preferences, scales
from agreement import judges as deviations
from agreement.figures import NO_ITEMS, Figure
from agreement.multiplicity import corrected
from agreement.statistics import Statistic, of_columns, share_of_sums
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.tables import HEADING, Headline, Row, Table
from reports.dashboard.wording import figure_text
from reports.ratings.measures.judged import SCALE, Judged, recipe, titles
from reports.ratings.results import RatingResults as Results

#: One row for each answer, sparse; the item of each, and its prompt.
Columns = tuple[Any, Integers, Integers]
#: What two judges are compared by: statistics of a grade's columns, and of a preference's.
COMPARED = ("macro_f1", "accuracy", "quadratic_kappa", "mad", "preference")


def compare(first: Judged, second: Judged) -> dict[str, tuple[Figure, Figure, Figure]]:
    """By name of COMPARED: the figure of each on what both answered, and first less second with its p-value.

    Of a judge that answered an item in both orders, the two answers weigh a half each, so that an item weighs the
    same in both judges' figures.
    """
    policy, grade_policy = first.options.policy, first.options.grade_policy
    both = np.intersect1d(first.pool["item"], second.pool["item"])
    # What the other did not answer is left out, with the questions that only one was asked.
    alike = [np.isin(one.pool["item"], both) for one in (first, second)]
    tables = [
        scales.tables_of(*(one.pool[name][kept] for name in SCALE))
        for one, kept in zip((first, second), alike, strict=True)
    ]
    apart = scales.is_one_measure(*(first.pool[name][alike[0]] for name in SCALE[1:]))

    def of_grades(one: Judged, place: int) -> Columns:
        kept = np.flatnonzero(alike[place])
        truth, predicted = one.pool["truth"][kept], one.pool["predicted"][kept]
        confusion = scales.confusion_columns(truth, predicted, tables[place], grade_policy)
        errors = deviations.error_columns(np.full(len(kept), np.nan) if apart else one.pool["error"][kept])
        columns = scipy.sparse.hstack((confusion, scipy.sparse.csr_array(errors)), format="csr")
        return columns, one.pool["item"][kept], one.pool["prompt"][kept]

    def of_preferences(one: Judged, place: int) -> Columns:
        columns = preferences.accuracy_columns(one.pool["preference"], one.pool["verdict"], unparseable=policy)
        return scipy.sparse.csr_array(columns), one.pool["contest"], one.pool["contest_prompt"]

    def of_table(statistic: Statistic) -> Statistic:
        return of_columns(statistic, slice(0, -3))

    graded = [
        *(of_table(scales.statistic(name, tables[0])) for name in COMPARED[:-2]),
        of_columns(deviations.mad, slice(-3, None)),
    ]
    triples: list[tuple[Figure, Figure, Figure]] = []
    for make, of_sums in ((of_grades, graded), (of_preferences, [share_of_sums])):
        triples += _differences(*_alike([make(one, place) for place, one in enumerate((first, second))]), of_sums)
    found = dict(zip(COMPARED, triples, strict=True))
    if apart:
        nothing = Figure.without_value(apart, len(both))
        found["mad"] = (nothing, nothing, nothing)
    return found


def _alike(sides: list[Columns]) -> tuple[list[Floats], int]:
    """The columns of each side added up by prompt, over the items that both answered, of which there are so many;
    answers of a judge to one item are averaged. Kept sparse until they are added up: scales may be long."""
    means, known, prompts = [], [], []
    for columns, item, prompt in sides:
        counted = np.flatnonzero(abs(columns).sum(axis=1))
        distinct, first, at = np.unique(item[counted], return_index=True, return_inverse=True)
        n = np.bincount(at, minlength=len(distinct))
        share = scipy.sparse.csr_array((1 / n[at], (at, counted)), shape=(len(distinct), columns.shape[0]))
        means.append(share @ columns)
        known.append(distinct)
        prompts.append(prompt[counted[first]])
    both, *places = np.intersect1d(known[0], known[1], assume_unique=True, return_indices=True)
    _, cluster = np.unique(prompts[0][places[0]], return_inverse=True)
    shape = (int(cluster.max(initial=-1)) + 1, len(both))
    of_prompt = scipy.sparse.csr_array((np.ones(len(both)), (cluster, np.arange(len(both)))), shape=shape)
    return [(of_prompt @ mean[place]).toarray() for mean, place in zip(means, places, strict=True)], len(both)


def _differences(sides: list[Floats], n: int, statistics: Sequence[Statistic]) -> list[tuple[Figure, Figure, Figure]]:
    """Of sums by prompt over n items."""
    between = inference.paired_differences(sides[0], sides[1], statistics)
    triples = []
    for statistic, difference in zip(statistics, between, strict=True):
        values = [float(statistic(side.sum(axis=0))) if n else np.nan for side in sides]
        alone = [Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n) for value in values]
        triples.append((alone[0], alone[1], replace(difference, n=n)))
    return triples


# --- Table -----------------------------------------------------------------------------------------


def two_judges(results: Results) -> Table:
    """Two judges on the same items."""
    compared = results.total().get("compared")
    rows, words = [], _("There are not two judges to compare yet.")
    if compared:
        pair, figures = compared
        first, second = (results.rater(one) for one in pair)
        words = _("%(first)s, the first, beside %(second)s, the second.") % {"first": first, "second": second}
        words += " " + compared_in_words(figures["preference"][2], figures["macro_f1"][2])
        of_rows = corrected([of_measure[-1] for of_measure in figures.values()])
        rows = [
            Row((titles()[name],), (*of_measure, p), results.by_rater(pair[0]), results.marks(*pair))
            for (name, of_measure), p in zip(figures.items(), of_rows, strict=True)
        ]
    return Table(
        id="judges-compared",
        headline=Headline((titles()["preference"],), 2),
        title=_("Two judges compared"),
        summary=words,
        dimensions=(_("measure"),),
        measures=(_("first judge"), _("second judge"), _("difference"), _("p, corrected")),
        rows=tuple(rows),
        recipe=recipe(
            results,
            "paired_difference",
            first=first if compared else None,
            second=second if compared else None,
            items="answered by both; two answers of one judge weigh a half each",
            correction="Holm, over the measures of this table",
        ),
        units={_("p, corrected"): "p"},
        chart="none",
        marked=HEADING,
        note=_("Choose two judges above. Both are measured on the items that both answered."),
    )


def compared_in_words(*differences: Figure) -> str:
    """Whether the first is clearly better, by preference or else by macro-F1."""
    difference = next((one for one in differences if one.value is not None), None)
    if difference is None or difference.low is None or difference.high is None:
        return _("There is too little that both answered to tell them apart.")
    if difference.low > 0:
        return _("The first judge is clearly better: %(difference)s.") % {"difference": figure_text(difference)}
    if difference.high < 0:
        return _("The second judge is clearly better: %(difference)s.") % {"difference": figure_text(difference)}
    return _("The two do not clearly differ: %(difference)s.") % {"difference": figure_text(difference)}
