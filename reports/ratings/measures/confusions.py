"""What models of raters say of each person: what it takes for what (Dawid-Skene), and how often it looks (MACE)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from agreement.rater_confusions import GRADES_AT_MOST, says_right_lower_higher
from agreement.weighed_gold import DAWID_SKENE, MACE, ROUNDS, fitted, unfit
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.findings import lowest
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.parts import split
from reports.dashboard.tables import HEADING, Table
from reports.dashboard.wording import count_text, figure_text, no_figure_yet
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "confusions"

#: Rows on the page; the files hold all.
SHOWN = 100
WITHOUT_ORDER = "grades without an order"


@dataclass(frozen=True, eq=False)
class GradesOfPeople:
    """People's grades in one variety: item, rater, prompt and question by id, grade, and the question's scale; (G,)."""

    item: Integers
    rater: Integers
    prompt: Integers
    question: Integers
    grade: Floats
    lowest: Integers
    highest: Integers
    nominal: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, GradesOfPeople]:
    """Per variety."""
    grades, items, questions = loaded.grades, loaded.items, loaded.questions
    people = np.flatnonzero(grades.by_human)
    item = grades.item[people]
    question = items.question[item]
    return split(
        GradesOfPeople,
        loaded.varieties,
        items.variety[item],
        item=item,
        rater=grades.rater[people],
        prompt=items.prompt[item],
        question=questions.id[question],
        grade=grades.grade[people],
        lowest=questions.lowest[question],
        highest=questions.highest[question],
        nominal=questions.nominal[question],
    )


def figures(parts: Sequence[GradesOfPeople], is_total: bool) -> dict[tuple[int, int], tuple[Figure, ...]]:
    """Of one variety, by question and rater: grades, right, lower, higher, looks. Raters of several varieties have
    models of their own in each, so of all together there is nothing."""
    if is_total:
        return {}
    [part] = parts
    made: dict[tuple[int, int], tuple[Figure, ...]] = {}
    for question in np.unique(part.question).tolist():
        here = part.question == question
        of_question = GradesOfPeople(**{field.name: getattr(part, field.name)[here] for field in fields(part)})
        made |= {(question, rater): row for rater, row in _of_question(of_question).items()}
    return made


def _of_question(part: GradesOfPeople) -> dict[int, tuple[Figure, ...]]:
    raters, times = np.unique(part.rater, return_counts=True)
    counted = {one: Figure(float(n), n) for one, n in zip(raters.tolist(), times.tolist(), strict=True)}
    ratings = (part.item, part.rater, part.grade)
    if reason := unfit(*ratings):
        return {one: (n, *[Figure.without_value(reason, n.n)] * 4) for one, n in counted.items()}
    scale = int(part.lowest[0]), int(part.highest[0])
    model, looking = fitted(DAWID_SKENE, *ratings, scale), fitted(MACE, *ratings, scale)
    codes = part.grade.astype(np.int64) - scale[0]
    shares = says_right_lower_higher(model, part.item, part.rater, codes, part.prompt)
    no_order = Figure.without_value(WITHOUT_ORDER)
    found = {}
    for place, one in enumerate(model.raters.tolist()):
        right, *apart = shares[one]
        if right.value is not None and len(model.prior) <= GRADES_AT_MOST:
            right = right.with_detail(confusion=model.confusion[place].round(4).tolist(), lowest=scale[0])
        if part.nominal[0]:
            apart = [no_order, no_order]
        found[one] = (counted[one], right, *apart, looking.competence[place])
    return found


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    rows = []
    for variety in results.names.varieties:
        made: dict[tuple[int, int], tuple[Figure, ...]] = results.figures[GROUP][variety.id]
        for (question, rater), found in made.items():
            _dimension, label, drill = results.question(question)
            drill = {**drill, "variety": variety.tag, "rater": results.names.raters[rater].pseudonym}
            rows.append(results.people_row((results.rater(rater), variety.label, label), found, drill))
    rows.sort(key=lambda row: (row.figures[1].value is None, row.figures[1].value or 0.0, row.labels))
    return [
        Table(
            id="rater-confusions",
            headline=lowest(rows, 1),
            title=_("What each person takes for what"),
            summary=_in_words(rows),
            dimensions=(_("rater"), _("variety"), _("question type")),
            measures=(
                _("grades"),
                _("says the true grade"),
                _("says a lower one"),
                _("says a higher one"),
                _("looks (MACE)"),
            ),
            units={_("grades"): "count"},
            rows=tuple(rows),
            recipe=results.recipe(
                "rater_confusions_and_competence",
                gold=False,
                drawn=False,
                truth="chances of each grade by Dawid-Skene; of each question type in each variety",
                fit=f"from the votes, at most {ROUNDS} rounds, nothing random",
                smoothing="0.1 ratings to each cell of a person's confusion, 0.4 more on the diagonal",
                shares="of the true grade by how common it is",
                competence="MACE: share of grades at which the person looked; what is right by guessing is not in it",
                interval=f"{INTERVAL}; truths as they were fitted; of MACE none",
            ),
            chart="none",
            marked=HEADING,
            shown=SHOWN,
            note=_(
                "The true grade is what the model makes of everybody's answers: what all people get wrong it gets "
                "wrong as well. The whole table of a person's confusions stands in the file (JSON). Fewer grades, "
                "less to learn from: of a person with a handful the figures lean on what is supposed of everybody."
            ),
        )
    ]


def _in_words(rows: list[Any]) -> str:
    if not rows:
        return _("Nobody has graded a response yet.")
    least = rows[0]
    if least.figures[1].value is None:
        return no_figure_yet()
    people = len({row.labels[0] for row in rows})
    counted = ngettext("%(n)s person graded.", "%(n)s people graded.", people) % {"n": count_text(people)}
    return f"{counted} " + _("%(rater)s says the true grade least often: %(share)s of the time (%(question)s).") % {
        "rater": least.labels[0],
        "share": figure_text(least.figures[1]),
        "question": least.labels[2],
    }
