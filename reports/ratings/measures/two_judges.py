"""Two judges compared on what both answered."""

from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext as _

from agreement import bootstrap, classes, preferences
from agreement import judges as deviations
from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.draws import SEED
from reports.dashboard.tables import HEADING, Headline, Row, Table
from reports.dashboard.wording import figure_text
from reports.ratings.measures.judged import Judged, recipe, titles
from reports.ratings.measures.predictions import classes_of
from reports.ratings.results import RatingResults as Results

#: What two judges are compared by: statistics of a grade's columns, and of a preference's.
COMPARED = ("macro_f1", "accuracy", "quadratic_kappa", "mad", "preference")


def compare(first: Judged, second: Judged) -> dict[str, tuple[Figure, Figure, Figure]]:
    """By name of COMPARED: the figure of each on what both answered, and first less second with its p-value.

    Of a judge that answered an item in both orders, the two answers weigh a half each, so that an item weighs the
    same in both judges' figures.
    """
    policy, grade_policy = first.options.policy, first.options.grade_policy
    both = np.intersect1d(first.pool["item"], second.pool["item"])
    n_classes = classes_of(*(first.pool[name][np.isin(first.pool["item"], both)] for name in ("lowest", "highest")))

    def of_grades(one: Judged) -> Floats:
        truth, predicted = one.pool["truth"], one.pool["predicted"]
        # What the other did not answer is left out below; its classes may be more.
        alike = np.isin(one.pool["item"], both)
        table = np.zeros((len(truth), n_classes * (n_classes + 1)))
        table[alike] = classes.confusion_columns(truth[alike], predicted[alike], n_classes, grade_policy)
        return np.hstack((table, deviations.error_columns(one.pool["error"])))

    def of_preferences(one: Judged) -> Floats:
        return preferences.accuracy_columns(one.pool["preference"], one.pool["verdict"], unparseable=policy)

    def of_table(statistic: bootstrap.Statistic) -> bootstrap.Statistic:
        return lambda sums: statistic(sums[..., :-3])

    graded = [
        *(of_table(classes.STATISTICS[name]) for name in COMPARED[:-2]),
        lambda sums: deviations.mad(sums[..., -3:]),
    ]
    triples: list[tuple[Figure, Figure, Figure]] = []
    for make, item, prompt, of_sums in (
        (of_grades, "item", "prompt", graded),
        (of_preferences, "contest", "contest_prompt", [bootstrap.ratio_of_sums]),
    ):
        sides, cluster = _alike(
            [make(one) for one in (first, second)],
            [one.pool[item] for one in (first, second)],
            [one.pool[prompt] for one in (first, second)],
        )
        triples += _differences(sides, cluster, of_sums)
    return dict(zip(COMPARED, triples, strict=True))


def _alike(columns: list[Floats], items: list[Integers], prompts: list[Integers]) -> tuple[list[Floats], Integers]:
    """The columns of each side by item, answers of an item averaged, on items that both answered; and their prompts."""
    means, known = [], []
    for column, item in zip(columns, items, strict=True):
        counted = column.any(axis=1)
        distinct, at = np.unique(item[counted], return_inverse=True)
        n = np.bincount(at, minlength=len(distinct))
        sums = np.column_stack([np.bincount(at, one, minlength=len(distinct)) for one in column[counted].T])
        means.append(sums.reshape(len(distinct), column.shape[1]) / n[:, None])
        known.append(distinct)
    both, *places = np.intersect1d(known[0], known[1], assume_unique=True, return_indices=True)
    prompt_of, first = np.unique(items[0], return_index=True)
    cluster = prompts[0][first[np.searchsorted(prompt_of, both)]]
    return [mean[place] for mean, place in zip(means, places, strict=True)], cluster


def _differences(
    sides: list[Floats], cluster: Integers, statistics: Sequence[bootstrap.Statistic]
) -> list[tuple[Figure, Figure, Figure]]:
    n = len(cluster)
    between = bootstrap.paired_differences(sides[0], sides[1], statistics, seed=SEED, cluster=cluster)
    triples = []
    for statistic, difference in zip(statistics, between, strict=True):
        values = [float(statistic(side.sum(axis=0))) if n else np.nan for side in sides]
        alone = [Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n) for value in values]
        triples.append((alone[0], alone[1], difference))
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
        rows = [
            Row(
                (titles()[name],),
                (*of_measure, p_value(of_measure[-1])),
                results.by_rater(pair[0]),
                results.marks(*pair),
            )
            for name, of_measure in figures.items()
        ]
    return Table(
        id="judges-compared",
        headline=Headline((titles()["preference"],), 2),
        title=_("Two judges compared"),
        summary=words,
        dimensions=(_("measure"),),
        measures=(_("first judge"), _("second judge"), _("difference"), _("p-value")),
        rows=tuple(rows),
        recipe=recipe(
            results,
            "paired_difference",
            first=first if compared else None,
            second=second if compared else None,
            items="answered by both; two answers of one judge weigh a half each",
            p_value="two-sided, from the same resamples",
        ),
        units={_("p-value"): "p"},
        chart="none",
        marked=HEADING,
        note=_("Choose two judges above. Both are measured on the items that both answered."),
    )


def p_value(difference: Figure) -> Figure:
    p = difference.detail.get("p")
    if p is None:
        return Figure.without_value(difference.undefined or TOO_FEW, difference.n)
    return Figure(float(p), difference.n)


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
