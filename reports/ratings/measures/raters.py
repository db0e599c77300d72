"""Each person beside the others of a variety: agreement, leniency, and severity of the many-facet Rasch model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement import facets, scales
from agreement.figures import NO_ITEMS, Figure, Recipe
from agreement.raters import against_others, against_some
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.findings import lowest
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.parts import split
from reports.dashboard.severities import FIT, fit_in_words, fit_note, fit_of, parts_of, separation_table, separations
from reports.dashboard.tables import HEADING, Row, Table
from reports.dashboard.wording import count_text, figure_text
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "raters"

#: In this order in every row of figures.
MEASURES = ("grades", "within", "signed_error", "with_experts", "severity", "infit", "outfit")


@dataclass(frozen=True, eq=False)
class GradesByRater:
    """People's grades in one variety: item, prompt, rater, grade, whether an expert's, and the scale: its lowest and
    highest grade, and whether grades are names without an order; shape (G,)."""

    item: Integers
    prompt: Integers
    rater: Integers
    grade: Floats
    by_expert: Flags
    lowest: Integers
    highest: Integers
    nominal: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, GradesByRater]:
    """Per variety, of first answers."""
    loaded = loaded.at_first or loaded
    grades = loaded.grades
    by_people = np.flatnonzero(grades.by_human)
    item = grades.item[by_people]
    columns = {
        "item": item,
        "prompt": loaded.items.prompt[item],
        "rater": grades.rater[by_people],
        "grade": grades.grade[by_people],
    }
    variety, question = loaded.items.variety[item], loaded.items.question[item]
    columns |= {name: getattr(loaded.questions, name)[question] for name in ("lowest", "highest", "nominal")}
    return split(GradesByRater, loaded.varieties, variety, **columns, by_expert=grades.by_expert[by_people])


def figures(parts: Sequence[GradesByRater], is_total: bool) -> dict[str, Any]:
    """Of one variety: "raters" by id, the number of the linked group and figures in the order of MEASURES; "linked"
    how many groups there are; "separation" by the number of the group. Of all together no more than "size": items and
    people, whom no response links."""
    rated = [part for part in parts if len(part.item)]
    if is_total:
        people = {one for part in rated for one in part.rater.tolist()}
        return {"size": (sum(len(np.unique(part.item)) for part in rated), len(people))}
    if not rated:
        return {"raters": {}, "linked": 0, "separation": {}}
    [part] = rated
    apart = scales.is_one_measure(part.lowest, part.highest, part.nominal)
    if apart:
        return {"raters": _counted(part, apart), "linked": 1, "separation": {}}
    others = against_others(part.item, part.rater, part.grade)
    experts = against_some(part.item, part.rater, part.grade, part.by_expert)
    _, category = np.unique(part.grade, return_inverse=True)
    fit = facets.severities(part.item, part.rater, category)
    mean_squares = fit_of(fit, part.item, part.rater, category, part.prompt)
    rows = zip(
        others.raters.tolist(), others.n.tolist(), others.within, others.signed_error, experts.within, strict=True
    )
    group, severity = dict(zip(fit.raters.tolist(), fit.group.tolist(), strict=True)), fit.by_rater()
    known = bool(part.by_expert.any())
    return {
        "raters": {
            one: (
                group[one],
                (
                    Figure(float(n), n),
                    near,
                    error,
                    expert if known else no_expert(),
                    severity[one],
                    *mean_squares[one],
                ),
            )
            for one, n, near, error, expert in rows
        },
        "separation": separations(fit),
        "linked": int(fit.group.max(initial=-1)) + 1,
    }


def _counted(part: GradesByRater, apart: str) -> dict[int, tuple[int, tuple[Figure, ...]]]:
    """How many grades each gave; how far people are apart is asked on one ordered scale alone."""
    nothing = Figure.without_value(apart)
    return {
        one: (0, (Figure(float(n), n), *[nothing] * (len(MEASURES) - 1)))
        for one, n in zip(*(column.tolist() for column in np.unique(part.rater, return_counts=True)), strict=True)
    }


#: As a recipe names it.
MODEL = {
    "model": "logit P(grade >= k) = ability - severity(rater) - threshold(k)",
    "fit": "penalised marginal maximum likelihood, variety by variety",
    "zero": "mean of the raters of a linked group",
}


def no_expert() -> Figure:
    return Figure.without_value(NO_ITEMS)


# --- Tables ----------------------------------------------------------------------------------------


#: Rows on the page; the files hold all.
SHOWN = 100


def tables(results: Results) -> list[Table]:
    rows, unlinked, groups = [], 0, 0
    for variety in results.names.varieties:
        of_variety = results.figures[GROUP][variety.id]
        groups += max(0, of_variety["linked"] - 1)
        for rater, (group, figures) in of_variety["raters"].items():
            unlinked += figures[MEASURES.index("severity")].undefined == "not linked"
            drill = {"variety": variety.tag, "rater": results.names.raters[rater].pseudonym}
            rows.append(results.people_row((results.rater(rater), variety.label, str(group + 1)), figures, drill))
    near = MEASURES.index("within")
    rows.sort(key=lambda row: (row.figures[near].value is None, row.figures[near].value or 0.0, row.labels))
    return [
        Table(
            id="raters",
            headline=lowest(rows, 1),
            title=_("People beside the others"),
            summary=in_words(rows, unlinked, groups),
            dimensions=(_("rater"), _("variety"), _("linked group")),
            measures=(
                _("grades"),
                _("within 1 of the others"),
                _("signed error"),
                _("within 1 of experts"),
                _("severity"),
                _("infit"),
                _("outfit"),
            ),
            units={
                _("grades"): "count",
                _("signed error"): "grade",
                _("severity"): "logits",
                _("infit"): "score",
                _("outfit"): "score",
            },
            rows=tuple(rows),
            recipe=results.recipe(
                "rater_agreement_and_severity",
                gold=False,
                drawn=False,
                within=1,
                others="all other people of the item; signed error against their mean",
                interval="t over the grades of a rater; of severity a normal approximation",
                **MODEL,
                **FIT,
                answers=FIRST_ANSWERS,
            ),
            chart="none",
            marked=HEADING,
            shown=SHOWN,
            note=_(
                "Those who agree least with the others stand first. A signed error above 0 is lenient. Severity is in "
                "logits: above 0 stricter than the others of the linked group on the same responses. Raters of "
                "different varieties or linked groups cannot be compared by it."
            )
            + " "
            + fit_note(),
        ),
        told_apart(results),
    ]


def told_apart(results: Results) -> Table:
    """Of each variety and linked group of two people or more."""
    rows = [
        results.people_row((variety.label, str(group + 1)), parts_of(separation), {"variety": variety.tag})
        for variety in results.names.varieties
        for group, separation in results.figures[GROUP][variety.id]["separation"].items()
    ]

    def recipe(metric: str, **more: Any) -> Recipe:
        return results.recipe(metric, gold=False, drawn=False, **MODEL, answers=FIRST_ANSWERS, **more)

    return separation_table(results, (_("variety"), _("linked group")), rows, recipe)


def in_words(rows: list[Row], unlinked: int, groups: int) -> str:
    if not rows:
        return _("Nobody has graded a response yet.")
    sentences = [ngettext("%(n)s person graded.", "%(n)s people graded.", len(rows)) % {"n": count_text(len(rows))}]
    least = rows[0]
    if least.figures[1].value is not None:
        sentences.append(
            _("%(rater)s agrees least with the others: within one grade of them in %(near)s.")
            % {"rater": least.labels[0], "near": figure_text(least.figures[1])}
        )
    if unlinked:
        sentences.append(
            ngettext(
                "%(n)s shares no response with anybody, so how severe that person is cannot be told.",
                "%(n)s share no response with anybody, so how severe they are cannot be told.",
                unlinked,
            )
            % {"n": count_text(unlinked)}
        )
    elif groups:
        sentences.append(
            _(
                "Within a variety some people share no response, and no chain of shared ones joins them: where linked "
                "groups differ, a gap between their people may be severity or may be their responses."
            )
        )
    sentences.append(fit_in_words([row.figures[MEASURES.index("infit")] for row in rows]))
    return " ".join(filter(None, sentences))
