"""What Mona's browser shows is held against the text that is judged: a translation of it is nobody's to mark."""

import json
from hashlib import sha256

import pytest

from annotation.pairs.order import is_swapped
from projects.anchors import drawn
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import body as graded
from tests.annotation.rating import rating, rating_stage, turn_of
from tests.people import signed_in
from tests.workflow.working import body, mark, marking_stage, submit
from workflow.as_shown import shown_hash
from workflow.claims import claim_next
from workflow.models import Assignment, Draft, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(project, koshari, mona):
    return claim_next(mona.raters.get(), marking_stage(project))


def save(client, turn, draft, version=0, **more):
    return client.put(
        f"/tasks/{turn.uuid}/draft",
        json.dumps({"body": draft, "client": "tab-1", **more}),
        content_type="application/json",
        headers={"If-Match": f'"{version}"', "Accept": "application/json"},
    )


def test_the_hash_is_of_the_words_without_what_is_blank():
    assert shown_hash(["Rice and\r\n\n lentils\u00a0!\n"]) == sha256(b"Riceandlentils!").hexdigest()
    assert shown_hash(["Rice ", "lentils"]) == sha256(b"Rice\nlentils").hexdigest()
    # A line of nothing but blanks is not drawn, whatever they are.
    assert shown_hash([drawn("رز\n\u3000\nعدس")]) == shown_hash(["رزعدس"])
    assert shown_hash([drawn(" ")]) == sha256(b"").hexdigest()


def test_a_save_from_a_page_that_shows_the_text_is_taken(mine, mona, koshari):
    client = signed_in(mona)
    shown = shown_hash([koshari.text])
    assert save(client, mine, body(mark(koshari, "السحور")), shown=shown).status_code == 200
    assert submit(client, mine, 1, body(no_errors=True), shown=shown).status_code == 200


def test_a_page_that_shows_another_text_saves_and_submits_nothing(mine, mona, koshari):
    client = signed_in(mona)
    translated = shown_hash(["Koshari is an Egyptian dish."])
    for answer in (
        save(client, mine, body(mark(koshari, "السحور")), shown=translated),
        submit(client, mine, 0, body(no_errors=True), shown=translated),
    ):
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "not_as_stored"
        assert "switch translation off" in answer.json()["error"]["message"]
    assert not Draft.objects.exists()
    assert Assignment.objects.get(pk=mine.pk).status == Status.CLAIMED


def test_programs_need_not_say_what_they_show(mine, mona, koshari):
    assert save(signed_in(mona), mine, body(mark(koshari, "السحور"))).status_code == 200
    assert save(signed_in(mona), mine, body(), 1, shown="x" * 65).status_code == 422
    assert save(signed_in(mona), mine, body(), 1, shown=7).status_code == 422


def test_grades_of_a_translated_response_are_refused(project, mona):
    question = question_type(make_ratings_project(project))
    pair = pair_of(project, "greeting", "**أهلا** ![صحن](https://example.org/a.png)", "مرحبا", question=question)
    turn = turn_of(mona, rating_stage(project))
    client = signed_in(mona)
    sides = [pair.first.text * 2, "مرحبا" * 2]
    sides = sides[::-1] if is_swapped(turn.stage.seed, turn.rater_id, pair.pk) else sides
    assert save(client, turn, graded(rating()), shown=shown_hash(sides)).status_code == 200
    refused = save(client, turn, graded(rating()), 1, shown=shown_hash(["Hello" * 2, "Welcome" * 2]))
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_as_stored")
    assert Draft.objects.get().version == 1
