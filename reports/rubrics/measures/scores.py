"""What people say: the score of every target, and how far people are from each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.deviation import deviation, mean_of_others
from agreement.figures import Figure
from agreement.judges import error_columns, mad, signed_error
from reports.dashboard.columns import Floats, Integers, each_variety, joined
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.intervals import Block, mean_block, with_intervals
from reports.dashboard.results import ascending
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text, figure_text, known_figures, no_figure_yet
from reports.rubrics.context import ALL, cells
from reports.rubrics.measures.lengths import length_figures, score_against_length
from reports.rubrics.measures.tasks import SecondScores, ceilings_by_task, figures_by_task, people_again
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "scores"


@dataclass(frozen=True, eq=False)
class ScoresOfPeople:
    """Of one variety. Responses with a human score: prompt, target, domain, length in characters, P; shape (R,).
    People's grades of responses that two or more graded: rater, prompt, error against the mean of the others, of first
    answers; shape (G,)."""

    prompt: Integers
    model: Integers
    domain: Integers
    length: Integers
    percent: Floats
    rater: Integers
    rater_prompt: Integers
    rater_error: Floats
    again: SecondScores
    responses: int
    outdated: int
    people: frozenset[int]


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, ScoresOfPeople]:
    """Per variety. Scores are those that stand, errors against others of first answers."""
    agreed = loaded.at_first or loaded
    responses, grades, human = loaded.responses, agreed.grades, loaded.human
    people = np.flatnonzero(grades.by_human & grades.is_latest)
    of_grade = grades.response[people]
    error = grades.percent[people] - mean_of_others(of_grade, grades.percent[people])
    shared = ~np.isnan(error)
    again = people_again(agreed)
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, loaded.responses.variety):
        graded, grade_in_variety = in_variety & ~np.isnan(human), in_variety[of_grade]
        parts[variety] = ScoresOfPeople(
            responses.prompt[graded],
            responses.model[graded],
            responses.domain[graded],
            responses.length[graded],
            human[graded],
            grades.rater[people][grade_in_variety & shared],
            responses.prompt[of_grade][grade_in_variety & shared],
            error[grade_in_variety & shared],
            again.of(loaded, in_variety),
            int(in_variety.sum()),
            int(loaded.outdated[in_variety].sum()),
            frozenset(grades.rater[people][grade_in_variety].tolist()),
        )
    return parts


def figures(parts: Sequence[ScoresOfPeople], is_total: bool) -> dict[str, Any]:
    """Of one variety, or of several put together.

    "scores": mean P by (target, domain); "lengths": by target how scores go with length;
    "ceiling": MAD of people against each other; "tasks": MAD and signed error of people's second scores by task;
    "people": MAD and signed error of each against the rest. All with intervals over prompts.
    """
    model, domain, percent, prompt = (joined(parts, name) for name in ("model", "domain", "percent", "prompt"))
    blocks = {cell: mean_block(percent, chosen) for cell, chosen in cells(model, domain)}
    drawn = with_intervals(list(blocks.values()), prompt) if blocks else []
    rater, error = joined(parts, "rater"), joined(parts, "rater_error")
    columns = error_columns(error)
    people = {int(one): np.where((rater == one)[:, None], columns, 0) for one in np.unique(rater)}
    by_person = [_deviation_block(columns), *(_deviation_block(of_one) for of_one in people.values())]
    ceiling, *by_person_drawn = with_intervals(by_person, joined(parts, "rater_prompt"))
    return {
        "scores": {cell: figures[0] for cell, figures in zip(blocks, drawn, strict=True)},
        "lengths": length_figures(model, domain, joined(parts, "length"), percent, prompt),
        "ceiling": ceiling[0],
        "tasks": figures_by_task([part.again for part in parts]),
        "people": {one: tuple(figures) for one, figures in zip(people, by_person_drawn, strict=True)}
        if is_total
        else {},
        "responses": sum(part.responses for part in parts),
        "graded": len(percent),
        "outdated": sum(part.outdated for part in parts),
        "raters": len(frozenset().union(*(part.people for part in parts))),
        "mean": blocks[ALL, ALL].figures[0].value if blocks else None,
    }


def _deviation_block(columns: Floats) -> Block:
    """MAD and signed error of the rows that are not empty."""
    rows = columns[columns[:, 2] > 0]
    deviations = deviation(rows[:, 1], np.zeros(len(rows)))
    return Block([deviations.mad, deviations.signed_error], columns, [mad, signed_error])


def mean_score(figures: dict[str, Any]) -> Figure | None:
    """Mean P of all responses with a human score."""
    return figures["scores"].get((ALL, ALL))


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [human_scores(results), score_against_length(results), human_ceiling(results), ceilings_by_task(results)]


def human_scores(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools():
        for (model, domain), figure in pool["scores"].items():
            target, by_target = results.target(model)
            of_domain, by_domain = results.domain(domain)
            labels = (target, label, of_domain)
            rows.append(Row(labels, (figure,), {**drill, **by_target, **by_domain}, results.marks()))
    scores = results.total()["scores"]
    of_targets = ((results.target(model)[0], scores[model, ALL]) for model, domain in scores if domain == ALL)
    means = known_figures(of_targets, "percent")
    return Table(
        id="human-scores",
        title=_("Scores that people gave"),
        summary=_("Mean score in percent of what the rubric has to give. %(means)s.") % {"means": means}
        if means
        else no_figure_yet()
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("target model"), _("community"), _("domain")),
        measures=(_("mean score"),),
        rows=tuple(rows),
        recipe=results.recipe(
            "mean_percentage_score",
            clipped="no; HealthBench clips the mean of a model to 0 and 100",
            unit="percent of the positive weights",
        ),
        unit="percent",
        note=" ".join(filter(None, (outdated(results), no_score(results)))),
    )


def outdated(results: Results) -> str:
    grades = results.total()["outdated"]
    if not grades:
        return ""
    return ngettext(
        "%(n)s grade under an older version of its rubric is left out.",
        "%(n)s grades under an older version of their rubric are left out.",
        grades,
    ) % {"n": count_text(grades)}


def no_score(results: Results) -> str:
    total = results.total()
    waiting = total["responses"] - total["graded"]
    if not waiting:
        return ""
    return ngettext(
        "%(n)s response waits for its first grading.", "%(n)s responses wait for their first grading.", waiting
    ) % {"n": count_text(waiting)}


def human_ceiling(results: Results) -> Table:
    total = results.total()
    rows = [
        results.people_row((results.rater(one),), figures, {"rater": results.names.raters[one].pseudonym})
        for one, figures in total["people"].items()
    ]
    ceiling = results.ceiling
    return Table(
        id="human-ceiling",
        headline=NO_HEADLINE,
        title=_("People against each other"),
        summary=_("On responses that two people or more graded, a person is %(mad)s percentage points from the others.")
        % {"mad": figure_text(ceiling, "pp")}
        if ceiling and ceiling.value is not None
        else _("There is no human ceiling: no response was graded by two people."),
        dimensions=(_("rater"),),
        measures=(_("MAD"), _("signed error")),
        rows=ascending(rows),
        recipe=results.recipe(
            "leave_one_out_deviation",
            reference="mean of the other people's scores of the response",
            answers=FIRST_ANSWERS,
        ),
        unit="pp",
        ceilings={_("MAD"): ceiling} if ceiling and rows else {},
        note=_("A signed error above 0 is lenient. The line is the MAD of all these grades together.")
        + " "
        + _("Judges are compared with people on the same task alone: see “People on the task of judges”."),
    )
