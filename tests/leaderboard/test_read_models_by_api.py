"""A program reads one model closely and two beside each other, as their pages show them."""

import pytest

from jobs.models import Job
from jobs.working import work_on
from projects.models import AuditEvent, Membership
from reports.leaderboard import report
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_board")]

BOARD = "/api/v1/projects/feasts/leaderboard/"


def read(user, address, **asked):
    return signed_in(user).get(f"{BOARD}{address}", asked)


def test_a_model_with_its_skills_and_every_answer(lead, feasts, board):
    found = read(lead, "models/tigris/").json()
    assert found["question_set"] == {"id": "own", "version": 1, "canary": str(board.canary)}
    assert (found["configuration"]["id"], found["configuration"]["rank"]) == ("tigris", [2, 2])
    assert found["others_of_its_size"] == 1, "Jordan; Nile is large"
    by_name = {one["name"]: one for one in found["skills"]}
    # Of q0, q4, ...: Tigris has 5 each time, and Jordan 3 + at % 5, which is 3, 7, 6, 5, 4 twice: 5 on average.
    assert by_name["Reasoning"]["score"]["value"] == 5
    assert by_name["Reasoning"]["difference"]["value"] == pytest.approx(0)
    assert not by_name["Reasoning"]["is_strength"]
    assert (found["count"], len(found["questions"])) == (40, 20)
    first = found["questions"][0]
    assert (first["id"], first["held_back"], first["answer"]["score"]) == ("q0", False, 5)
    assert "Tigris on q0" in first["answer"]["text"]
    assert [(said["by"], said["value"]) for said in first["answer"]["said"] if not said["is_person"]] == [("Simba", 5)]
    assert sorted(said["value"] for said in first["answer"]["said"] if said["is_person"]) == [4, 6]
    rest = signed_in(lead).get(found["next"]).json()
    assert [one["id"] for one in rest["questions"]] == [f"q{at}" for at in range(20, 40)]


def test_narrowed_and_in_another_order(lead, feasts, board):
    worst = read(lead, "models/tigris/", order="worst", skill="poetry").json()
    assert worst["count"] == 10
    assert {one["category"] for one in worst["questions"]} == {"Poetry"}
    scores = [one["answer"]["score"] for one in read(lead, "models/nile/", order="best").json()["questions"]]
    assert scores == sorted(scores, reverse=True)
    for unknown in ({"order": "any"}, {"skill": "Cooking"}):
        refused = read(lead, "models/tigris/", **unknown)
        assert (refused.status_code, list(refused.json())) == (400, list(unknown))
    assert read(lead, "models/amazon/").status_code == 404
    assert read(lead, "models/tigris/", page=3).status_code == 404


def test_two_models_question_by_question(lead, feasts, board):
    found = read(lead, "compare/", first="nile", second="jordan").json()
    # 8 + at % 3 less 3 + at % 5 is at least 1: Nile is ahead on all forty; at most 10 - 3, as at q5.
    assert (found["ahead"], found["behind"], found["equal"]) == (40, 0, 0)
    assert found["difference"]["value"] == pytest.approx(sum(5 + at % 3 - at % 5 for at in range(40)) / 40)
    top = found["questions"][0]
    assert (top["id"], top["first"]["score"], top["second"]["score"]) == ("q5", 10, 3)
    assert "Nile on q5" in top["first"]["text"]
    assert "Jordan on q5" in top["second"]["text"]
    missing = read(lead, "compare/", first="nile")
    assert (missing.status_code, list(missing.json())) == (400, ["second"])
    assert read(lead, "compare/", first="nile", second="amazon").status_code == 400


