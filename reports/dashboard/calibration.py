"""Judges calibrated on gold, beside the raw judge: figures for every kind of dashboard, and their table.

The interval of a calibrated figure draws prompts with the maps held as they were fitted: it says how the figures
vary with the responses, not with the people who graded those that the maps were fitted on. Drawing prompts with
replacement before the folds are dealt would put the same prompt on both sides of a fit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.biases import Floats, Integers
from agreement.calibration import FOLDS, ISOTONIC, LINEAR, METHODS, CrossFitted, cross_fitted
from agreement.deviation import STATISTICS, deviation, deviation_columns
from agreement.figures import Figure, Recipe
from agreement.statistics import Statistic, of_columns
from reports.dashboard.findings import highest
from reports.dashboard.results import Results
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text

RAW = "raw"
COMPARED_WITH = "the raw judge is what is compared with"
SCHEME: dict[str, Any] = {
    "folds": FOLDS,
    "folds drawn": "whole prompts, by the seed",
    "seed of the folds": 0,
    "isotonic": "pooled adjacent violators, ties together, straight between scores",
    "linear": "least squares",
    "interval": "prompts left out with the maps as they were fitted",
}
MAD, SIGNED_ERROR, RMSE = STATISTICS

#: How near the ranks of calibrated scores come to people's: from scores and references to a figure.
Ranked = Callable[[Floats, Floats], Figure]


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A judge's raw and calibrated scores: figures without intervals, and what intervals are drawn from.

    columns, statistics, figures  a block as `intervals.Block` has it, rows like the scores. `ranks` by RAW and method,
    and `fits` the maps behind them.
    """

    figures: list[Figure]
    columns: Floats
    statistics: list[Statistic]
    ranks: dict[str, Figure]
    fits: dict[str, CrossFitted] = field(default_factory=dict)

    def rows(self, drawn: Sequence[Figure]) -> dict[str, tuple[Figure, ...]]:
        """By RAW and method: MAD, signed error, RMSE, how the ranks agree, and by how much the MAD is less than the
        raw judge's; `drawn` are the block's figures with their intervals."""
        of_raw = tuple(drawn[: len(STATISTICS)])
        figures_by_kind = {RAW: (*of_raw, self.ranks[RAW], Figure.without_value(COMPARED_WITH, of_raw[0].n))}
        left = iter(drawn[len(STATISTICS) :])
        for method in METHODS:
            fit = self.fits[method]
            if fit.undefined:
                nothing = Figure.without_value(fit.undefined, of_raw[0].n)
                figures_by_kind[method] = (nothing,) * (len(STATISTICS) + 2)
                continue
            away, error, square, saved = (next(left) for _ in range(len(STATISTICS) + 1))
            maps = {"folds": len(fit.maps), "maps": [one.as_json() for one in fit.maps]}
            figures_by_kind[method] = (away.with_detail(**maps), error, square, self.ranks[method], saved)
        return figures_by_kind


def calibrated(scores: Floats, references: Floats, prompts: Integers, ranked: Ranked, apart: str = "") -> Calibrated:
    """Of one judge; scores and references of shape (N,), NaN where either is missing.

    apart  why the scores are of no one scale, so that no map and no error is theirs together; "" where they are.
    """
    if apart:
        return _of_no_scale(len(scores), apart)
    known = ~np.isnan(scores) & ~np.isnan(references)
    judge, people, prompt = scores[known], references[known], prompts[known]
    fits = {method: cross_fitted(judge, people, prompt, method) for method in METHODS}
    sides = {RAW: judge} | {name: fit.values for name, fit in fits.items() if not fit.undefined}
    figures: list[Figure] = []
    statistics: list[Statistic] = []
    columns = np.zeros((len(scores), 3 * len(sides) + 1))
    columns[known, -1] = 1
    for place, (name, values) in enumerate(sides.items()):
        columns[known, 3 * place : 3 * place + 3] = deviation_columns(values, people)[:, :3]
        found = deviation(values, people)
        figures += [found.mad, found.signed_error, found.rmse]
        statistics += [_of_side(statistic, place) for statistic in STATISTICS]
        if name != RAW:
            figures.append(Figure(figures[0].number - found.mad.number, found.n))
            statistics.append(_mad_saved(place))
    ranks = {name: ranked(values, people) for name, values in sides.items()}
    return Calibrated(figures, columns, statistics, ranks, fits)


