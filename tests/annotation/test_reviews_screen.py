"""The review page is blind: nothing on it tells who marked an error, or what anybody else said of it."""

import json
import re
import uuid

import pytest
from django.test import Client

from annotation.models import GoldError, Review
from tests.annotation.marked import mark, rater_of
from tests.people import signed_in
from workflow.models import Assignment, Stage

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS, LENTILS = "على السحور", "أيام الفراعنة", "العدس"


@pytest.fixture
def stage(project) -> Stage:
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    return Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, is_open=False)


@pytest.fixture
def marked(stage, koshari, nour, mona, karim, simba) -> Client:
    """Mona, Karim and a judge have marked; Nour opens the stage."""
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim, PHARAOHS)
    mark(koshari, simba, LENTILS, metadata={"prompt_version": "spans-3"})
    lead = signed_in(nour)
    lead.post(f"/p/feasts/stages/{stage.pk}/open/", {"open": "1"})
    return lead


def open_page(person, stage: Stage) -> tuple[Client, str, dict]:
    """The page of the person's next item: the client, its HTML, its task."""
    client = signed_in(person)
    address = client.post(f"/p/feasts/my-work/{stage.pk}/next")["Location"]
    html = client.get(address).content.decode()
    [task] = re.findall(r'<script id="review-task" type="application/json">(.*?)</script>', html, re.S)
    return client, html, json.loads(task)


def send(client: Client, task: dict, verdict: str):
    reviews = [{**review, "verdict": verdict} for review in task["draft"]["reviews"]]
    payload = {"submission": str(uuid.uuid4()), "version": task["version"], "body": {"reviews": reviews}}
    return client.post(task["urls"]["submit"], payload, content_type="application/json")


def test_mona_sees_the_errors_of_others_and_none_of_her_own(marked, stage, mona):
    _client, html, task = open_page(mona, stage)
    assert {span["quote"] for span in task["spans"]} == {PHARAOHS, LENTILS}
    assert f"about {SUHOOR}" not in html


def test_nothing_of_the_source_reaches_the_page(marked, stage, koshari, mona, karim, simba):
    _client, html, task = open_page(mona, stage)
    raters = [rater_of(person, stage.project) for person in (karim, simba)]
    told = [rater.pseudonym for rater in raters] + [rater.name for rater in raters]
    told += ["Karim", "simba", "karim-1", "karim@", "spans-3", "judge", "simulated", "Nile-7B", "delta"]
    told += [str(rater.uuid) for rater in raters] + [str(koshari.uuid)]
    said = html.lower()
    assert [word for word in told if word.lower() in said] == []
    for span in task["spans"]:
        assert re.fullmatch("[0-9a-f]{16}", span["id"])
        assert set(span) == {
            *("id", "anchor", "start", "end", "quote", "paragraph"),
            *("type", "category", "criticality", "explanation", "correction"),
        }


def test_the_lead_may_let_the_target_model_be_seen(marked, stage, project, mona):
    project.show_target_model = True
    project.save()
    assert "Nile-7B" in open_page(mona, stage)[1]


def test_what_karim_said_stays_hidden_from_mona(marked, stage, mona, karim):
    client, _html, task = open_page(karim, stage)
    reviews = [{**review, "verdict": "reject", "comment": "كلام فاضي"} for review in task["draft"]["reviews"]]
    payload = {"submission": str(uuid.uuid4()), "version": 0, "body": {"reviews": reviews}}
    assert client.post(task["urls"]["submit"], payload, content_type="application/json").status_code == 200

    _client, html, task = open_page(mona, stage)

    assert "كلام فاضي" not in html
    assert {review["verdict"] for review in task["draft"]["reviews"]} == {""}


def test_somebody_elses_turn_cannot_be_opened(marked, stage, mona, karim, nour):
    _client, _html, task = open_page(mona, stage)
    for person in (karim, nour):
        assert signed_in(person).get(f"/tasks/{task['assignment']}/").status_code == 404


def test_a_draft_is_kept_and_comes_back(marked, stage, mona):
    client, _html, task = open_page(mona, stage)
    body = {"reviews": [{**review, "verdict": "differs"} for review in task["draft"]["reviews"]]}
    saved = client.put(
        task["urls"]["draft"], {"body": body}, content_type="application/json", headers={"If-Match": '"0"'}
    )
    assert saved.json()["version"] == 1
    again = open_page(mona, stage)[2]
    assert [review["verdict"] for review in again["draft"]["reviews"]] == ["differs", "differs"]
    assert [span["id"] for span in again["spans"]] == [span["id"] for span in task["spans"]], "in the same order"


def test_a_half_decided_answer_is_refused_and_names_what_is_missing(marked, stage, mona):
    client, _html, task = open_page(mona, stage)
    task["draft"]["reviews"] = task["draft"]["reviews"][:1]
    answer = send(client, task, "keep")
    assert answer.status_code == 422
    [problem] = answer.json()["error"]["problems"]
    assert (problem["code"], problem["span"]) == ("required", task["spans"][1]["id"])
    assert not Review.objects.exists()


def test_when_all_have_kept_an_error_it_is_gold_at_once(marked, stage, mona, karim):
    for person in (mona, karim):
        client, _html, task = open_page(person, stage)
        assert send(client, task, "keep").status_code == 200
    gold = set(GoldError.objects.values_list("quote", flat=True))
    assert gold == {SUHOOR, PHARAOHS, LENTILS}


def test_an_amended_answer_takes_its_gold_back(marked, stage, mona, karim):
    for person in (mona, karim):
        client, _html, task = open_page(person, stage)
        send(client, task, "keep")
    client.post(f"/tasks/{task['assignment']}/amend")
    assert set(GoldError.objects.values_list("quote", flat=True)) == {PHARAOHS}, "Karim's own, kept by Mona"


def test_a_marking_submitted_while_the_stage_is_open_brings_the_turns_at_once(project, stage, boishakh, rafia, tanvir):
    Stage.objects.update(is_open=True)
    marking = Stage.objects.get(kind="spans")
    from workflow.planning import plan_items

    plan_items(marking)
    for person, quote in ((rafia, "ইলিশ মাছ"), (tanvir, "ডিসেম্বর")):
        client = signed_in(person)
        address = client.post(f"/p/feasts/my-work/{marking.pk}/next").url
        start = boishakh.text.index(quote)
        span = {
            **{"id": quote, "anchor": "words", "start": start, "end": start + len(quote), "quote": quote},
            **{"type": "cultural", "criticality": "high", "explanation": "ভুল"},
        }
        body = {"no_errors": False, "spans": [span]}
        payload = {"submission": str(uuid.uuid4()), "version": 0, "body": body}
        assert client.post(f"{address}submit", payload, content_type="application/json").status_code == 200
    assert Assignment.objects.filter(stage=stage, status="reserved").count() == 2


def test_statements_do_not_grow_with_the_number_of_errors(
    stage, koshari, mona, karim, simba, django_assert_max_num_queries
):
    Stage.objects.update(is_open=True)
    mark(koshari, mona)
    mark(koshari, karim)
    mark(koshari, simba, *koshari.text.split()[:12])
    from annotation.reviews.planning import plan_open_stages

    plan_open_stages([koshari.id])
    client, _html, task = open_page(mona, stage)
    with django_assert_max_num_queries(27):
        client.get(f"/tasks/{task['assignment']}/")
