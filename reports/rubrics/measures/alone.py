"""What judges say of target models where no person has graded: scores that nothing vouches for, marked as such."""

from collections.abc import Iterator, Sequence

import numpy as np
from django.utils.translation import gettext as _

from reports.dashboard.columns import Floats, Integers
from reports.dashboard.intervals import Block, mean_block
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.rubrics.context import ALL
from reports.rubrics.results import RubricResults as Results


def blocks(known: Sequence[int], scores: Floats, model: Integers) -> Iterator[tuple[tuple[int, int], Block]]:
    """(judge, target) with the mean P that the judge gave the target's responses; the target may be ALL.

    scores  P of each response by each judge, NaN without one, shape (R, J); model  ids of the targets, shape (R,).
    """
    for at, judge in enumerate(known):
        scored = ~np.isnan(scores[:, at])
        for target in [*np.unique(model[scored]).tolist(), ALL]:
            chosen = scored & ((model == target) | (target == ALL))
            if chosen.any():
                yield (judge, target), mean_block(scores[:, at], chosen)


def scores_of_judges(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools():
        for (judge, model), figure in pool["alone"].items():
            target, by_target = results.target(model)
            row = results.row(judge, (results.rater(judge), target, label), (figure,))
            rows.append(Row(row.labels, row.figures, {**row.drill, **drill, **by_target}, row.marks))
    return Table(
        id="scores-by-judges-alone",
        headline=NO_HEADLINE,
        title=_("Scores by judges alone"),
        summary=_("No person has graded here: nothing says how near these scores are to people's."),
        dimensions=(_("judge"), _("target model"), _("community")),
        measures=(_("mean score"),),
        rows=tuple(rows),
        recipe=results.recipe("mean_percentage_score_by_judge", gold=False, people="none: judges grade alone"),
        unit="percent",
        x=_("target model"),
        series=_("judge"),
    )
