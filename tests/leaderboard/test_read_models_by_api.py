"""A program reads one model closely and two beside each other, as their pages show them."""

import pytest

from projects.models import Membership
from tests.leaderboard.conftest import SECRET
from tests.people import signed_in

pytestmark = pytest.mark.django_db

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


def test_without_a_frozen_set_there_is_none(lead, feasts):
    assert read(lead, "models/tigris/").status_code == 404
    assert read(lead, "compare/", first="a", second="b").status_code == 404
