"""Points that errors cost: how far raters agree on them, and who is lenient.

Points are the rater's own where the scheme weighs single errors (MQM), else the project's per criticality. They
are added in the order of the spans' ids, unrounded: ordinal alpha takes sums that differ in the last bit for two
values (see agreement.mqm.penalties).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import alpha, inference, mqm
from agreement.deviation import Deviation, deviation, leave_one_out
from agreement.figures import Figure
from agreement.statistics import rate_of_sums
from reports.dashboard import footing
from reports.dashboard.columns import Flags, Floats, Integers, means_at
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.footing import Compared, Footing
from reports.dashboard.parts import pooled, split
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.dashboard.wording import figure_text, known_figures, no_figure_yet
from reports.spans.context import Context
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "penalties"


@dataclass(frozen=True, eq=False)
class PenaltiesOfAnswers:
    """Per answer: response, prompt, target model, rater by id, whether a person's, its penalty, and that of the answer
    as it was first handed in; shape (A,)."""

    response: Integers
    prompt: Integers
    model: Integers
    rater: Integers
    by_human: Flags
    penalty: Floats
    at_first: Floats
    is_weighted: bool


def statistics(loaded: Loaded, context: Context) -> dict[int, PenaltiesOfAnswers]:
    """The project's points are what an error of each criticality costs, for spans without points of their own."""
    answers, responses = loaded.answers, loaded.responses
    penalty = _penalties(loaded, context)
    is_weighted = bool(context.points) or not bool(np.isnan(loaded.marks.penalty).all())
    response = answers.response
    return split(
        PenaltiesOfAnswers,
        loaded.varieties,
        responses.variety[response],
        response=responses.id[response],
        prompt=responses.prompt[response],
        model=responses.model[response],
        rater=answers.rater,
        by_human=answers.by_human,
        penalty=penalty,
        at_first=_penalties(loaded.at_first, context) if loaded.at_first else penalty,
        is_weighted=is_weighted,
    )


def _penalties(loaded: Loaded, context: Context) -> Floats:
    """Of each answer."""
    marks = loaded.marks
    of_level = np.array([*(float(context.points.get(level.slug, 0)) for level in context.levels), 0.0])
    weights = np.where(np.isnan(marks.penalty), of_level[marks.criticality], marks.penalty) * marks.costs
    return mqm.penalties(marks.answer, weights, len(loaded.answers))


def figures(parts: Sequence[PenaltiesOfAnswers], is_total: bool) -> dict[str, Any]:
    """Empty where nothing weighs errors."""
    pool = pooled(parts)
    if not pool.is_weighted:
        return {}
    people = (column[pool.by_human] for column in (pool.response, pool.prompt, pool.model, pool.rater))
    response, prompt, model, rater = people
    penalty, at_first = pool.penalty[pool.by_human], pool.at_first[pool.by_human]
    return {
        "overall": (
            _mean(penalty, prompt),
            alpha.alpha_with_interval(response, at_first, rater, prompt, "interval"),
            alpha.alpha_with_interval(response, at_first, rater, prompt, "ordinal"),
        ),
        "models": {
            pk: _mean(penalty[rows], prompt[rows]) for pk in np.unique(model).tolist() for rows in [model == pk]
        },
        "raters": _raters(pool),
        "footing": _footing(pool) if is_total else {},
        "people": len(np.unique(pool.rater[pool.by_human])),
        "responses": len(np.unique(pool.response)),
    }


def _mean(penalty: Floats, prompt: Integers) -> Figure:
    return inference.mean(penalty, statistic=rate_of_sums, cluster=prompt)


def _raters(pool: PenaltiesOfAnswers) -> dict[int, tuple[Figure, ...]]:
    """Rater to (mean penalty, mean absolute deviation, signed error, root mean square error).

    A person is held against the mean of the other people on the same response, by what all first handed in; a judge
    against that of all, by what stands. A score is minus the penalty, so that signed error > 0 is lenient.
    """
    human, score = pool.by_human, -pool.penalty
    first = -pool.at_first[human]
    against: dict[int, Deviation] = leave_one_out(pool.response[human], pool.rater[human], first)
    order, index = np.unique(pool.response, return_inverse=True)
    means = means_at(index[human], score[human], len(order))[index]
    for judge in np.unique(pool.rater[~human]).tolist():
        rows = (pool.rater == judge) & ~np.isnan(means)
        against[judge] = deviation(score[rows], means[rows])
    figures: dict[int, tuple[Figure, ...]] = {}
    for rater, result in sorted(against.items()):
        rows = pool.rater == rater
        figures[rater] = (_mean(pool.penalty[rows], pool.prompt[rows]), result.mad, result.signed_error, result.rmse)
    return figures


