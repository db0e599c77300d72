"""Boards drawn by chance, ranked by what the board itself calls: which models are told apart that are equal, and
whether a better one is found.

Scores have a standard deviation of 4 points of 10. The questions of a cluster share half of the variance of each
model's scores.
"""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from reports.leaderboard.reader import Entry, Loaded, Questions
from reports.leaderboard.scores import Panel
from reports.leaderboard.standings import Ranking, Study, ranking

QUESTIONS, SPREAD, LEAD = 470, 4.0, 1.5
IN_CLUSTER = 5
EVERY = np.arange(QUESTIONS)


def study(scores: np.ndarray, per_cluster: int = 1) -> Study:
    """What the board computes ranks from, with these scores; (Q, n). All else is as where one judge judged all."""
    n_questions, n = scores.shape
    cluster = (np.arange(n_questions) // per_cluster).astype(str)
    same = np.full(n_questions, "x", dtype=object)
    questions = Questions(
        EVERY, same, same, same, same, cluster, np.zeros(n_questions, dtype=bool), np.zeros(n_questions, dtype=np.int64)
    )
    entries = [Entry(at, f"m{at}", f"Model {at}", False, False, None, "", "", "", None, "", (), ()) for at in range(n)]
    loaded = Loaded(
        **{**dict.fromkeys(Loaded.__dataclass_fields__, cast(Any, None)), "questions": questions, "entries": entries}
    )
    return Study(loaded, Panel((), np.ones(n, dtype=bool), {}, True), scores)


def ranked(scores: np.ndarray, per_cluster: int = 1) -> Ranking:
    return ranking(study(scores, per_cluster), EVERY, np.ones(scores.shape[1], dtype=bool))


def scores_of_equals(chance: np.random.Generator, n: int, per_cluster: int = 1, common: float = 0.0) -> np.ndarray:
    """n models of the same worth; `common` is the part of the variance that is the question's and so everybody's."""
    hardness = chance.normal(0, SPREAD * np.sqrt(common), (QUESTIONS, 1))
    own = SPREAD * np.sqrt(1 - common)
    if per_cluster == 1:
        return 5 + hardness + chance.normal(0, own, (QUESTIONS, n))
    half = own * np.sqrt(0.5)
    shared = chance.normal(0, half, (QUESTIONS // per_cluster, n)).repeat(per_cluster, axis=0)
    return 5 + hardness + shared + chance.normal(0, half, (QUESTIONS, n))


def told_apart(seed: int, boards: int, n: int, per_cluster: int = 1) -> int:
    """On how many boards of equals anybody's rank set says more than that all share all ranks."""
    chance = np.random.default_rng(seed)
    drawn = (scores_of_equals(chance, n, per_cluster) for _board in range(boards))
    return sum(set(ranked(scores, per_cluster).sets) != {(1, n)} for scores in drawn)


def ranks_of_the_better(seed: int, boards: int, n: int, common: float = 0.0) -> Iterator[tuple[tuple[int, int], bool]]:
    """Of each board the rank set of the first model, which is LEAD points better than the others, and whether it is
    surely better than the second."""
    chance = np.random.default_rng(seed)
    for _board in range(boards):
        scores = scores_of_equals(chance, n, common=common)
        scores[:, 0] += LEAD
        found = ranked(scores)
        assert found.ranks is not None
        first = found.sets[0]
        assert first is not None
        yield first, bool(found.ranks.better[0, 1])
