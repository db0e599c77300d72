"""A mark that repeats another names its origin: in the draft, stored, taken back, in files in and out. A project may
leave the offer out."""

import pytest

from annotation.models import Marking, Span
from annotation.spans.screen import screen
from projects.models import Project
from reports.frames import spans
from tests.annotation.test_import_answers import bring, span, spans_line
from tests.people import EGYPTIAN, signed_in
from tests.workflow.working import body, mark, marking_stage, put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Draft

pytestmark = pytest.mark.django_db
FIRST = EGYPTIAN.index("الكشري")
SECOND = EGYPTIAN.index("الكشري", FIRST + 1)


@pytest.fixture
def mine(project, koshari, mona):
    return claim_next(mona.raters.get(), marking_stage(project))


def twice(koshari) -> tuple[dict, dict]:
    """The same word at two places, the second as a repetition of the first."""
    first = {**mark(koshari, "الكشري"), "id": "first", "start": FIRST, "end": FIRST + 6}
    return first, {**first, "id": "second", "start": SECOND, "end": SECOND + 6, "origin": "first"}


def test_the_origin_is_in_draft_answer_and_file_and_comes_back_with_the_answer(mine, mona, koshari, project):
    client, draft = signed_in(mona), body(*twice(koshari))
    version = put_draft(client, mine, 0, draft).json()["version"]
    assert [each.get("origin") for each in Draft.objects.get().body["spans"]] == [None, "first"]
    assert submit(client, mine, version, draft).status_code == 200
    assert dict(Span.objects.values_list("key", "origin")) == {"first": "", "second": "first"}
    found = spans(project).set_index("span_key").origin
    assert found["second"] == "first"
    assert found.isna()["first"]
    client.post(f"/tasks/{mine.uuid}/amend")
    assert not Marking.objects.exists()
    assert [each.get("origin") for each in Draft.objects.get().body["spans"]] == [None, "first"]


def test_a_mark_may_outlive_its_origin(mine, mona, koshari):
    _first, second = twice(koshari)
    assert submit(signed_in(mona), mine, 0, body(second)).status_code == 200
    assert Span.objects.get().origin == "first"


def test_the_origin_follows_a_key_that_another_persons_mark_has(mine, mona, koshari, project):
    assert bring(project, spans_line(span("first"))).is_stored
    assert submit(signed_in(mona), mine, 0, body(*twice(koshari))).status_code == 200
    first, second = Span.objects.filter(marking__assignment=mine).order_by("start")
    assert first.key != "first"
    assert (second.key, second.origin) == ("second", first.key)


def test_an_answer_made_elsewhere_brings_its_origins_and_a_newer_file_renews_them(project, koshari):
    first = span("a", quote="الكشري", start=FIRST, end=FIRST + 6)
    second = {**first, "id": "b", "start": SECOND, "end": SECOND + 6}
    assert bring(project, spans_line(first, {**second, "origin": "a"})).is_stored
    assert dict(Span.objects.values_list("key", "origin")) == {"a": "", "b": "a"}
    outcome = bring(project, spans_line(first, {**second, "origin": "b"}))
    assert [(problem.field, problem.code) for problem in outcome.problems] == [("spans[1].origin", "itself")]


def test_a_project_may_leave_the_offer_out(mine, project, nour):
    page = signed_in(nour).get("/p/feasts/settings/")
    assert "The same words again" in page.content.decode()
    assert screen(mine, {})["task"]["repeats"] is True
    Project.objects.filter(pk=project.pk).update(forbid_repeats=True)
    assert screen(Assignment.objects.get(pk=mine.pk), {})["task"]["repeats"] is False
