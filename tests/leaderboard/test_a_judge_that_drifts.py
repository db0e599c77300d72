"""Simba becomes a point milder between two runs. Who was judged before keeps a rank; who comes later waits, until Nour
has it judged again or takes Simba as it is now."""

import io
import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from benchmark.anchor_passes import accept_drift, anchor_figures
from benchmark.anchors import add_anchors
from benchmark.models import AcceptedDrift, Answer, Board, ConfigurationKind, RuleScore
from formats.reading import Source
from projects.models import AuditEvent
from projects.problems import Invalid
from reports.leaderboard.files import as_json
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, open_questions
from tests.people import signed_in

pytestmark = pytest.mark.django_db

N = 40
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
NOW = "a judge has drifted"


@pytest.fixture
def questions(feasts):
    question_set = frozen_set(feasts, *open_questions(N))
    lines = [{"question": f"q{at}", "text": f"Anchor {at}", "expected": 5} for at in range(8)]
    add_anchors(feasts, anchor_file(lines))
    return question_set


@pytest.fixture
def simba(feasts, questions):
    return judge(feasts)


def anchor_file(lines):
    return Source(io.BytesIO("\n".join(map(json.dumps, lines)).encode()), "anchors.jsonl")


def anchored(rater, number, points, *, run="", hour=0):
    """A pass of the judge over the anchors, as a run leaves it."""
    uses = {}
    rows = Answer.objects.filter(configuration__kind=ConfigurationKind.ANCHOR).order_by("prompt__key")
    for answer in rows.prefetch_related("prompt__benchmark_questions__rule_uses"):
        uses[answer.pk] = answer.prompt.benchmark_questions.first().rule_uses.first().target_sha256
    values = points if isinstance(points, list) else [points] * len(uses)
    for (answer, target), value in zip(uses.items(), values, strict=True):
        RuleScore.objects.create(
            answer_id=answer,
            target_sha256=target,
            rater=rater,
            round=number,
            value=value,
            metadata={"run": run} if run else {},
        )
    RuleScore.objects.filter(rater=rater, round=number, answer__in=uses).update(
        created_at=MORNING + timedelta(hours=hour)
    )


def points(name, mean):
    """Of N questions, up to two points around the mean, another for each name."""
    draw = Random(name)
    return [mean + draw.choice([-2, -1, 0, 1, 2]) for _question in range(N)]


def model(project, question_set, rater, name, mean, *, run="", hour=0, **more):
    row = configuration(project, name, made_by=f"{name} Lab")
    given = answers(row, question_set)
    judged(rater, given, question_set, points(name, mean), metadata={"run": run} if run else {}, **more)
    RuleScore.objects.filter(answer__configuration=row).update(created_at=MORNING + timedelta(hours=hour))
    return row, given


def reasons(project):
    return {line.entry.name: line.no_rank for line in standings(project, BoardScope()).lines}


@pytest.fixture
def drifted(feasts, questions, simba):
    """Nile and Tigris in the first run, Jordan in the second, in which all anchors have a point more."""
    anchored(simba, 1, 5.0, run="one", hour=0)
    model(feasts, questions, simba, "Nile", 6.0, run="one", hour=1)
    model(feasts, questions, simba, "Tigris", 3.0, run="one", hour=1)
    anchored(simba, 2, 6.0, run="two", hour=4)
    # Its run had begun before its first anchor was scored: it is the run that counts, and not the hour.
    return model(feasts, questions, simba, "Jordan", 5.0, run="two", hour=3)


def test_who_was_judged_before_keeps_a_rank_and_who_comes_later_waits(feasts, drifted):
    assert reasons(feasts) == {"Nile": "", "Tigris": "", "Jordan": NOW}
    board = standings(feasts, BoardScope())
    assert [line.rank for line in board.lines if line.entry.name in ("Nile", "Tigris")] == [(1, 1), (2, 2)]
    [said] = as_json(feasts, board)["drifted_judges"]
    assert (said["name"], said["shift"]["value"], said["limit"], said["paused"]) == ("Simba", 1.0, 0.5, 1)