def _of_no_scale(n: int, reason: str) -> Calibrated:
    """Nothing has a value, for this reason."""
    nothing, values = Figure.without_value(reason, n), np.full(n, np.nan)
    fits = {method: CrossFitted(method, values, np.zeros(n, dtype=np.int64), undefined=reason) for method in METHODS}
    columns = np.zeros((n, 4))
    statistics = [_of_side(statistic, 0) for statistic in STATISTICS]
    return Calibrated([nothing] * len(STATISTICS), columns, statistics, {RAW: nothing}, fits)


def _of_side(statistic: Statistic, place: int) -> Statistic:
    """The statistic of one side's three columns and the number of items, which is the last."""
    return of_columns(statistic, [3 * place, 3 * place + 1, 3 * place + 2, -1])


def _mad_saved(place: int) -> Statistic:
    """MAD of the raw scores less that of the side at this place."""
    raw, mapped = _of_side(MAD, 0), _of_side(MAD, place)
    return lambda sums: raw(sums) - mapped(sums)


#: By judge, its `Calibrated.rows`.
Judged = Mapping[int, Mapping[str, tuple[Figure, ...]]]


def table(table_id: str, results: Results, judged: Judged, recipe: Recipe, ranks: str, unit: str) -> Table:
    """ranks  what the measure between signed error and the MAD taken away is called; unit  of the scores."""
    kinds = {RAW: _("raw"), LINEAR: _("calibrated, linear"), ISOTONIC: _("calibrated, isotonic")}
    rows = [
        results.row(judge, (results.rater(judge), kinds[kind]), figures)
        for judge, figures_by_kind in judged.items()
        for kind, figures in figures_by_kind.items()
    ]
    return Table(
        id=table_id,
        headline=highest(rows, 4),
        title=_("Judges calibrated on people"),
        summary=_summary(results, judged, unit),
        dimensions=(_("judge"), _("scores")),
        measures=(_("MAD"), _("signed error"), _("RMSE"), ranks, _("MAD taken away")),
        rows=tuple(rows),
        recipe=recipe,
        unit=unit,
        units={ranks: "share"},
        x=_("judge"),
        series=_("scores"),
        marked=_("judge"),
        note=_(
            "A calibrated score is what people would be expected to say where the judge says what it says. Each is "
            "mapped by a fit on other prompts alone, in %(folds)s folds. It is another rater than the raw judge, whose "
            "figures stand first and everywhere else on this page."
        )
        % {"folds": FOLDS},
    )


def _summary(results: Results, judged: Judged, unit: str) -> str:
    """Where calibration takes away most."""
    if not judged:
        return _("No judge has been compared with people yet.")
    compared = [
        (figures_by_kind[method][-1], results.rater(judge), figures_by_kind[RAW][0], figures_by_kind[method][0])
        for judge, figures_by_kind in judged.items()
        for method in METHODS
    ]
    known = [
        (saved.number, judge, raw, mapped)
        for saved, judge, raw, mapped in compared
        if None not in (saved.value, raw.value, mapped.value)
    ]
    if not known:
        return _("There is too little to calibrate a judge on yet.")
    saved, judge, raw, mapped = max(known, key=lambda one: one[0])
    if saved <= 0:
        return _("Calibration brings no judge nearer to people.")
    return _("Calibration helps %(judge)s most: MAD %(raw)s raw, %(calibrated)s calibrated.") % {
        "judge": judge,
        "raw": figure_text(raw, unit),
        "calibrated": figure_text(mapped, unit),
    }
