"""A researcher's program plans, starts, watches and stops runs."""

import pytest

from judging.models import Run, RunState
from projects.models import ApiToken
from tests.people import signed_in


@pytest.fixture
def api(nour, client):
    _row, token = ApiToken.issue(nour, "notebook")
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


URL = "/api/v1/projects/feasts/runs/"


def test_plan_start_read_cancel_resume(api, judge, feasts):
    asked = {"judge": judge.rater.name, "varieties": ["ar-EG"]}
    planned = api.post(URL, {**asked, "plan_only": True}, content_type="application/json").json()
    assert (planned["calls"], planned["responses"], planned["excluded"]) == (12, 6, {})
    assert not Run.objects.exists()

    started = api.post(URL, asked, content_type="application/json")
    assert started.status_code == 201
    run = started.json()
    assert run["state"] == RunState.RUNNING
    assert run["counts"]["planned"] == 12
    assert run["is_simulated"]

    one = f"{URL}{run['uuid']}/"
    assert api.get(one).json()["counts"]["total"] == 12
    assert api.post(f"{one}cancel/").json()["state"] == RunState.CANCELLED
    assert api.post(f"{one}cancel/").status_code == 409
    assert api.post(f"{one}resume/").json()["state"] == RunState.RUNNING
    assert api.post(f"{one}resume/").status_code == 409
    assert [listed["uuid"] for listed in api.get(URL).json()["results"]] == [run["uuid"]]


def test_what_cannot_be_asked_is_said(api, judge, project):
    unknown = api.post(URL, {"judge": "nobody"}, content_type="application/json")
    assert unknown.status_code == 400
    empty = api.post(URL, {"judge": judge.rater.name}, content_type="application/json")
    assert empty.status_code == 422
    assert empty.json()["problems"][0]["code"] == "nothing_to_ask"
    assert not Run.objects.exists()


def test_an_annotator_finds_no_runs(mona, judge):
    assert signed_in(mona).get(URL).status_code == 404


def test_the_list_costs_the_same_for_many(api, judge, feasts, django_assert_max_num_queries):
    for round in range(1, 6):
        api.post(URL, {"judge": judge.rater.name, "round": round}, content_type="application/json")
    with django_assert_max_num_queries(6):
        assert len(api.get(URL).json()["results"]) == 5