def test_the_radar_in_figures_and_what_stands_out(lead, mona, feasts, board):
    found = read(lead, "radar/", model=["nile", "tigris", "nile"]).json()
    assert found["question_set"]["canary"] == str(board.canary)
    assert [one["id"] for one in found["models"]] == ["nile", "tigris"]
    by_name = {one["name"]: one for one in found["skills"]}
    # Of q0, q4, ..., q36: Nile has 8 + at % 3, which is 8, 9, 10, 8, 9, 10, 8, 9, 10, 8; Tigris 5 each time.
    assert by_name["Reasoning"]["scores"]["nile"]["value"] == pytest.approx(8.9)
    assert by_name["Reasoning"]["scores"]["tigris"]["value"] == 5
    assert list(found["highest"]) == ["nile"]
    assert len(found["highest"]["nile"]) == 4
    # Tigris has one of 5, 6, 7, 8 in a whole skill, and least in Reasoning.
    assert found["furthest_apart"] == {"skill": by_name["Reasoning"]["id"], "highest": "nile", "lowest": "tigris"}
    alone = read(lead, "radar/", model="tigris").json()
    assert alone["furthest_apart"] is None
    for refused in ({}, {"model": "amazon"}, {"model": "echo"}, {"model": ["nile"] * 7}):
        answer = read(lead, "radar/", **refused)
        assert (answer.status_code, list(answer.json())) == (400, ["model"])
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    assert read(mona, "radar/", model="nile").status_code == 404


def test_the_report_is_sent_or_a_worker_writes_it(lead, mona, feasts, board, monkeypatch):
    address = f"{BOARD}models/tigris/report/"
    client = signed_in(lead)
    assert client.get(address).status_code == 405, "taking it is written down"
    sent = client.post(address)
    assert (sent.status_code, sent["Content-Type"]) == (200, report.HTML)
    assert "attachment" in sent["Content-Disposition"]
    text = sent.content.decode()
    assert "Tigris on q0" in text
    assert str(board.canary) in text
    assert SECRET not in text
    assert AuditEvent.objects.filter(action=report.TAKEN, actor=lead, subject="tigris").count() == 1
    assert client.post(f"{BOARD}models/amazon/report/").status_code == 404
    monkeypatch.setattr(report, "FEW_QUESTIONS", 10)
    first, again = client.post(address), client.post(address)
    assert (first.status_code, first.json()["uuid"]) == (202, again.json()["uuid"])
    work_on(Job.objects.get(kind=report.REPORT).pk)
    job = client.get(first["Location"]).json()
    assert job["state"] == "done"
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    assert signed_in(mona).post(address).status_code == 404


def test_what_is_held_back_says_so_to_the_lead_and_reaches_nobody_else(lead, mona, feasts, board, monkeypatch):
    addresses = (("models/tigris/", {}), ("compare/", {"first": "nile", "second": "tigris", "page_size": 100}))
    for address, asked in addresses:
        found = read(lead, address, **asked).json()
        [secret] = [one for one in found["questions"] if one["id"] == "q3"]
        assert secret["instruction"] == f"{SECRET}?"
        assert (secret["held_back"], secret["canary"]) == (True, str(board.canary))
    Membership.objects.get_or_create(user=mona, project=feasts, role="annotator")
    for address, asked in addresses:
        assert read(mona, address, **asked).status_code == 404
    # Were answers given to others to read, these would be left out.
    monkeypatch.setattr("reports.leaderboard.models_api.sees_held_back", lambda project: False)
    for address, asked in addresses:
        sent = read(lead, address, **asked)
        assert SECRET not in sent.content.decode()
        [secret] = [one for one in sent.json()["questions"] if one["id"] == "q3"]
        assert secret["held_back"] is True
        assert "instruction" not in secret


def test_as_many_queries_however_many_answers(lead, feasts, board, django_assert_max_num_queries):
    nour = signed_in(lead)
    address = f"{BOARD}models/tigris/"
    nour.get(address)
    with django_assert_max_num_queries(24) as found:
        nour.get(address, {"page_size": 2})
    few = len(found)
    with django_assert_max_num_queries(few):
        nour.get(address, {"page_size": 40})
