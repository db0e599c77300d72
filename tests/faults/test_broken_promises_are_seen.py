"""What a soak saw, made up: each promise that is broken by itself is seen, and where all were kept nothing is said."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.comings import Exports, Imported, Place, sha256, why_not
from tests.faults.counted import Tally
from tests.faults.soaking import VICTIMS, Outcome, broken_promises, wrong_imports


def good() -> Outcome:
    """Each program was killed once and came back; all that was promised is there."""
    tally = Tally()
    tally.answer("GET /p/marked/", 200, 0.1, "")
    tally.answer("PUT /tasks/", 503, 0.1, "it says when to come again")
    outcome = Outcome(tally, seconds=60, longest_lock=0.9, load=[0.5], broken_messages=50)
    outcome.kills = Counter(dict.fromkeys(VICTIMS, 1))
    outcome.restarts = dict.fromkeys(("web", "worker", "clock", "provider"), 1)
    outcome.judging = {
        "runs": ["done", "done"],
        "calls": {"scored": 80, "failed": 2},
        "jobs": {"done": 12, "cancelled": 1},
        "wrong": [],
    }
    outcome.people.kept["save"] = 10
    outcome.imports = [Imported({"a": "A"}, is_promised=True), Imported({"b": "B"})]
    outcome.exports = Exports(Place("127.0.0.1:9", {}, {}, tally, Path()), 1.0, "marked")
    return outcome


def answered_500(outcome: Outcome) -> None:
    outcome.tally.answer("PUT /tasks/", 500, 0.1, "a defect")


def lost_without_a_kill(outcome: Outcome) -> None:
    outcome.tally.lose("PUT /tasks/", 0.0, ConnectionResetError("reset"))


def lost_before_the_kill(outcome: Outcome) -> None:
    """The connection was over before anybody was killed: that kill excuses nothing."""
    outcome.tally.kills.append((float("inf"), float("inf")))
    outcome.tally.lose("PUT /tasks/", 0.0, ConnectionResetError("reset"))


def unreadable(outcome: Outcome) -> None:
    assert outcome.exports
    outcome.exports.unreadable.append("half a line")


BREAKING: dict[str, tuple[Callable[[Outcome], object], str]] = {
    "over too soon": (lambda o: setattr(o, "ended", "worker does not come back"), "it was over before its time"),
    "answered 500": (answered_500, "not answered: PUT /tasks/ was answered 500: a defect"),
    "lost without a kill": (lost_without_a_kill, "not answered: PUT /tasks/: ConnectionResetError"),
    "lost before a kill": (lost_before_the_kill, "not answered: PUT /tasks/: ConnectionResetError"),
    "ended by itself": (lambda o: o.restarts.update(worker=3), "worker ended by itself, 2 times"),
    # Of the web server's workers the supervisor knows nothing: their kills excuse no restart of the whole.
    "a web server ended by itself": (lambda o: o.kills.update({"web": -1}), "web ended by itself, 1 times"),
    "lost": (lambda o: o.people.lost.append("its draft is gone"), "lost: ['its draft is gone']"),
    "duplicated": (lambda o: o.people.duplicated.append("two answers"), "duplicated: ['two answers']"),
    "altered": (lambda o: o.people.altered.append("never sent"), "altered: ['never sent']"),
    "a run that is not done": (lambda o: o.judging["runs"].append("paused"), "a run is paused, and was promised"),
    "a run that is gone": (lambda o: o.judging["runs"].append("gone"), "a run is gone, and was promised"),
    "calls left over": (lambda o: o.judging["calls"].update(planned=3), "3 calls are planned"),
    "calls cancelled": (lambda o: o.judging["calls"].update(cancelled=1), "1 calls are cancelled"),
    "jobs left over": (lambda o: o.judging["jobs"].update(running=1), "1 jobs are running"),
    "jobs that failed": (lambda o: o.judging["jobs"].update(failed=2), "2 jobs are failed"),
    "a wrong answer": (lambda o: o.judging["wrong"].append("the call 7 has no answer"), "the call 7 has no answer"),
    "a file that was refused": (
        lambda o: o.not_imported.append("import_items ended with code 1: locked"),
        "a file was not imported: import_items ended with code 1: locked",
    ),
    "a file that is not there": (
        lambda o: o.problems.extend(wrong_imports(o.imports, [])),
        "of file 0 0 of 1 rows are there",
    ),
    "whoever does not end": (lambda o: o.problems.append("Imports does not end"), "Imports does not end"),
    "an export": (unreadable, "an export cannot be read: half a line"),
    "messages": (lambda o: setattr(o, "messages_left", 4), "4 broken messages still lie where they were thrown"),
    "a long lock": (lambda o: setattr(o, "longest_lock", 1.2), "nobody could write for 1.2 s"),
}


def test_where_all_was_kept_nothing_is_said():
    outcome = good()
    outcome.problems += wrong_imports(outcome.imports, [("a", "A", sha256("A"))])
    assert broken_promises(outcome) == []


@pytest.mark.parametrize(("breaking", "words"), BREAKING.values(), ids=BREAKING)
def test_each_broken_promise_is_seen_by_itself(breaking, words):
    outcome = good()
    breaking(outcome)
    [broken] = broken_promises(outcome)
    assert words in broken


def test_a_request_lost_with_a_killed_web_server_is_excused():
    outcome = good()
    outcome.tally.killed(is_whole=True)
    outcome.tally.lose("PUT /tasks/", 0.0, ConnectionResetError("reset"))
    assert broken_promises(outcome) == []
    assert outcome.tally.lost_by_kill == 1


def test_a_busy_machine_may_take_longer_to_write_and_no_longer_than_that(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    outcome = good()
    outcome.load, outcome.longest_lock = [4.0, 16.0], 7.9
    assert broken_promises(outcome) == []
    outcome.longest_lock = 8.1
    assert broken_promises(outcome) == ["nobody could write for 8.1 s"]


# --- Files --------------------------------------------------------------------------------------------------

PROMISED = Imported({"a1": "A", "a2": "B"}, is_promised=True)
CUT_OFF = Imported({"a1": "A", "a2": "B"})
ALL = [("a1", "A", sha256("A")), ("a2", "B", sha256("B"))]


@pytest.mark.parametrize("file", [PROMISED, CUT_OFF], ids=["promised", "cut off"])
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ALL[:1], "of file 0 1 of 2 rows are there"),
        ([*ALL, ALL[0]], "a1 is there 2 times"),
        ([ALL[0], ("a2", "C", sha256("C"))], "a2 was altered"),
        ([ALL[0], ("a2", "B", sha256("C"))], "a2 was altered"),
    ],
    ids=["half", "twice", "altered", "altered under its hash"],
)
def test_half_a_file_is_seen_whatever_was_promised(file, rows, words):
    [wrong] = wrong_imports([file], rows)
    assert words in wrong


def test_a_file_that_was_cut_off_may_be_there_or_not():
    assert wrong_imports([CUT_OFF], ALL) == wrong_imports([CUT_OFF], []) == wrong_imports([PROMISED], ALL) == []
    assert wrong_imports([PROMISED], []) == ["of file 0 0 of 2 rows are there: file.is_promised=True"]


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [
        (201, "", ""),
        (202, "done", ""),
        (503, "", ""),
        (202, "failed", "an upload was accepted, and its job is failed"),
        (202, "cancelled", "an upload was accepted, and its job is cancelled"),
        (422, "", "an upload was answered 422: no records"),
        (500, "", "an upload was answered 500: no records"),
    ],
)
def test_only_when_to_come_again_excuses_an_upload_that_is_not_stored(status, state, words):
    assert why_not(status, state, b"no records") == words
