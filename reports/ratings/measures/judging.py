"""Judges against gold: how near their predictions come to it, and to people's, and two judges compared."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure
from projects.enumeration import enumerated
from reports.dashboard.calibration import Calibrated
from reports.dashboard.findings import highest, lowest
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.results import least
from reports.dashboard.setups import Change, setup_labels
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text
from reports.ratings.measures.biases import biases, calibrated_grades, judges_calibrated, of_predictions
from reports.ratings.measures.by_dimension import by_dimension, on_each_dimension
from reports.ratings.measures.judged import MEASURES, Judged, measures, recipe, titles
from reports.ratings.measures.predictions import PredictionsByRater, statistics
from reports.ratings.measures.setup_gains import gains_of_setups
from reports.ratings.measures.two_judges import compare, two_judges
from reports.ratings.results import RatingResults as Results

GROUP = "judges"

__all__ = ["GROUP", "figures", "statistics", "tables"]


def figures(
    parts: Sequence[PredictionsByRater],
    is_total: bool,
    setups: tuple[int, int] | None = None,
    changes: Sequence[Change] = (),
) -> dict[str, Any]:
    """Of one variety, or of several put together, with intervals in total.

    "judges": by judge or PEOPLE, by name of MEASURES. In total "compared": the two judges, and by name of COMPARED the
    figure of the first, of the second, and their difference; "calibrated" as `Calibrated.rows` by judge; and "evidence"
    of biases; "by_dimension" as of `on_each_dimension`; "gains" as "compared", of each change of a setup.

    setups  rater ids of the two; without them the two with the highest preference accuracy. changes  of which the gains
    are asked for.
    """
    known = sorted({one for part in parts for one in part.predictions})
    by_rater = {one: [part.predictions[one] for part in parts if one in part.predictions] for one in known}
    made = Judged.of_each(by_rater, parts[0]) if by_rater else {}
    mapped: dict[int, Calibrated] = {}
    rows: dict[int, dict[str, tuple[Figure, ...]]] = {}
    if is_total:
        mapped = {one: calibrated_grades(judged.pool) for one, judged in made.items() if one != PEOPLE}
        blocks = {judge: one.blocks() for judge, one in made.items()}
        of_maps = [
            Block(one.figures, one.columns, one.statistics, made[judge].pool["prompt"]) for judge, one in mapped.items()
        ]
        drawn = iter(with_intervals([*(block for of_judge in blocks.values() for block in of_judge), *of_maps]))
        for judge, one in made.items():
            one.take([next(drawn) for _ in blocks[judge]])
        rows = {judge: one.rows(next(drawn)) for judge, one in mapped.items()}
    results: dict[str, Any] = {"judges": {one: judged.by_name() for one, judged in made.items()}}
    if is_total:
        results["calibrated"] = rows
        results["evidence"] = {
            key: figure for one in mapped for key, figure in of_predictions(one, made[one].pool).items()
        }
        results["by_dimension"] = on_each_dimension(parts, [one for one in known if one != PEOPLE])
        results["gains"] = {
            change: compare(made[change.after], made[change.before])
            for change in changes
            if change.before in made and change.after in made
        }
        pair = setups or best_two(results["judges"])
        results["compared"] = (pair, compare(*(made[one] for one in pair))) if pair and set(pair) <= set(made) else None
    return results


def best_two(judged: dict[int, dict[str, Figure]]) -> tuple[int, ...]:
    """The judges with the highest preference accuracy, or accuracy where no preference is known; () for fewer."""
    worth = {
        one: next(
            (figures[name].number for name in ("preference", "accuracy") if figures[name].value is not None), -1.0
        )
        for one, figures in judged.items()
        if one != PEOPLE
    }
    ranked = sorted(worth, key=lambda one: (-worth[one], one))
    return tuple(ranked[:2]) if len(ranked) > 1 else ()


# --- Tables ----------------------------------------------------------------------------------------


#: Measures of the heat map: those that the choice above the chart is for.
MAPPED = ("preference", "macro_f1", "signed_error")
#: Where people stand beside judges, as a line. Scored and both orders are asked of judges alone.
WITH_CEILING = ("macro_f1", "accuracy", "preference", "alpha", "quadratic_kappa", "spearman", "mad", "signed_error")


def tables(results: Results) -> list[Table]:
    return [
        judges(results),
        biases(results),
        judges_calibrated(results),
        setups(results),
        gains_of_setups(results),
        two_judges(results),
        order(results),
        by_variety(results),
        by_dimension(results),
    ]


def ceilings(results: Results, names: tuple[str, ...]) -> dict[str, Figure]:
    people = results.total()["judges"].get(PEOPLE)
    if people is None:
        return {}
    names_of = titles()
    return {names_of[name]: people[name] for name in names if name in WITH_CEILING and people[name].value is not None}


def ceiling_note(results: Results) -> str:
    people = results.total()["judges"].get(PEOPLE)
    if people is None or (people["accuracy"].value is None and people["preference"].value is None):
        return _("There is no human ceiling: nothing that a judge was asked about has answers of two people.")
    return _(
        "The line is the human ceiling: each person against the gold of all others, on what judges were asked about."
    )


def nobody() -> str:
    return _("No judge has answered yet.")


def judged(results: Results) -> dict[int, dict[str, Figure]]:
    """By judge, the best by preference accuracy first."""
    figures_by_judge = {one: figures for one, figures in results.total()["judges"].items() if one != PEOPLE}
    return dict(sorted(figures_by_judge.items(), key=lambda one: best_first(one[1]["preference"])))


def has_value(figure: Figure) -> bool:
    return figure.value is not None


def best_first(figure: Figure) -> tuple[bool, float]:
    return (figure.value is None, -(figure.value or 0.0))


def judges(results: Results) -> Table:
    names = tuple(name for name in MEASURES if name not in ("positional", "first_position"))
    figures_by_judge = judged(results)
    rows = results.rater_rows({one: [figures[name] for name in names] for one, figures in figures_by_judge.items()})
    return Table(
        id="judges-against-gold",
        headline=highest(rows, names.index("preference")) or highest(rows, names.index("macro_f1")),
        title=_("Judges against gold"),
        summary=best_in_words(rows, names) if rows else nobody(),
        dimensions=(_("judge"),),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold"),
        ceilings=ceilings(results, names) if rows else {},
        note=_("A signed error above 0 is lenient, below 0 conservative.") + " " + ceiling_note(results),
        **measures(names),
    )


def best_in_words(rows: Sequence[Row], names: tuple[str, ...]) -> str:
    """The judge that is best by preference, else by macro-F1; or that nothing can be compared yet."""
    preference, f1 = names.index("preference"), names.index("macro_f1")
    preferring, known = ([row for row in rows if row.figures[at].value is not None] for at in (preference, f1))
    sentences = []
    if preferring:
        best = min(preferring, key=lambda row: best_first(row.figures[preference]))
        words = _("%(judge)s prefers as people do most often: preference accuracy %(right)s.")
        sentences.append(words % {"judge": best.labels[0], "right": figure_text(best.figures[preference])})
        if best in known:
            sentences.append(_("Its macro-F1 is %(f1)s.") % {"f1": figure_text(best.figures[f1])})
    elif known:
        best = min(known, key=lambda row: best_first(row.figures[f1]))
        words = _("%(judge)s grades as people do most often: macro-F1 %(f1)s.")
        sentences.append(words % {"judge": best.labels[0], "f1": figure_text(best.figures[f1])})
    else:
        sentences.append(_("Nothing that a judge answered has gold of people yet."))
    return " ".join(sentences)


def setups(results: Results) -> Table:
    """Every way of asking one model beside the others."""
    names = ("alpha", "mad", "accuracy", "macro_f1", "preference", "positional", "scored")
    figures_by_judge = results.total()["judges"]
    rows = [
        results.row(one, setup_labels(way), [figures_by_judge[one][name] for name in names])
        for one, way in sorted(results.names.own.setups.items(), key=lambda pair: (pair[1].model, pair[1].place))
        if one in figures_by_judge
    ]
    right = names.index("preference")
    known = [row for row in rows if has_value(row.figures[right])]
    best = min(known, key=lambda row: best_first(row.figures[right]), default=None)
    return Table(
        id="judge-setups",
        headline=highest(rows, right),
        title=_("Ways of asking a judge"),
        summary=_("%(setup)s prefers as people do most often: %(right)s.")
        % {"setup": enumerated(best.labels), "right": figure_text(best.figures[right])}
        if best
        else _("No judge has said what people said too, of two responses.")
        if rows
        else _("No judge was run here, and no imported answer says in its metadata how its judge was asked."),
        dimensions=(_("model"), _("asked"), _("examples"), _("rubric")),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold", split="model and setup"),
        marked=_("model"),
        ceilings=ceilings(results, names) if rows else {},
        note=ceiling_note(results) if rows else "",
        **measures(names),
    )


def order(results: Results) -> Table:
    names = ("positional", "first_position")
    figures_by_judge = {one: [figures[name] for name in names] for one, figures in judged(results).items()}
    rows = results.rater_rows({one: of_one for one, of_one in figures_by_judge.items() if any(map(has_value, of_one))})
    swayed = least(rows)
    return Table(
        id="judge-order",
        headline=lowest(rows),
        title=_("Does the order of the responses matter"),
        summary=_("%(judge)s changes its verdict most often when the responses change places: the same in %(same)s.")
        % {"judge": swayed.labels[0], "same": figure_text(swayed.figures[0])}
        if swayed
        else _("No judge was asked in both orders."),
        dimensions=(_("judge"),),
        rows=tuple(rows),
        recipe=recipe(results, "positional_agreement_and_first_position_rate"),
        note=_(
            "The first-position rate is the share of decided verdicts for the response shown first: 0.5 where order "
            "does nothing."
        ),
        **measures(names),
    )


def by_variety(results: Results) -> Table:
    rows = [
        results.row(one, (results.rater(one), variety), [figures[name] for name in MAPPED], **where)
        for variety, where, pool in results.pools()
        for one, figures in pool["judges"].items()
        if one != PEOPLE
    ]
    return Table(
        id="judges-by-variety",
        headline=highest(rows),
        title=_("Judges by variety"),
        summary=_("Preference accuracy, macro-F1 and signed error of every judge in every variety.")
        if rows
        else nobody(),
        dimensions=(_("judge"), _("variety")),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold", split="variety"),
        chart="heat",
        x=_("judge"),
        series=_("variety"),
        marked=_("judge"),
        note=_("Intervals stand in the table of judges, for one variety when it is chosen above."),
        **measures(MAPPED),
    )