def _footing(pool: PenaltiesOfAnswers) -> dict[int, tuple[Footing, ...]]:
    """By judge, MAD and signed error of its points and of people's on the same responses."""
    people = np.flatnonzero(pool.by_human)
    made = {}
    for judge in np.unique(pool.rater[~pool.by_human]).tolist():
        judged = np.flatnonzero(pool.rater == judge)
        sides = footing.deviations(
            pool.response[people],
            -pool.penalty[people],
            pool.prompt[people],
            pool.rater[people],
            pool.response[judged],
            -pool.penalty[judged],
        )
        made[judge] = tuple(footing.deviations_compared(sides))
    return made


# --- Tables ----------------------------------------------------------------------------------------


SUM = (
    "sum of the points of a rater's errors on a response, in the order they were given, unrounded; of an error its own "
    "points where the rater's scheme has given them, else those of its criticality"
)


def tables(results: Results) -> list[Table]:
    total = results.total()
    if not total:
        return []
    return [overall(results), people_agree(results), by_model(results), by_rater(results), beside_people(results)]


def overall(results: Results) -> Table:
    rows = results.people_rows(lambda pool: pool["overall"][:1], detector="human")
    mean = results.total()["overall"][0]
    return Table(
        id="penalties",
        title=_("Penalties"),
        summary=_("People give %(mean)s points per response.") % {"mean": figure_text(mean, "points")}
        if mean.value is not None
        else no_figure_yet(),
        dimensions=(_("variety"),),
        measures=(_("mean penalty"),),
        rows=tuple(rows),
        recipe=results.recipe("mean_penalty", drawn=True, penalty=SUM, source_errors=results.context.source_errors),
        unit="points",
    )


def people_agree(results: Results) -> Table:
    rows = results.people_rows(lambda pool: pool["overall"][1:], detector="human")
    _mean, interval, ordinal = results.total()["overall"]
    return Table(
        id="penalty-alpha",
        title=_("Agreement of people on penalties"),
        summary=_("Krippendorff's alpha of people's penalties is %(interval)s (interval), %(ordinal)s (ordinal).")
        % {"interval": figure_text(interval), "ordinal": figure_text(ordinal)}
        if None not in (interval.value, ordinal.value)
        else no_figure_yet(),
        dimensions=(_("variety"),),
        measures=(_("alpha, interval"), _("alpha, ordinal")),
        rows=tuple(rows),
        recipe=results.recipe(
            "krippendorff_alpha",
            answers=FIRST_ANSWERS,
            penalty=SUM,
            source_errors=results.context.source_errors,
            levels=["interval", "ordinal"],
        ),
    )


def by_model(results: Results) -> Table:
    models = results.total()["models"]
    rows = [
        results.people_row((results.names.models[pk],), (figure,), {"model": results.names.models[pk]})
        for pk, figure in models.items()
    ]
    means = known_figures(((row.labels[0], row.figures[0]) for row in rows), "points")
    return Table(
        id="penalties-by-model",
        title=_("Penalty per target model"),
        summary=_("Mean points people give per response. %(means)s.") % {"means": means} if means else no_figure_yet(),
        dimensions=(_("model"),),
        measures=(_("mean penalty"),),
        rows=tuple(rows),
        recipe=results.recipe("mean_penalty", drawn=True, penalty=SUM, source_errors=results.context.source_errors),
        unit="points",
    )


def beside_people(results: Results) -> Table:
    """Points of judges and of people against those of the others."""
    full = results.total()["raters"]
    rows = [
        Compared(judge, title, both, full[judge][at + 1], is_better)
        for judge, sides in results.total()["footing"].items()
        for at, (title, both, is_better) in enumerate(
            zip((_("mean absolute deviation"), _("signed error")), sides, (False, None), strict=True)
        )
    ]
    recipe = {"penalty": SUM, "source_errors": results.context.source_errors, "score": "minus the penalty"}
    title = _("Points of judges beside those of people, on the same footing")
    return footing.table(results, rows, recipe, "points", "penalties-beside-people", title)


def by_rater(results: Results) -> Table:
    return Table(
        id="penalties-by-rater",
        headline=NO_HEADLINE,
        title=_("Raters against the others"),
        summary=_("Each rater against the mean of the people who marked the same response; above 0 is lenient."),
        dimensions=(_("rater"),),
        measures=(_("mean penalty"), _("mean absolute deviation"), _("signed error"), _("root mean square error")),
        rows=tuple(results.rater_rows(results.total()["raters"])),
        recipe=results.recipe(
            "leave_one_out_deviation",
            drawn=True,
            penalty=SUM,
            source_errors=results.context.source_errors,
            score="minus the penalty",
            reference="mean of the other people on the response; of all people for a judge",
            answers=f"{FIRST_ANSWERS}; the means, and what judges are held against, of those that stand",
        ),
        unit="points",
        chart="none",
    )
