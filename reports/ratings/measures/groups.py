"""Do communities, or experts and others, grade differently from each other than among themselves?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.rater_groups import GroupPair
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.parts import split
from reports.dashboard.rater_groups import ByGroup, by_group, disagreement_by_group
from reports.dashboard.tables import Table
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "groups"


@dataclass(frozen=True, eq=False)
class GradesOfGroups:
    """People's grades in one variety, as shares of their scale from 0 to 1: item (response and question), rater, prompt
    by id, shape (G,); by rater the variety they speak, and who are experts."""

    response: Integers
    question: Integers
    rater: Integers
    prompt: Integers
    share: Floats
    speakers: frozenset[tuple[int, int]]
    experts: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, GradesOfGroups]:
    """Per variety, of first answers. Grades without an order have no distance and are left out."""
    loaded = loaded.at_first or loaded
    grades, items, questions = loaded.grades, loaded.items, loaded.questions
    asked = items.question[grades.item]
    people = np.flatnonzero(grades.by_human & ~questions.nominal[asked])
    item, question = grades.item[people], asked[people]
    width = np.maximum(questions.highest[question] - questions.lowest[question], 1)
    return split(
        GradesOfGroups,
        loaded.varieties,
        items.variety[item],
        response=items.response[item],
        question=questions.id[question],
        rater=grades.rater[people],
        prompt=items.prompt[item],
        share=(grades.grade[people] - questions.lowest[question]) / width,
        speakers=frozenset(loaded.variety_of_rater.items()),
        experts=frozenset(grades.rater[grades.by_human & grades.by_expert].tolist()),
    )


def figures(parts: Sequence[GradesOfGroups], is_total: bool) -> ByGroup:
    """Of all varieties together; of one among several nothing is shown."""
    if not is_total or not sum(len(part.rater) for part in parts):
        return {}
    response, question, rater, prompt, share = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("response", "question", "rater", "prompt", "share")
    )
    item = np.unique(np.column_stack((response, question)), axis=0, return_inverse=True)[1].reshape(-1)
    found = by_group(
        item,
        rater,
        share,
        prompt,
        dict(frozenset().union(*(part.speakers for part in parts))),
        frozenset().union(*(part.experts for part in parts)),
    )
    return {name: {pair: _of_shares(one) for pair, one in pairs.items()} for name, pairs in found.items()}


def _of_shares(pair: GroupPair) -> GroupPair:
    """Two grades are never further apart than the whole scale."""
    first, second, between = (distance.within(0.0, 1.0) for distance in pair[:3])
    return GroupPair(first, second, between, pair.excess.within(-1.0, 1.0))


def tables(results: Results) -> list[Table]:
    return [
        disagreement_by_group(
            results,
            results.total(),
            results.names.own.spoken,
            "share",
            grades="as a share of their question's scale, so that several scales count alike; those without an order "
            "left out",
            answers=FIRST_ANSWERS,
        )
    ]