def test_within_the_limit_of_the_board_nothing_pauses(feasts, drifted):
    before = standings(feasts, BoardScope()).state
    Board.objects.create(project=feasts, slug="own", title="Own", drift_limit=1.5)
    assert standings(feasts, BoardScope()).state != before
    assert reasons(feasts)["Jordan"] == ""
    Board.objects.update(drift_limit=0.9)
    assert reasons(feasts)["Jordan"] == NOW


def test_judged_again_by_a_judge_that_is_steady_it_has_a_rank(feasts, questions, simba, drifted):
    """The third pass is as the first; Jordan's answers are judged once more in it."""
    anchored(simba, 3, 5.0, run="three", hour=6)
    assert reasons(feasts)["Jordan"] == NOW, "that the judge came back does not mend what it scored meanwhile"
    [said] = standings(feasts, BoardScope()).drifted
    assert not said.is_now
    _row, given = drifted
    judged(simba, given, questions, points("Jordan", 4.0), round=2, metadata={"run": "three"})
    assert reasons(feasts)["Jordan"] == ""
    assert standings(feasts, BoardScope()).drifted == ()


def test_an_uncertain_pass_ends_no_drift(feasts, questions, simba, drifted):
    anchored(simba, 3, [5.0, 6.0] * 4, run="three", hour=6)
    assert anchor_figures(feasts)[simba.pk].drift.state == "uncertain"
    model(feasts, questions, simba, "Volga", 4.0, run="three", hour=7)
    assert reasons(feasts)["Volga"] == NOW


def test_scores_that_no_run_gave_go_by_their_time(feasts, questions, simba, drifted):
    model(feasts, questions, simba, "Amazon", 4.0, hour=2)
    model(feasts, questions, simba, "Volga", 4.0, hour=5)
    assert (reasons(feasts)["Amazon"], reasons(feasts)["Volga"]) == ("", NOW)
    anchored(simba, 3, 5.0, run="three", hour=6)
    model(feasts, questions, simba, "Danube", 4.0, hour=7)
    assert (reasons(feasts)["Danube"], reasons(feasts)["Volga"]) == ("", NOW)


def test_a_judge_that_does_not_count_pauses_nobody(feasts, questions, drifted):
    leo = judge(feasts, "Leo")
    for name in ("Nile", "Tigris", "Jordan"):
        row = feasts.configurations.get(name=name)
        given = {answer.prompt.benchmark_questions.get().key: answer for answer in row.answers.all()}
        judged(leo, given, questions, points(name, 4.0))
    board = Board.objects.create(project=feasts, slug="own", title="Own")
    board.judges.add(leo)
    assert set(reasons(feasts).values()) == {""}


def test_nour_takes_the_judge_as_it_is_now_and_says_why(lead, feasts, questions, simba, drifted):
    client = signed_in(lead)
    html = client.get(reverse("board-anchors", args=["feasts"])).content.decode()
    assert "Simba has drifted" in html
    board = client.get(reverse("leaderboard", args=["feasts"])).content.decode()
    assert "moved by +1.0" in board
    assert reverse("board-anchors", args=["feasts"]) in board
    address = reverse("board-drift-accept", args=["feasts", simba.pk])
    assert client.post(address, {"reason": " "}).status_code == 302
    assert AcceptedDrift.objects.count() == 0
    client.post(address, {"reason": "The provider raised its temperature; two people agree with it."})
    assert reasons(feasts)["Jordan"] == ""
    event = AuditEvent.objects.get(action="judge.drift_accepted")
    assert (event.actor, event.detail["anchor_pass"], event.detail["shift"]) == (lead, 2, 1.0)
    # From now on it is compared with what was accepted: the same again is steady, another point is not.
    anchored(simba, 3, 6.0, run="three", hour=6)
    assert anchor_figures(feasts)[simba.pk].drift.shift.value == 0
    anchored(simba, 4, 7.0, run="four", hour=8)
    model(feasts, questions, simba, "Volga", 4.0, run="four", hour=9)
    assert (reasons(feasts)["Jordan"], reasons(feasts)["Volga"]) == ("", NOW)


