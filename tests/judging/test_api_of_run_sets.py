"""A researcher's program plans a set of runs with a budget, starts it, watches it, lets it wait and go on."""

from decimal import Decimal

import pytest

from judging.judges import add_judge
from judging.models import Run, RunSet, RunState
from projects.models import ApiToken
from tests.judging.budgeting import priced, work_off
from tests.people import signed_in

URL = "/api/v1/projects/feasts/run-sets/"


@pytest.fixture
def api(nour, client):
    _row, token = ApiToken.issue(nour, "notebook")
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


@pytest.fixture
def judges(project, provider, feasts):
    return [
        priced(add_judge(project, provider, model, max_output_tokens=100)) for model in ("simulated-1", "simulated-2")
    ]


@pytest.fixture
def send(api):
    def post(url: str, body: dict | None = None):
        return api.post(url, body or {}, content_type="application/json")

    return post


def test_plan_start_watch_pause_resume_cancel(api, send, judges):
    asked = {
        "judges": [judge.rater.name for judge in judges],
        "items": {"varieties": ["ar-EG"], "sample": 5},
        "replicates": 2,
        "money_limit": "1.50",
    }
    planned = send(URL, {**asked, "plan_only": True}).json()
    assert (planned["responses"], planned["calls"], planned["answered_before"]) == (5, 40, 0)
    assert Decimal(planned["money"]["low"]) < Decimal(planned["money"]["high"]) <= Decimal(planned["most_money"])
    assert planned["money_suffices"] == "yes"
    assert [run["round"] for run in planned["runs"]] == [1, 2, 1, 2]
    assert not RunSet.objects.exists()

    started = send(URL, asked)
    assert started.status_code == 201
    told = started.json()
    assert (told["state"], told["money_limit"], told["money_spent"]) == ("running", "1.5", "0")
    assert told["items"] == {"varieties": ["ar-EG"], "sample": 5, "seed": 0}
    assert told["progress"]["counts"]["planned"] == 40
    assert {run["run_set"] for run in told["runs"]} == {told["uuid"]}

    one = f"{URL}{told['uuid']}/"
    paused = send(f"{one}pause/").json()
    assert (paused["state"], paused["paused_because"]) == ("paused", ["person"])
    assert send(f"{one}pause/").status_code == 409
    assert send(f"{one}resume/").json()["state"] == "running"
    assert send(f"{one}resume/").status_code == 409
    assert send(f"{one}cancel/").json()["state"] == "cancelled"
    assert send(f"{one}cancel/").status_code == 409
    assert send(f"{one}retry/").json()["state"] == "running"
    assert [listed["uuid"] for listed in api.get(URL).json()["results"]] == [told["uuid"]]


def test_a_spent_budget_is_raised(api, send, judges):
    asked = {"judges": [judges[0].rater.name], "money_limit": "0.005"}
    run_set = RunSet.objects.get(uuid=send(URL, asked).json()["uuid"])
    Run.objects.update(state=RunState.PLANNED)
    work_off(run_set)
    one = f"{URL}{run_set.uuid}/"
    told = api.get(one).json()
    assert (told["state"], told["paused_because"]) == ("paused", ["budget"])
    assert Decimal("0") < Decimal(told["money_spent"]) <= Decimal("0.005")
    assert told["progress"]["money"] == told["money_spent"]

    too_low = send(f"{one}limits/", {"money_limit": "0.000001"})
    assert too_low.status_code == 422
    assert too_low.json()["problems"][0]["code"] == "limit_below_spent"
    assert send(f"{one}limits/", {"money_limit": "1"}).json()["money_limit"] == "1"
    assert send(f"{one}resume/").status_code == 200
    work_off(run_set)
    assert api.get(one).json()["progress"]["counts"]["scored"] == 24


def test_what_cannot_be_asked_is_said(send, judges, project):
    name = judges[0].rater.name
    wrong = [
        ({"judges": ["nobody"]}, 400),
        ({"judges": []}, 400),
        ({"judges": [name], "replicates": 0}, 400),
        ({"judges": [name], "money_limit": "-1"}, 422),
        ({"judges": [name], "money_limit": "NaN"}, 400),
        ({"judges": [name], "items": {"varieties": ["tlh"]}}, 422),
        ({"judges": [name], "items": {"split": "somewhere"}}, 400),
        ({"judges": [name], "items": {"search": "no such response"}}, 422),
    ]
    for body, status in wrong:
        assert send(URL, body).status_code == status, body
    assert not RunSet.objects.exists()


def test_an_annotator_finds_no_run_sets(mona, judges):
    assert signed_in(mona).get(URL).status_code == 404


def test_the_list_costs_the_same_for_many(api, send, judges, django_assert_max_num_queries):
    for round in range(1, 6):
        send(URL, {"judges": [judges[0].rater.name], "first_round": round})
    with django_assert_max_num_queries(6):
        assert len(api.get(URL).json()["results"]) == 5
    one = f"{URL}{RunSet.objects.first().uuid}/"
    with django_assert_max_num_queries(9):
        api.get(one)


def test_a_run_by_itself_is_paused_too(api, send, judges):
    told = send("/api/v1/projects/feasts/runs/", {"judge": judges[0].rater.name}).json()
    assert told["run_set"] is None
    one = f"/api/v1/projects/feasts/runs/{told['uuid']}/"
    paused = send(f"{one}pause/").json()
    assert (paused["state"], paused["paused_because"]) == ("paused", "person")
    assert send(f"{one}pause/").status_code == 409
    assert send(f"{one}retry/").status_code == 409
    assert send(f"{one}resume/").json()["state"] == "running"
