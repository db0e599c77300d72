"""Mona sees what there is to do, takes the next item, and reads how far she is."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.people import signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_next
from workflow.models import Assignment

pytestmark = pytest.mark.django_db


def test_before_there_is_work_the_page_says_so(project, mona):
    page = signed_in(mona).get("/p/feasts/my-work/").content.decode()
    assert "Nothing to do yet" in page


def test_mona_takes_the_next_item_by_a_button(project, koshari, mona):
    stage = marking_stage(project)
    client = signed_in(mona)
    assert "Take the next item" in client.get("/p/feasts/my-work/").content.decode()
    assert not Assignment.objects.exists()
    answer = client.post(f"/p/feasts/my-work/{stage.pk}/next")
    mine = Assignment.objects.get()
    assert answer.headers["Location"] == f"/tasks/{mine.uuid}/"
    assert "Go on with this" in client.get("/p/feasts/my-work/").content.decode()


def test_when_all_is_done_the_page_says_so(project, koshari, mona):
    stage, client = marking_stage(project), signed_in(mona)
    mine = claim_next(mona.raters.get(), stage)
    answer = submit(client, mine, 0, body(no_errors=True))
    assert answer.json()["next"] == "/p/feasts/my-work/"
    page = client.get("/p/feasts/my-work/").content.decode()
    assert "All done" in page
    assert "1 of 1 done" in page
    assert "Nothing is left" in client.post(f"/p/feasts/my-work/{stage.pk}/next", follow=True).content.decode()


def test_giving_an_item_back(project, koshari, mona):
    mine = claim_next(mona.raters.get(), marking_stage(project))
    page = signed_in(mona).post(f"/tasks/{mine.uuid}/release", follow=True)
    assert "was given back" in page.content.decode()
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 2


def test_the_task_screen_carries_what_its_script_needs(project, koshari, mona):
    project.ask_category = True
    project.save()
    mine = claim_next(mona.raters.get(), marking_stage(project))
    page = signed_in(mona).get(f"/tasks/{mine.uuid}/")
    task = page.context["task"]
    assert set(task) == {
        *("assignment", "version", "draft", "text", "lang", "dir", "paragraphs", "types", "criticalities"),
        *("categories", "urls", "skip_reasons", "read_only", "lease_expires_at", "owner", "idle_seconds", "retired"),
        *("rules", "score", "questions", "repeats", "remarks", "own_keys"),
    }
    assert (task["text"], task["lang"], task["dir"]) == (koshari.text, "ar-EG", "rtl")
    assert [koshari.text[start:end] for start, end in task["paragraphs"]] == koshari.text.split("\n\n")
    assert set(task["urls"]) == {"draft", "submit", "skip", "signs", "next", "login", "keys", "remarks"}
    assert (task["version"], task["draft"], task["read_only"]) == (0, {"no_errors": False, "spans": []}, False)
    assert "Nile-7B" not in page.content.decode()  # which model wrote it is not shown


def test_guidelines_are_markdown_and_never_markup_of_their_own(project, koshari, mona):
    project.guidelines = "**Mark** it <script>alert(1)</script> [x](javascript:alert(1))"
    project.save()
    mine = claim_next(mona.raters.get(), marking_stage(project))
    page = signed_in(mona).get(f"/tasks/{mine.uuid}/").content.decode()
    assert "<strong>Mark</strong>" in page
    assert "<script>alert" not in page
    assert 'href="javascript' not in page


def test_guidelines_stand_open_until_the_first_item_is_done(project, koshari, mona):
    project.guidelines = "Mark what is wrong."
    project.save()
    add_responses(koshari, 1)
    stage = marking_stage(project)
    client = signed_in(mona)

    def opened(item) -> bool:
        page = client.get(f"/tasks/{item.uuid}/").content.decode()
        return "open" in page[page.index('data-remember="guidelines') :].split(">")[0]

    first = claim_next(mona.raters.get(), stage)
    assert opened(first)
    submit(client, first, 0, body(no_errors=True))
    assert not opened(claim_next(mona.raters.get(), stage))


def test_the_screen_and_the_overview_cost_the_same_early_and_late(project, koshari, mona):
    add_responses(koshari, 12)
    stage, client = marking_stage(project), signed_in(mona)

    def cost(address):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    submit(client, claim_next(mona.raters.get(), stage), 0, body(no_errors=True))  # what is done lately has a title
    first = claim_next(mona.raters.get(), stage)
    early = cost(f"/tasks/{first.uuid}/"), cost("/p/feasts/my-work/")
    for _number in range(10):
        submit(client, claim_next(mona.raters.get(), stage), 0, body(no_errors=True))
    last = claim_next(mona.raters.get(), stage)
    assert (cost(f"/tasks/{last.uuid}/"), cost("/p/feasts/my-work/")) == early
    assert max(early) <= 19


def test_the_strip_shows_where_one_is(project, koshari, mona):
    add_responses(koshari, 3)
    stage, client = marking_stage(project), signed_in(mona)
    submit(client, claim_next(mona.raters.get(), stage), 0, body(no_errors=True))
    mine = claim_next(mona.raters.get(), stage)
    context = client.get(f"/tasks/{mine.uuid}/").context
    assert [(item["number"], item["state"], item["current"]) for item in context["strip"]] == [
        (1, "done", False),
        (2, "started", True),
    ]
    assert (context["done"], context["total"]) == (1, 4)


@pytest.mark.parametrize(("who", "status"), [("mona", 200), ("hana", 200), ("nour", 404), ("omar", 404), ("ada", 404)])
def test_work_is_for_those_who_work(project, koshari, who, status, request):
    stage = marking_stage(project)
    client = signed_in(request.getfixturevalue(who))
    assert client.get("/p/feasts/my-work/").status_code == status
    assert client.post(f"/p/feasts/my-work/{stage.pk}/next").status_code == (302 if status == 200 else 404)


def test_a_stage_of_another_project_does_not_exist_here(project, other_project, koshari, mona):
    elsewhere = marking_stage(other_project)
    assert signed_in(mona).post(f"/p/feasts/my-work/{elsewhere.pk}/next").status_code == 404


def test_signing_in_again_ends_on_a_page_that_hands_over_a_token(mona):
    assert Client().get("/session/signed-in/").status_code == 302
    page = signed_in(mona).get("/session/signed-in/").content.decode()
    assert f'<meta name="signed-in-owner" content="{mona.pk}">' in page
    assert 'name="csrf-token"' in page
    assert "signed-in.js" in page


def test_what_was_done_is_known_by_its_words(project, koshari, mona):
    """A key such as demo-eg-04 tells nobody what it was."""
    mine = claim_next(mona.raters.get(), marking_stage(project))
    client = signed_in(mona)
    begun = client.get("/p/feasts/my-work/").content.decode()
    assert f'href="/tasks/{mine.uuid}/" dir="auto">Question of koshari</a>' in begun
    submit(client, mine, 0, body(no_errors=True))
    assert "Question of koshari</a>" in client.get("/p/feasts/my-work/").content.decode()
    mine.item.response.prompt.text = "A  long\nquestion " * 40
    assert mine.item.first_words == ("A long question " * 5).strip() + "…"  # 79 characters; the next word is not begun
    mine.item.response.prompt.text = "A  long\nquestion"
    assert mine.item.first_words == "A long question"
