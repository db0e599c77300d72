"""What people say: the score of every target, and how far people are from each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.deviation import deviation, mean_of_others
from agreement.figures import Figure
from agreement.judges import error_columns, mad, signed_error
from reports.dashboard.draws import Block, with_intervals
from reports.rubrics.groups import ALL, Context, Floats, Integers, cells, joined, mean_block, of_setting
from reports.rubrics.loading import Loaded


@dataclass(frozen=True, eq=False)
class Statistics:
    """Of one setting. Responses with a human score: prompt, target, domain, P; shape (R,). People's grades of
    responses that two or more graded: rater, prompt, error against the mean of the others; shape (G,)."""

    prompt: Integers
    model: Integers
    domain: Integers
    percent: Floats
    rater: Integers
    rater_prompt: Integers
    rater_error: Floats
    responses: int
    outdated: int
    people: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety."""
    responses, grades, human = loaded.responses, loaded.grades, loaded.human
    people = np.flatnonzero(grades.by_human & grades.is_latest)
    of_grade = grades.response[people]
    error = grades.percent[people] - mean_of_others(of_grade, grades.percent[people])
    shared = ~np.isnan(error)
    found = {}
    for variety, here in of_setting(loaded):
        graded, mine = here & ~np.isnan(human), here[of_grade]
        found[variety] = Statistics(
            responses.prompt[graded],
            responses.model[graded],
            responses.domain[graded],
            human[graded],
            grades.rater[people][mine & shared],
            responses.prompt[of_grade][mine & shared],
            error[mine & shared],
            int(here.sum()),
            int(loaded.outdated[here].sum()),
            frozenset(grades.rater[people][mine].tolist()),
        )
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of one setting, or of several put together.

    "scores": mean P by (target, domain); "ceiling": MAD of people against each other; "people": MAD and signed
    error of each against the rest. All with intervals over prompts.
    """
    model, domain, percent = (joined(parts, name) for name in ("model", "domain", "percent"))
    blocks = {cell: mean_block(percent, chosen) for cell, chosen in cells(model, domain)}
    drawn = with_intervals(list(blocks.values()), joined(parts, "prompt")) if blocks else []
    rater, error = joined(parts, "rater"), joined(parts, "rater_error")
    columns = error_columns(error)
    people = {int(one): np.where((rater == one)[:, None], columns, 0) for one in np.unique(rater)}
    by_person = [_deviation_block(columns), *(_deviation_block(of_one) for of_one in people.values())]
    ceiling, *each = with_intervals(by_person, joined(parts, "rater_prompt"))
    return {
        "scores": {cell: figures[0] for cell, figures in zip(blocks, drawn, strict=True)},
        "ceiling": ceiling[0],
        "people": {one: tuple(figures) for one, figures in zip(people, each, strict=True)} if is_total else {},
        "responses": sum(part.responses for part in parts),
        "graded": len(percent),
        "outdated": sum(part.outdated for part in parts),
        "raters": len(frozenset().union(*(part.people for part in parts))),
        "mean": blocks[ALL, ALL].figures[0].value if blocks else None,
    }


def _deviation_block(columns: Floats) -> Block:
    """MAD and signed error of the rows that are not empty."""
    rows = columns[columns[:, 2] > 0]
    found = deviation(rows[:, 1], np.zeros(len(rows)))
    return Block([found.mad, found.signed_error], columns, [mad, signed_error])


def mean_score(found: dict[str, Any]) -> Figure | None:
    """Mean P of all responses with a human score."""
    return found["scores"].get((ALL, ALL))
