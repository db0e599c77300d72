"""Zaid reads Salma's rubric before its freeze. What he approves is these very words."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rubrics.authoring import reviewing
from rubrics.authoring.checking import draft_sha256
from rubrics.models import DraftReview, Rubric, RubricSettings
from tests.people import join, person, signed_in
from tests.rubrics.writing import authoring_stage, begun_by, call, draft, freeze, problems, task_of, tried
from tests.workflow.working import put_draft, submit
from workflow.models import Assignment

pytestmark = pytest.mark.django_db
CHANGED = draft(gold_answer="الكشري أكلة مصرية من الرز والعدس والمكرونة والبصل.")


@pytest.fixture
def stage(project):
    made = authoring_stage(project)
    RubricSettings.objects.create(project=project, needs_review=True)
    return made


@pytest.fixture
def mine(stage, salma) -> Assignment:
    """Salma's rubric, complete and tried, as she last saved it."""
    begun = begun_by(salma, stage)
    tried(begun)
    put_draft(signed_in(salma), begun, 0, draft())
    return begun


@pytest.fixture
def client(salma):
    return signed_in(salma)


@pytest.fixture
def asked(client, mine) -> DraftReview:
    answer = call(client, mine, "ask-review")
    assert answer.status_code == 200, answer.content
    return DraftReview.objects.get()


def decide(who, review, decision, remarks="", digest=None):
    form = {"decision": decision, "remarks": remarks, "body_sha256": digest or review.body_sha256}
    return signed_in(who).post(f"/p/feasts/rubrics/reviews/{review.pk}/", form)


def test_without_an_approval_there_is_no_freeze(client, mine):
    assert problems(freeze(client, mine, draft())) == {("review", "required")}
    assert not Rubric.objects.exists()


def test_another_author_reads_and_approves_it(client, mine, asked, zaid):
    assert asked.body == draft()
    reader = signed_in(zaid)
    queue = reader.get("/p/feasts/rubrics/reviews/").content.decode()
    assert f"/p/feasts/rubrics/reviews/{asked.pk}/" in queue
    page = reader.get(f"/p/feasts/rubrics/reviews/{asked.pk}/").content.decode()
    assert draft()["gold_answer"] in page
    assert "Salma" not in page
    assert problems(submit(client, mine, 1, draft())) == {("review", "required")}
    assert decide(zaid, asked, "approved").status_code == 302
    assert task_of(client, mine)["review"]["decision"] == "approved"
    assert submit(client, mine, 1, draft()).status_code == 200
    assert Rubric.objects.get().reviewed_by.user == zaid


def test_an_approval_holds_of_these_very_words_alone(client, mine, asked, zaid):
    decide(zaid, asked, "approved")
    put_draft(client, mine, 1, CHANGED)
    assert task_of(client, mine)["review"]["holds"] is False
    assert problems(submit(client, mine, 2, CHANGED)) == {("review", "required")}
    put_draft(client, mine, 2, draft())
    assert submit(client, mine, 3, draft()).status_code == 200


def test_what_is_returned_comes_with_remarks_and_can_be_asked_again(client, mine, asked, zaid):
    page = decide(zaid, asked, "returned")
    assert page.status_code == 422
    assert "Say what should be changed" in page.content.decode()
    decide(zaid, asked, "returned", "The onions are missing.")
    told = task_of(client, mine)["review"]
    assert (told["decision"], told["remarks"], told["holds"]) == ("returned", "The onions are missing.", True)
    assert problems(submit(client, mine, 1, draft())) == {("review", "required")}
    put_draft(client, mine, 1, CHANGED)
    assert call(client, mine, "ask-review").json()["review"]["decision"] == ""
    assert DraftReview.objects.count() == 2


def test_asking_twice_asks_once_and_other_words_take_the_place(client, mine, asked):
    call(client, mine, "ask-review")
    assert DraftReview.objects.get() == asked
    put_draft(client, mine, 1, CHANGED)
    call(client, mine, "ask-review")
    assert DraftReview.objects.get().body == CHANGED


def test_an_unfinished_rubric_is_not_laid_before_others(client, mine):
    put_draft(client, mine, 1, draft(gold_answer=""))
    assert ("gold_answer", "required") in problems(call(client, mine, "ask-review"))
    assert not DraftReview.objects.exists()


def test_what_the_author_changed_while_it_was_read_is_not_decided_unread(client, mine, asked, zaid):
    put_draft(client, mine, 1, CHANGED)
    call(client, mine, "ask-review")
    changed = DraftReview.objects.get()
    assert decide(zaid, asked, "approved").status_code == 404  # what he read is gone
    page = decide(zaid, changed, "approved", digest=draft_sha256(draft()))
    assert page.status_code == 422
    assert "the author has changed the rubric" in page.content.decode()
    changed.refresh_from_db()
    assert changed.decision == ""


def test_nobody_reviews_their_own(client, mine, asked, salma):
    assert f"/reviews/{asked.pk}/" not in client.get("/p/feasts/rubrics/reviews/").content.decode()
    assert client.get(f"/p/feasts/rubrics/reviews/{asked.pk}/").status_code == 404
    assert decide(salma, asked, "approved").status_code == 404
    asked.refresh_from_db()
    assert asked.decision == ""


def test_the_verb_itself_refuses_ones_own(mine, asked, salma):
    with pytest.raises(reviewing.Invalid, match="of their own"):
        reviewing.decide(asked, salma.raters.get(), "approved", "", asked.body_sha256)


def test_authors_of_other_languages_leads_and_annotators_do_not_review(asked, project, nour, mona):
    elsewhere = join(person("dina@example.org", "Dina"), project, "author", varieties=("ar-IQ",))
    assert f"/reviews/{asked.pk}/" not in signed_in(elsewhere).get("/p/feasts/rubrics/reviews/").content.decode()
    for who in (elsewhere, nour, mona):
        assert decide(who, asked, "approved").status_code == 404
    asked.refresh_from_db()
    assert asked.decision == ""


def test_a_decision_is_made_once(mine, asked, zaid, project):
    dina = join(person("dina@example.org", "Dina"), project, "author", varieties=("ar-EG",))
    decide(zaid, asked, "approved")
    assert decide(dina, asked, "returned", "No.").status_code == 404
    asked.refresh_from_db()
    assert (asked.decision, asked.reviewer.user) == ("approved", zaid)


def test_what_was_discarded_waits_for_nobody(client, mine, asked, zaid):
    call(client, mine, "skip", reason="too_easy")
    assert "Nothing waits for you" in signed_in(zaid).get("/p/feasts/rubrics/reviews/").content.decode()


def test_the_queue_costs_no_query_per_rubric(asked, salma, zaid, stage, django_assert_num_queries):
    reader = signed_in(zaid)
    with CaptureQueriesContext(connection) as one:
        reader.get("/p/feasts/rubrics/reviews/")
    asked_of_the_database = len(one)
    for _number in range(4):
        other = begun_by(salma, stage)
        tried(other)
        put_draft(signed_in(salma), other, 0, draft())
        call(signed_in(salma), other, "ask-review")
    with django_assert_num_queries(asked_of_the_database):
        page = reader.get("/p/feasts/rubrics/reviews/").content.decode()
    assert page.count("/p/feasts/rubrics/reviews/") >= 5
