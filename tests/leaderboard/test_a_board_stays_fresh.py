"""Whatever a board is made from is measured, or says why not."""

import pytest
from django.core.cache import cache

from reports.dashboard.freshness import measured
from reports.leaderboard.dashboard import LEADERBOARD
from tests.statements import statements

NEVER_CHANGES = {"benchmark_question", "benchmark_ruleuse", "benchmark_skill", "benchmark_source"}
IN_EVERY_KEY = {"reports_datarevision": "the revisions themselves"}


@pytest.mark.django_db
def test_what_a_board_reads_is_measured_or_never_changes(feasts, board):
    cache.clear()
    with statements() as sent:
        assert any(table.rows for table in LEADERBOARD.tables(feasts))
    known = {entry.table for entry in measured.MEASURED}
    unexplained = sent.tables() - known - NEVER_CHANGES - IN_EVERY_KEY.keys()
    assert unexplained == set()


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["flag", "card", "standing", "judges", "baseline"])
def test_every_change_of_a_row_is_on_the_board_at_once(feasts, board, change):
    from benchmark.models import Board, Configuration, Flag, ModelCard
    from reports.leaderboard.scope import BoardScope
    from reports.leaderboard.standings import standings

    before = standings(feasts, BoardScope())
    if change == "flag":
        Flag.objects.update(is_cleared=True, reason="Seen")
    elif change == "card":
        ModelCard.objects.filter(name="Nile").update(parameters_total=1, parameters_active=None)
    elif change == "standing":
        Configuration.objects.filter(name="Nile").update(standing="pending")
    elif change == "judges":
        other = feasts.raters.create(kind="judge", name="Leo", model="leo")
        Board.objects.create(project=feasts, slug="arabic", title="Feasts").judges.add(other)
    else:
        Configuration.objects.filter(kind="baseline").update(name="Echo of the question")
    after = standings(feasts, BoardScope())
    assert after.state != before.state
    assert (after.lines, after.baselines) != (before.lines, before.baselines)