def test_a_judge_that_did_not_drift_is_not_accepted(feasts, questions, simba):
    anchored(simba, 1, 5.0)
    with pytest.raises(Invalid):
        accept_drift(feasts, simba.pk, "Why not")


# --- The page and the interface --------------------------------------------------------------------------------------


def test_nour_adds_anchors_and_reads_what_judges_say(lead, feasts, questions, simba):
    client, address = signed_in(lead), reverse("board-anchors", args=["feasts"])
    lines = [{"question": "q9", "text": "One more", "expected": 3}, {"question": "nobody", "text": "x"}]
    content = "\n".join(map(json.dumps, lines)).encode()
    refused = client.post(address, {"file": SimpleUploadedFile("anchors.jsonl", content)})
    assert refused.status_code == 422
    assert "No frozen set has a question with this key" in refused.content.decode()
    added = client.post(address, {"file": SimpleUploadedFile("anchors.jsonl", content.splitlines()[0])}, follow=True)
    assert "1 anchor answer was added" in added.content.decode()
    anchored(simba, 1, [5.0] * 8 + [2.0])
    html = client.get(address).content.decode()
    assert "One more" in html
    assert "one pass so far" in html
    assert AuditEvent.objects.filter(action="anchors.added", actor=lead).count() == 1


def test_a_list_of_many_anchors_costs_as_many_queries(lead, feasts, questions, simba, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, address = signed_in(lead), reverse("board-anchors", args=["feasts"])
    anchored(simba, 1, 5.0)
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    add_anchors(feasts, anchor_file([{"question": f"q{at}", "text": f"Another {at}"} for at in range(15)]))
    with django_assert_num_queries(len(few)):
        client.get(address)


def test_programs_add_and_read_anchors(lead, mona, feasts, questions, simba):
    client, address = signed_in(lead), reverse("api-anchors", args=["feasts"])
    refused = client.post(address, [{"question": "nobody", "text": "x"}], "application/json")
    assert (refused.status_code, refused.json()["problems"][0]["line"]) == (422, 1)
    made = client.post(address, [{"question": "q9", "text": "One more", "expected": 3}], "application/json")
    assert (made.status_code, made.json()) == (201, {"added": 1, "unchanged": 0})
    anchored(simba, 1, 5.0)
    anchored(simba, 2, 6.0)
    said = client.get(address).json()
    assert said["count"] == 9
    assert said["judges"][0] | {"shift": 0, "moved": 0, "error": 0} == {
        "id": simba.pk,
        "judge": "Simba",
        "passes": 2,
        "state": "drifted",
        "shift": 0,
        "moved": 0,
        "error": 0,
        "ranks_pause": True,
    }
    assert said["judges"][0]["shift"]["value"] == 1.0
    assert {"judge": "Simba", "first": 5.0, "newest": 6.0} in said["anchors"][0]["scores"]
    assert signed_in(mona).get(address).status_code == 404


def test_programs_take_the_judge_as_it_is_now_with_the_reason(lead, mona, feasts, questions, simba, drifted):
    client, address = signed_in(lead), reverse("api-drift-accept", args=["feasts", simba.pk])
    empty = client.post(address, {"reason": " "}, "application/json")
    assert (empty.status_code, empty.json()["problems"][0]["field"]) == (422, "reason")
    assert client.post(address, {}, "application/json").status_code == 400
    assert signed_in(mona).post(address, {"reason": "Mine"}, "application/json").status_code == 404
    assert AcceptedDrift.objects.count() == 0
    said = client.post(address, {"reason": "The provider told us of a new version."}, "application/json")
    assert (said.status_code, said.json()["id"], said.json()["ranks_pause"]) == (200, simba.pk, False)
    assert reasons(feasts)["Jordan"] == ""
    event = AuditEvent.objects.get(action="judge.drift_accepted")
    assert (event.actor, event.detail["reason"]) == (lead, "The provider told us of a new version.")
    again = client.post(address, {"reason": "Once more"}, "application/json")
    assert (again.status_code, again.json()["problems"][0]["code"]) == (422, "not_drifted")
    nobody = reverse("api-drift-accept", args=["feasts", 10**6])
    assert client.post(nobody, {"reason": "Nobody"}, "application/json").status_code == 404
