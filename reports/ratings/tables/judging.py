"""Tables of judges against gold."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import TOO_FEW, Figure
from reports.dashboard.findings import highest, lowest
from reports.ratings.groups import PEOPLE
from reports.ratings.judging import MEASURES
from reports.ratings.results import Results
from reports.ratings.tables.habits import habits, judges_calibrated
from reports.tables import HEADING, Headline, Row, Table
from reports.wording import said

GROUP = "judges"
#: Measures of the heat map: those that the choice above the chart is for.
MAPPED = ("preference", "macro_f1", "signed_error")
#: Where people stand beside judges, as a line. Scored and both orders are asked of judges alone.
WITH_CEILING = ("macro_f1", "accuracy", "preference", "alpha", "quadratic_kappa", "spearman", "mad", "signed_error")


def tables(results: Results) -> list[Table]:
    return [
        judges(results),
        habits(results),
        judges_calibrated(results),
        setups(results),
        compared(results),
        order(results),
        by_variety(results),
    ]


def titles() -> dict[str, str]:
    return {
        "macro_f1": _("macro-F1"),
        "accuracy": _("accuracy"),
        "preference": _("preference accuracy"),
        "alpha": _("alpha"),
        "quadratic_kappa": _("quadratic kappa"),
        "spearman": _("Spearman"),
        "mad": _("MAD"),
        "signed_error": _("signed error"),
        "positional": _("positional agreement"),
        "first_position": _("first-position rate"),
        "scored": _("scored"),
    }


def measures(names: tuple[str, ...]) -> dict[str, Any]:
    found = titles()
    of_grades = {found[name]: "grade" for name in ("mad", "signed_error") if name in names}
    return {"measures": tuple(found[name] for name in names), "units": of_grades}


def recipe(results: Results, metric: str, **more: Any) -> Any:
    return results.recipe(
        GROUP,
        metric,
        prediction="one per answer: a judge asked in both orders gives two",
        unparseable=results.context.unparseable,
        classes="nearest grade of the scale; macro-F1 over the grades of the longest scale of the figure's questions",
        preference="inferred from the two grades; stated where there is no scale; a tie is a class",
        **more,
    )


def ceilings(results: Results, names: tuple[str, ...]) -> dict[str, Figure]:
    people = results.total(GROUP)["judges"].get(PEOPLE)
    if people is None:
        return {}
    found = titles()
    return {found[name]: people[name] for name in names if name in WITH_CEILING and people[name].value is not None}


def ceiling_note(results: Results) -> str:
    people = results.total(GROUP)["judges"].get(PEOPLE)
    if people is None or (people["accuracy"].value is None and people["preference"].value is None):
        return _("There is no human ceiling: nothing that a judge was asked about has answers of two people.")
    return _(
        "The line is the human ceiling: each person against the gold of all others, on what judges were asked about."
    )


def nobody() -> str:
    return _("No judge has answered yet.")


def judged(results: Results) -> dict[int, dict[str, Figure]]:
    """By judge, the best by preference accuracy first."""
    found = {one: figures for one, figures in results.total(GROUP)["judges"].items() if one != PEOPLE}
    return dict(sorted(found.items(), key=lambda one: best_first(one[1]["preference"])))


def best_first(figure: Figure) -> tuple[bool, float]:
    return (figure.value is None, -(figure.value or 0.0))


def judges(results: Results) -> Table:
    names = tuple(name for name in MEASURES if name not in ("positional", "first_position"))
    found = judged(results)
    rows = [
        Row((results.rater(one),), tuple(figures[name] for name in names), results.by_judge(one), results.marks(one))
        for one, figures in found.items()
    ]
    best = rows[0].labels[0] if rows else ""
    return Table(
        id="judges-against-gold",
        headline=highest(rows, names.index("preference")),
        title=_("Judges against gold"),
        summary=_("%(judge)s prefers as people do most often: preference accuracy %(right)s. Its macro-F1 is %(f1)s.")
        % {
            "judge": best,
            "right": said(rows[0].figures[names.index("preference")]),
            "f1": said(rows[0].figures[names.index("macro_f1")]),
        }
        if rows
        else nobody(),
        dimensions=(_("judge"),),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold"),
        x=_("judge"),
        ceilings=ceilings(results, names) if rows else {},
        note=_("A signed error above 0 is lenient, below 0 conservative.") + " " + ceiling_note(results),
        **measures(names),
    )


def setups(results: Results) -> Table:
    """Every way of asking one model beside the others."""
    names = ("alpha", "mad", "accuracy", "macro_f1", "preference", "positional", "scored")
    found = results.total(GROUP)["judges"]
    rows = [
        Row(
            (way.model, way.kind, way.examples, way.rubric),
            tuple(found[one][name] for name in names),
            results.by_judge(one),
            results.marks(one),
        )
        for one, way in sorted(results.names.setups.items(), key=lambda pair: (pair[1].model, pair[1].place))
        if one in found
    ]
    right = names.index("preference")
    best = min(rows, key=lambda row: best_first(row.figures[right]), default=None)
    return Table(
        id="judge-setups",
        headline=highest(rows, right),
        title=_("Ways of asking a judge"),
        summary=_("%(setup)s prefers as people do most often: %(right)s.")
        % {"setup": ", ".join(best.labels), "right": said(best.figures[right])}
        if best
        else _("No judge was run here; of judges whose answers were imported it is not known how they were asked."),
        dimensions=(_("model"), _("asked"), _("examples"), _("rubric")),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold", split="model and setup"),
        x=_("asked"),
        series=_("model"),
        marked=_("model"),
        ceilings=ceilings(results, names) if rows else {},
        note=ceiling_note(results) if rows else "",
        **measures(names),
    )


def compared(results: Results) -> Table:
    """Two judges on the same items."""
    found = results.total(GROUP).get("compared")
    rows, words = [], _("There are not two judges to compare yet.")
    if found:
        pair, figures = found
        first, second = (results.rater(one) for one in pair)
        words = _("%(first)s, the first, beside %(second)s, the second.") % {"first": first, "second": second}
        words += " " + compared_in_words(figures["preference"][2], figures["macro_f1"][2])
        rows = [
            Row(
                (titles()[name],),
                (*of_measure, p_value(of_measure[-1])),
                results.by_judge(pair[0]),
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
            first=first if found else None,
            second=second if found else None,
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
        return _("The first judge is clearly better: %(difference)s.") % {"difference": said(difference)}
    if difference.high < 0:
        return _("The second judge is clearly better: %(difference)s.") % {"difference": said(difference)}
    return _("The two do not clearly differ: %(difference)s.") % {"difference": said(difference)}


def order(results: Results) -> Table:
    names = ("positional", "first_position")
    rows = [
        Row((results.rater(one),), tuple(figures[name] for name in names), results.by_judge(one), results.marks(one))
        for one, figures in judged(results).items()
        if figures["positional"].value is not None or figures["first_position"].value is not None
    ]
    swayed = min(
        (row for row in rows if row.figures[0].value is not None), key=lambda row: row.figures[0].number, default=None
    )
    return Table(
        id="judge-order",
        headline=lowest(rows),
        title=_("Does the order of the responses matter"),
        summary=_("%(judge)s changes its verdict most often when the responses change places: the same in %(same)s.")
        % {"judge": swayed.labels[0], "same": said(swayed.figures[0])}
        if swayed
        else _("No judge was asked in both orders."),
        dimensions=(_("judge"),),
        rows=tuple(rows),
        recipe=recipe(results, "positional_agreement_and_first_position_rate"),
        x=_("judge"),
        note=_(
            "The first-position rate is the share of decided verdicts for the response shown first: 0.5 where order "
            "does nothing."
        ),
        **measures(names),
    )


def by_variety(results: Results) -> Table:
    rows = []
    for setting, where, pool in results.pools(GROUP):
        for one, figures in pool["judges"].items():
            if one == PEOPLE:
                continue
            shown = tuple(figures[name] for name in MAPPED)
            rows.append(
                Row((results.rater(one), setting), shown, {**where, **results.by_judge(one)}, results.marks(one))
            )
    return Table(
        id="judges-by-variety",
        headline=highest(rows),
        title=_("Judges by variety"),
        summary=_(
            "Preference accuracy, macro-F1 or signed error of every judge in every variety, as chosen above the map."
        )
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
