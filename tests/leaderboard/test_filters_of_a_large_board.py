"""Anybody may try every filter of an open board: the scores are read once for all of them."""

import pytest
from django.core.cache import cache

from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import sheet_of, standings
from tests.benchmark.boards import large_board
from tests.statements import statements

pytestmark = pytest.mark.django_db
ANSWERS_AND_SCORES = {"benchmark_answer", "benchmark_ruling", "benchmark_rulescore", "benchmark_ruleuse"}
SCOPES = [
    BoardScope(),
    BoardScope(skill="skill-01"),
    BoardScope(size="small"),
    BoardScope(format="mcq"),  # no question of the board has it
    BoardScope(skill="skill-00", size="large", source="native"),
]


def test_scores_are_read_for_the_first_filter_alone(project):
    large_board(project, 6, 40)
    cache.clear()
    with statements() as sent:
        standings(project, SCOPES[0])
    assert sent.tables() >= ANSWERS_AND_SCORES
    with statements() as sent:
        for scope in SCOPES[1:]:
            standings(project, scope)
        sheet_of(project)
    assert not ANSWERS_AND_SCORES & sent.tables()


def test_a_board_is_the_same_whichever_filter_was_tried_before(project):
    large_board(project, 6, 40)
    cache.clear()
    after_others = [standings(project, scope) for scope in SCOPES]
    for scope, found in zip(SCOPES, after_others, strict=True):
        cache.clear()
        assert found is not None
        assert repr(standings(project, scope)) == repr(found)
    assert len({repr(found.lines) for found in after_others if found is not None}) > 2
