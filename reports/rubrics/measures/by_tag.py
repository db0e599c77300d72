"""Scores by tag of the criteria, as axes and themes of health answers are read: what each response reaches of the
points that criteria with one tag give.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.intervals import error_block, mean_block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

#: By tag and grader, PEOPLE for first gradings: P of each response under the criteria with the tag, the same of its
#: first grading (NaN without one), and its prompt; shape (n,) each.
ScoresByTag = Mapping[tuple[str, int], tuple[Floats, Floats, Integers]]


def scores_by_tag(loaded: Loaded, in_variety: Flags) -> ScoresByTag:
    """Of the responses in a variety, shape (R,)."""
    grades, found = loaded.grades, {}
    chosen = (grades.is_latest | grades.is_reference) & in_variety[grades.response]
    for tag, criteria in loaded.tags.items():
        percent = _percent(loaded, criteria)
        reference = np.where(loaded.reference >= 0, percent[loaded.reference], np.nan) if len(grades) else percent
        scored = chosen & ~np.isnan(percent)
        of_graders = {PEOPLE: scored & grades.is_reference}
        of_graders |= {judge: scored & (grades.rater == judge) & ~grades.by_human for judge in loaded.judges}
        for grader, rows in of_graders.items():
            if rows.any():
                response = grades.response[rows]
                found[tag, grader] = (percent[rows], reference[response], loaded.responses.prompt[response])
    return found


def _percent(loaded: Loaded, criteria: Integers) -> Floats:
    """P of each grade under these criteria alone, NaN where they give nothing to reach; shape (G,)."""
    grades, verdicts = len(loaded.grades), loaded.verdicts
    weight = np.zeros(len(loaded.criteria))
    weight[criteria] = loaded.criteria.weight[criteria]
    of_verdicts = weight[verdicts.criterion]
    most = np.bincount(verdicts.grade, np.maximum(of_verdicts, 0), minlength=grades)
    raw = np.bincount(verdicts.grade, of_verdicts * verdicts.counts, minlength=grades)
    return np.divide(100 * raw, most, out=np.full(grades, np.nan), where=most > 0)


def figures(parts: Sequence[ScoresByTag]) -> dict[tuple[str, int], tuple[Figure, Figure]]:
    """By tag and grader: mean score, and MAD from the first gradings, undefined of these themselves."""
    made = {}
    for key in sorted({key for part in parts for key in part}):
        percent, reference, prompt = (
            np.concatenate([part[key][at] for part in parts if key in part]) for at in range(3)
        )
        mean = mean_block(percent, np.ones(len(percent), dtype=bool))
        blocks = [mean] if key[1] == PEOPLE else [mean, error_block(percent - reference)]
        drawn = with_intervals(blocks, prompt)
        made[key] = (drawn[0][0], Figure.without_value(NO_ITEMS) if key[1] == PEOPLE else drawn[1][0])
    return made


def scores_by_tag_table(results: Results) -> Table:
    found = results.total()["tags"]
    return Table(
        id="scores-by-tag",
        headline=NO_HEADLINE,
        title=_("Scores by tag"),
        summary=_("What responses reach of the points that criteria with one tag give."),
        dimensions=(_("tag"), _("grader")),
        measures=(_("mean score"), _("MAD")),
        rows=tuple(
            results.row(grader, (tag, results.rater(grader)), pair, tag=tag) for (tag, grader), pair in found.items()
        ),
        recipe=results.recipe(
            "mean_percentage_score_by_tag",
            formula="100 * S_raw / S_max over the criteria with the tag, negative ones written beforehand included",
            left_out="errors that a grader found, which have no tag",
        ),
        unit="percent",
        units={_("MAD"): "pp"},
    )
