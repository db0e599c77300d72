"""Do communities, or experts and others, score differently from each other than among themselves?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reports.dashboard.columns import Floats, Integers, each_variety, joined
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.rater_groups import ByGroup, by_group, disagreement_by_group
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.rubrics.measures.severity import varieties_of_raters
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "groups"


@dataclass(frozen=True, eq=False)
class ScoresOfGroups:
    """People's scores of responses of one variety: response, rater, prompt by id, percent, shape (G,); `speakers` and
    `home` as of `severity.GradesAndVerdicts`; who are experts."""

    variety: int
    response: Integers
    rater: Integers
    prompt: Integers
    percent: Floats
    speakers: dict[int, int]
    home: frozenset[int]
    experts: frozenset[int]


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, ScoresOfGroups]:
    """Per variety of the responses, of first answers."""
    loaded = loaded.at_first or loaded
    grades, responses = loaded.grades, loaded.responses
    people = np.flatnonzero(grades.by_human & grades.is_latest)
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, responses.variety):
        own = people[in_variety[grades.response[people]]]
        first = grades.is_reference & in_variety[grades.response]
        parts[variety] = ScoresOfGroups(
            variety,
            responses.id[grades.response[own]],
            grades.rater[own],
            responses.prompt[grades.response[own]],
            grades.percent[own],
            {one: loaded.variety_of_rater.get(one, 0) for one in np.unique(grades.rater[own]).tolist()},
            frozenset(grades.rater[first].tolist()),
            loaded.experts,
        )
    return parts


def figures(parts: Sequence[ScoresOfGroups], is_total: bool) -> ByGroup:
    """Of all varieties together; of one among several nothing is shown."""
    if not is_total or not sum(len(part.rater) for part in parts):
        return {}
    response, rater, prompt, percent = (joined(parts, name) for name in ("response", "rater", "prompt", "percent"))
    experts = frozenset().union(*(part.experts for part in parts))
    return by_group(response, rater, percent, prompt, varieties_of_raters(parts), experts)


def tables(results: Results) -> list[Table]:
    return [
        disagreement_by_group(
            results,
            results.total(),
            _labels(results),
            "pp",
            grades="scores in percent, of each person the latest, whatever they were asked about",
            answers=FIRST_ANSWERS,
            community_of_others="who names none: the variety in which all their first gradings lie",
        )
    ]


def _labels(results: Results) -> dict[int, str]:
    """Of varieties that people name, and of those that their gradings lie in."""
    return {variety.id: variety.label for variety in results.names.varieties} | results.names.own
