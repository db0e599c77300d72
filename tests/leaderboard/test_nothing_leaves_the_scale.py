"""Points go from 0 to 10, and so do the bounds of every mean of them, wherever a board says one."""

import pytest

from reports.leaderboard.comparing import compared, radar_lines
from reports.leaderboard.configuration import by_skill
from reports.leaderboard.dashboard import LEADERBOARD
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import sheet_of, standings
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, open_questions

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(feasts):
    """Nile has 10 six times and 4 once: 9.14 +- 2.447 x 0.857 = [7.05, 11.24]. Tigris has what 10 leaves of it."""
    question_set, simba = frozen_set(feasts, *open_questions(7)), judge(feasts)
    for name, values in (("Nile", [10.0] * 6 + [4.0]), ("Tigris", [0.0] * 6 + [6.0])):
        judged(simba, answers(configuration(feasts, name), question_set), question_set, values)
    return feasts


def test_the_interval_of_a_score_ends_where_the_scale_does(board):
    first, last = (line.score for line in standings(board, BoardScope()).lines)
    assert (first.low, first.high) == (pytest.approx(7.046, abs=0.001), 10)
    assert (last.low, last.high) == (0, pytest.approx(2.954, abs=0.001))
    assert first.detail["cut_to"] == [0, 10]


def test_so_it_is_in_every_table_and_on_the_pages_of_models(board):
    points = [
        figure
        for table in LEADERBOARD.tables(board, {})
        if table.unit == "score"
        for row in table.rows
        for figure in row.figures
    ]
    sheet = sheet_of(board)
    points += [figure for line in radar_lines(sheet, [0, 1]) for figure in line.figures]
    points += [line.score for column in (0, 1) for line in by_skill(sheet, column)[0]]
    bounds = [figure.bounds for figure in points if figure.low is not None]
    assert bounds
    assert all(0 <= low <= high <= 10 for low, high in bounds)
    assert compared(sheet, 0, 1).difference.bounds[1] == 10


def test_the_recipe_says_it(board):
    recipes = [table.recipe.settings for table in LEADERBOARD.tables(board, {}) if table.id == "columns"]
    assert recipes[0]["interval_of_points"] == "t over units, 95 %, cut to the scale of 0 to 10"
