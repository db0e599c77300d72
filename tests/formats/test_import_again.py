"""Nour brings the same file in again, then a newer one; one that was wrong she takes back as a whole."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Marking, Rating, Span
from formats.importing import taking_back
from formats.importing.running import run_import
from formats.importing.taking_back import take_back
from formats.reading import Source
from jobs.models import Job, JobState
from jobs.working import work_on
from projects.models import AuditEvent, Import, Prompt, Response, ResponsePair
from projects.problems import Invalid
from tests.people import signed_in

pytestmark = pytest.mark.django_db

COMMON = {"prompt_id": "p-1", "prompt": "Why?", "variety": "en-US", "model": "Nile-7B", "laboratory": "Delta"}
ONE = {**COMMON, "id": "r1", "response": "Because of this.", "metadata": {"seed": 1}}
TWO = {**COMMON, "id": "r2", "response": "Because of that."}
PAIR = {"kind": "pair", "id": "p", "first": "r1", "second": "r2"}
ANSWER = {
    "kind": "spans", "item": "r1", "rater": "Salma", "rater_kind": "human", "spans": [{"id": "s1", "quote": "this"}]
}  # fmt: skip


def bring(project, *rows: dict, kind: str = "items", name: str = "items.jsonl", **options):
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return run_import(project, Source(io.BytesIO(content), name), kind, **options)


def good(outcome) -> dict[str, int]:
    assert outcome.problems == []
    return {name: count for name, count in outcome.counts.items() if count}


def test_the_same_items_again_change_nothing(project):
    bring(project, ONE, TWO, PAIR)
    before = list(Response.objects.values_list("pk", "uuid", "key"))
    assert good(bring(project, ONE, TWO, PAIR)) == {"unchanged responses": 2, "unchanged pairs": 1}
    assert list(Response.objects.values_list("pk", "uuid", "key")) == before
    assert (Import.objects.count(), AuditEvent.objects.filter(action="data.imported").count()) == (1, 1)


def test_the_same_file_of_answers_again_changes_nothing(project):
    bring(project, ONE)
    assert good(bring(project, ANSWER, kind="answers")) == {"answers": 1, "spans": 1, "new raters": 1}
    assert good(bring(project, ANSWER, kind="answers")) == {"unchanged answers": 1}
    assert (Marking.objects.count(), Span.objects.count()) == (1, 1)
    assert (Import.objects.count(), AuditEvent.objects.filter(action="data.imported").count()) == (2, 2)


def test_a_newer_file_adds_what_is_new_and_renews_what_nothing_rests_on(project):
    bring(project, ONE, TWO)
    newer = {**ONE, "response": "Because of something else."}
    three = {**TWO, "id": "r3"}
    assert good(bring(project, newer, {**TWO, "metadata": {"seed": 9}}, three)) == {
        "updated responses": 2,
        "responses": 1,
    }
    assert list(Response.objects.order_by("key").values_list("key", "text", "metadata")) == [
        ("r1", "Because of something else.", {"seed": 1}),
        ("r2", "Because of that.", {"seed": 9}),
        ("r3", "Because of that.", {}),
    ]


def test_a_changed_text_that_has_answers_stands_beside_it_as_a_new_version(project):
    bring(project, ONE)
    bring(project, ANSWER, kind="answers")
    first = Response.objects.get()
    newer = {**ONE, "response": "Because of something else."}
    assert good(bring(project, newer)) == {"new versions": 1}
    second = Response.objects.get(key="r1@2")
    assert (second.text, second.earlier) == ("Because of something else.", first)
    first.refresh_from_db()
    assert (first.text, first.spans.count()) == ("Because of this.", 1)
    assert good(bring(project, newer)) == {"unchanged responses": 1}, (
        "the newest version is what a file is held against"
    )
    bring(project, {**ANSWER, "item": "r1@2", "spans": [{"id": "s1", "quote": "Because"}]}, kind="answers")
    bring(project, {**ONE, "response": "A third text."})
    third = Response.objects.get(key="r1@3")
    assert third.earlier == second


@pytest.mark.parametrize(
    ("change", "field"),
    [({"model": "Hangang-14B"}, "model"), ({"variety": "ar-EG"}, "variety"), ({"prompt_id": "p-2"}, "prompt_id")],
)
def test_an_id_of_another_model_variety_or_prompt_is_refused(project, change, field):
    bring(project, ONE)
    outcome = bring(project, {**ONE, **change})
    assert ("already_there_differs", field) in [(problem.code, problem.field) for problem in outcome.problems]
    assert Response.objects.count() == 1


def test_an_id_stands_once_in_a_newer_file_too(project):
    bring(project, ONE)
    outcome = bring(project, {**ONE, "response": "Other."}, {**ONE, "response": "Another."})
    assert [(problem.line, problem.code) for problem in outcome.problems] == [(2, "duplicate_id")]


# --- Taking back ---


def test_a_wrong_import_is_taken_back_as_a_whole(project, nour):
    bring(project, ONE, actor=nour)
    bring(
        project, TWO, {**COMMON, "prompt_id": "p-2", "id": "x", "response": "x"}, PAIR, name="wrong.jsonl", actor=nour
    )
    page = signed_in(nour).get("/p/feasts/import/").content.decode()
    assert "wrong.jsonl" in page
    wrong = Import.objects.get(name="wrong.jsonl")
    signed_in(nour).post(reverse("import-take-back", args=["feasts", wrong.uuid]))
    assert list(Response.objects.values_list("key", flat=True)) == ["r1"]
    assert (list(Prompt.objects.values_list("key", flat=True)), ResponsePair.objects.count()) == (["p-1"], 0)
    event = AuditEvent.objects.get(action="data.taken_back")
    assert (event.actor, event.subject) == (nour, "wrong.jsonl")
    assert "wrong.jsonl" not in signed_in(nour).get("/p/feasts/import/").content.decode()
    with pytest.raises(Invalid, match="taken back already"):
        take_back(wrong, nour)
    assert good(bring(project, TWO)) == {"responses": 1}, "it may come in again"


def test_a_large_import_is_taken_back_by_a_worker(project, nour, monkeypatch):
    """Of 100,000 rows that takes three seconds, in which nobody should look at a page that does not come."""
    monkeypatch.setattr(taking_back, "AT_ONCE", 2)
    good(bring(project, ONE, TWO, PAIR, actor=nour))
    brought = Import.objects.get()
    page = signed_in(nour).post(reverse("import-take-back", args=["feasts", brought.uuid]))
    job = Job.objects.get(kind="taking_back")
    assert (page.status_code, page.headers["Location"]) == (303, reverse("job", args=["feasts", job.uuid]))
    program = signed_in(nour).post(f"/api/v1/projects/feasts/imports/{brought.uuid}/take-back/")
    assert program.status_code == 202
    assert str(job.uuid) in program.headers["Location"], "asked twice, it is one job"
    assert Response.objects.count() == 2, "nothing went yet"
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["responses"]) == (JobState.DONE, 2)
    assert not Response.objects.exists()
    assert AuditEvent.objects.get(action="data.taken_back").actor == nour
    assert brought.name in signed_in(nour).get(reverse("job", args=["feasts", job.uuid])).content.decode()


def test_a_large_import_on_which_something_rests_stays_and_the_job_says_why(project, nour, monkeypatch):
    monkeypatch.setattr(taking_back, "AT_ONCE", 0)
    good(bring(project, ONE, actor=nour))
    good(bring(project, ANSWER, kind="answers"))
    signed_in(nour).post(reverse("import-take-back", args=["feasts", Import.objects.order_by("pk")[0].uuid]))
    job = Job.objects.get(kind="taking_back")
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "rest on it" in job.problem
    assert Response.objects.count() == 1


def test_what_has_answers_is_not_taken_back(project, nour):
    bring(project, ONE, actor=nour)
    bring(project, ANSWER, kind="answers")
    items, answers = Import.objects.order_by("pk")
    address = reverse("import-take-back", args=["feasts", items.uuid])
    page = signed_in(nour).post(address, follow=True).content.decode()
    assert "Nothing was taken back." in page
    assert "rest on it" in page
    refused = signed_in(nour).post(f"/api/v1/projects/feasts/imports/{items.uuid}/take-back/")
    assert (refused.status_code, Response.objects.count()) == (422, 1)
    take_back(answers, nour)
    take_back(items, nour)
    assert (Response.objects.count(), Marking.objects.count()) == (0, 0)


def test_an_import_of_which_nothing_is_left_has_no_button(project, nour):
    bring(project, ONE, name="old.jsonl")
    bring(project, {**ONE, "response": "Because of something else."}, name="new.jsonl")
    page = signed_in(nour).get("/p/feasts/import/").content.decode()
    assert page.count("take-back/") == 2, "the first still has its prompt"
    Response.objects.all().delete()
    assert signed_in(nour).get("/p/feasts/import/").content.decode().count("take-back/") == 1
    with pytest.raises(Invalid, match="is there to be taken back"):
        take_back(Import.objects.get(name="new.jsonl"), nour)


def test_what_a_later_file_rests_on_is_not_taken_back(project, nour):
    bring(project, ONE)
    bring(project, TWO, PAIR, name="later.jsonl")
    first, later = Import.objects.order_by("pk")
    with pytest.raises(Invalid, match="rest on it"):
        take_back(first, nour)
    take_back(later, nour)
    take_back(first, nour)
    assert not Prompt.objects.exists()


def test_programs_and_commands_take_back_too(project, nour, capsys):
    bring(project, ONE)
    bring(project, TWO, name="two.jsonl")
    first, second = Import.objects.order_by("pk")
    listed = signed_in(nour).get("/api/v1/projects/feasts/imports/").json()
    assert [(each["name"], each["counts"]["responses"]) for each in listed] == [("two.jsonl", 1), ("items.jsonl", 1)]
    done = signed_in(nour).post(f"/api/v1/projects/feasts/imports/{second.uuid}/take-back/")
    assert (done.status_code, done.json()["taken_back"]["responses"]) == (200, 1)
    call_command("take_back_import", project.slug)
    assert str(first.uuid) in capsys.readouterr().out
    call_command("take_back_import", project.slug, str(first.uuid), dry_run=True)
    assert Response.objects.count() == 1
    call_command("take_back_import", project.slug, str(first.uuid))
    assert not Response.objects.exists()
    with pytest.raises(CommandError, match="no import of this id"):
        call_command("take_back_import", project.slug, "nowhere")


def test_ratings_of_a_pair_keep_it_too(project, nour):
    bring(project, ONE, TWO, PAIR)
    question = {"id": "better", "dimension": "All", "name": "Better", "definition": "Which is better?"}
    bring(project, {**question, "lowest": None, "highest": None, "levels": []}, kind="questions")
    rating = {"kind": "ratings", "pair": "p", "rater": "Salma", "rater_kind": "human", "preference": "first"}
    assert good(bring(project, rating, kind="answers"))["ratings"] == 1
    assert Rating.objects.count() == 1
    with pytest.raises(Invalid, match="ratings rest on it"):
        take_back(Import.objects.order_by("pk")[0], nour)
