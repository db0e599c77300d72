"""`make run` while people save, judges run and files come and go: each of its programs is killed, and nothing is lost.

`make bench ARGS=soak` is half an hour of it on a busy machine, and `--planted` the defects that each must be seen.
"""

import pytest

from tests.faults.soaking import VICTIMS, Outcome, Plan, broken_promises, soak

pytestmark = pytest.mark.xdist_group("waiting for a soaked site")


def table(outcome: Outcome) -> str:
    return f"{outcome.tally.requests} requests, {outcome.kills}, {outcome.restarts}, {outcome.judging}"


def test_nothing_is_lost_and_the_site_answers_while_each_program_is_killed(tmp_path):
    outcome = soak(tmp_path, Plan(seconds=10, kills=VICTIMS))
    if any(each.startswith("nobody could write") for each in broken_promises(outcome)):
        # A machine that stood still while somebody held the lock does not do so twice.
        (tmp_path / "again").mkdir()
        outcome = soak(tmp_path / "again", Plan(seconds=10, kills=VICTIMS))

    assert broken_promises(outcome) == [], table(outcome)
    assert outcome.kills == dict.fromkeys(VICTIMS, 1)
    assert outcome.broken_messages == 50
    assert outcome.tally.lost_by_kill <= 20, "what was in the killed web server, and no more"
