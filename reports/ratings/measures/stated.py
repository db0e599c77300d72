"""Judges that give probabilities: do they mean them, and would it help if they kept silent when unsure?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from agreement.probabilities import BINS, ITEMS_PER_BIN, Abstention, abstention, brier_score, calibration_error
from agreement.probabilities import discrimination as discrimination_of
from projects.enumeration import enumerated
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.parts import pooled
from reports.dashboard.tables import NO_HEADLINE, Headline, Row, Table
from reports.dashboard.wording import figure_text
from reports.ratings.answers import SAYS, Contests, Items
from reports.ratings.consensus import gold_of
from reports.ratings.context import Context
from reports.ratings.measures.predictions import class_of
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "stated"

GRADES, PREFERENCES = "grades", "preferences"
NAMES = {GRADES: gettext_lazy("grades"), PREFERENCES: gettext_lazy("preferences")}
#: Shares of answers that the curve is told at.
COVERAGES = tuple(round(step / 10, 1) for step in range(1, 11))


@dataclass(frozen=True, eq=False)
class Confidences:
    """Of one judge's answers: how sure it said it was of what it found most probable, whether gold says the same, and
    the prompt; shape (N,)."""

    confidence: Floats
    right: Floats
    prompt: Integers


#: By judge, and GRADES or PREFERENCES.
ByJudge = dict[tuple[int, str], Confidences]


def statistics(loaded: Loaded, context: Context) -> dict[int, ByJudge]:
    """Per variety. What has no gold is left out."""
    parts: dict[int, ByJudge] = {variety: {} for variety in loaded.varieties}
    stated = loaded.stated
    if stated is None or not len(stated):
        return parts
    gold, items, questions = gold_of(loaded, context), loaded.items, loaded.questions
    for name, at in ((GRADES, stated.item), (PREFERENCES, stated.contest)):
        rows = np.flatnonzero(at >= 0)
        at = at[rows]
        of: Items | Contests
        if name == GRADES:
            of, said = items, gold.grade[at]
            question = items.question[at]
            known = ~np.isnan(said)
            true = class_of(np.nan_to_num(said), questions.lowest[question], questions.highest[question])
        else:
            of, said = loaded.contests, gold.says[at]
            known = ~np.isnan(said)
            true = np.searchsorted(SAYS[:3], np.nan_to_num(said))
        right = (stated.top[rows] == true).astype(float)
        for variety in loaded.varieties:
            here = known & (of.variety[at] == variety)
            for judge in np.unique(stated.rater[rows[here]]).tolist():
                mine = here & (stated.rater[rows] == judge)
                parts[variety][judge, name] = Confidences(
                    stated.confidence[rows[mine]], right[mine], of.prompt[at[mine]]
                )
    return parts


def figures(parts: Sequence[ByJudge], is_total: bool) -> dict[str, Any]:
    """Of all together by judge and what is judged: "stated" figures in the order of `measures`, and "curve" the share
    right at each of COVERAGES. Of one variety among several nothing is shown."""
    stated: dict[tuple[int, str], tuple[Figure, ...]] = {}
    curve: dict[tuple[int, str], tuple[Figure, ...]] = {}
    for key in sorted({key for part in parts for key in part}) if is_total else ():
        pool = pooled([part[key] for part in parts if key in part])
        kept = abstention(pool.confidence, pool.right)
        error = calibration_error(pool.confidence, pool.right, cluster=pool.prompt)
        stated[key] = (
            error,
            Figure(error.detail["by_chance"], error.n),
            brier_score(pool.confidence, pool.right, cluster=pool.prompt),
            discrimination_of(pool.confidence, pool.right),
            kept.area,
            Figure(kept.area.detail["overall"], kept.area.n),
            Figure(kept.area.detail["best"], kept.area.n),
        )
        curve[key] = tuple(_right_at(kept, coverage) for coverage in COVERAGES)
    return {"stated": stated, "curve": curve}


def _right_at(kept: Abstention, coverage: float) -> Figure:
    """Share right at the smallest coverage of at least this much: answers as sure as each other go together."""
    right, threshold = kept.at(coverage)
    place = min(int(np.searchsorted(kept.coverage, coverage - 1e-12)), len(kept.coverage) - 1)
    answered = round(float(kept.coverage[place]) * kept.area.n)
    return Figure(right, answered, detail={"threshold": threshold, "coverage": float(kept.coverage[place])})


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    """None where no judge says how sure it is."""
    return [calibrated(results), silent(results)] if results.total()["stated"] else []


def measures() -> tuple[str, ...]:
    return (
        _("calibration error"),
        _("by chance alone"),
        _("Brier"),
        _("right more surely than wrong"),
        _("wrong, on average over coverages"),
        _("wrong, if silent at random"),
        _("wrong, if silent where wrong"),
    )


def calibrated(results: Results) -> Table:
    found = results.total()["stated"]
    rows = [
        results.row(judge, (results.rater(judge), str(NAMES[name])), figures)
        for (judge, name), figures in sorted(found.items(), key=lambda one: (one[1][0].number, one[0]))
    ]
    return Table(
        id="stated-probabilities",
        headline=Headline(rows[0].labels),
        title=_("Do judges mean the probabilities they give"),
        summary=in_words(rows),
        dimensions=(_("judge"), _("of")),
        measures=measures(),
        rows=tuple(rows),
        recipe=results.recipe(
            "stated_probabilities",
            drawn=False,
            confidence="probability of the grade, or verdict, that the judge finds most probable",
            right="gold is nearest to that grade, or is that verdict",
            calibration_error="mean distance of confidence from share right, in bins of equally many answers",
            bins=BINS,
            answers_per_bin=f"at least {ITEMS_PER_BIN}",
            by_chance="what the calibration error of a judge that means every probability would be on average",
            area="mean over coverages of the share wrong among the surest answers",
            interval=INTERVAL,
        ),
        marked=_("judge"),
        chart="none",
        note=_(
            "A judge that is right in 70 of 100 answers of which it says 0.7 means what it says: its calibration error "
            "is no larger than chance makes it. Right more surely than wrong: the chance that a right answer was given "
            "with more confidence than a wrong one; 0.5 is blind. The last three are shares wrong: below what silence "
            "at random would leave, it helps if the judge keeps silent when unsure. n counts answers with gold."
        ),
    )


def in_words(rows: Sequence[Row]) -> str:
    """Which judge comes nearest to what it says; `rows` in that order."""
    sentence = _("%(judge)s says best how sure it may be: on average %(error)s off.") % {
        "judge": rows[0].labels[0],
        "error": figure_text(rows[0].figures[0]),
    }
    over = [row.labels[0] for row in rows if is_beyond_chance(row)]
    if not over:
        return sentence
    names = enumerated(dict.fromkeys(over))
    return f"{sentence} {_('Further off than chance makes a judge that means it: %(judges)s.') % {'judges': names}}"


def is_beyond_chance(row: Row) -> bool:
    """The whole interval lies above what chance alone would make."""
    error, by_chance = row.figures[:2]
    return error.low is not None and error.low > by_chance.number


def silent(results: Results) -> Table:
    """A line for each judge: the fewer of its answers are kept, the surest first, the more are right."""
    rows = [
        results.row(judge, (results.rater(judge), str(NAMES[name]), f"{coverage:g}"), (figure,))
        for (judge, name), figures in results.total()["curve"].items()
        for coverage, figure in zip(COVERAGES, figures, strict=True)
    ]
    return Table(
        id="silent-when-unsure",
        headline=NO_HEADLINE,
        title=_("What is right if judges keep silent when unsure"),
        summary=_("Share right among the answers that a judge is surest of."),
        dimensions=(_("judge"), _("of"), _("share answered")),
        measures=(_("share right"),),
        rows=tuple(rows),
        recipe=results.recipe(
            "abstention",
            drawn=False,
            coverage="the smallest share of answers of at least this much, surest first; answers that are as sure as "
            "each other go together",
            threshold="the least confidence answered, in each figure's detail",
        ),
        chart="lines",
        x=_("share answered"),
        series=_("judge"),
        marked=_("judge"),
        note=_(
            "Read from the answers it is drawn by, so it is a hope for others and no promise. n counts answers kept."
        ),
    )
