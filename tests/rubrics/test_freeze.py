"""Salma freezes a rubric: complete, or refused with everything that is missing; once, and for good."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from projects.access import PERMISSIONS
from projects.anchors import sha256
from projects.models import AuditEvent, LanguageVariety, Prompt, Response
from projects.problems import Invalid
from rubrics.authoring import freezing
from rubrics.authoring.freezing import check_ready
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256
from rubrics.models import Criterion, Rubric
from rubrics.reveal import is_revealed, revealed
from tests.people import add_response, signed_in
from tests.rubrics.writing import (
    PROMPT,
    authoring_stage,
    begun_by,
    criterion,
    draft,
    freeze,
    frozen_by,
    problems,
    task_of,
    tried,
)
from tests.workflow.working import put_draft, submit
from workflow.claims import claim_another, sweep_expired_leases
from workflow.models import Assignment, Draft, Status
from workflow.planning import plan_items
from workflow.reassignment import may_amend

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project):
    return authoring_stage(project)


@pytest.fixture
def mine(stage, salma) -> Assignment:
    return begun_by(salma, stage)


@pytest.fixture
def client(salma):
    return signed_in(salma)


def changed(**changes) -> dict:
    """A complete draft with something else in its first criterion."""
    first, second = draft()["criteria"]
    return draft(criteria=[{**first, **changes}, second])


def test_a_complete_rubric_is_frozen(client, mine, salma, project):
    tried(mine)
    body = draft(
        criteria=[
            criterion(1, text="بيذكر الرز.", weight=9, band="core-term"),
            criterion(2, text="بيذكر العدس والمكرونة.", weight=4, objectivity="subjective", explicitness="implicit"),
        ]
    )
    put_draft(client, mine, 0, body)
    before = timezone.now()
    answer = submit(client, mine, 1, body)
    assert answer.status_code == 200
    rubric = Rubric.objects.get()
    assert answer.json()["next"] == f"/p/feasts/rubrics/{rubric.uuid}/"
    assert (rubric.version, rubric.scope, rubric.supersedes, rubric.author.user) == (1, "cultural", None, salma)
    assert rubric.gold_answer == body["gold_answer"]
    assert before <= rubric.frozen_at <= timezone.now()
    assert (rubric.prompt.text, rubric.prompt.text_sha256) == (PROMPT, sha256(PROMPT))
    assert (rubric.prompt.key, rubric.prompt.domain, rubric.prompt.variety.tag) == ("ar-EG-001", "cultural", "ar-EG")
    assert (rubric.difficulty["model"], rubric.difficulty["outcome"], rubric.difficulty["by_hand"]) == (
        "Nile-7B",
        "partial",
        True,
    )
    rows = Criterion.objects.order_by("position").values_list("text", "weight", "band__slug", "explicitness")
    assert list(rows) == [
        ("بيذكر الرز.", 9, "core-term", "explicit"),
        ("بيذكر العدس والمكرونة.", 4, None, "implicit"),
    ]
    assert not Draft.objects.exists()
    assert AuditEvent.objects.get(action="rubric.frozen").detail["sha256"] == rubric.sha256


def test_the_hash_is_that_of_what_the_rubric_says(client, mine):
    rubric = frozen_by(client, mine)
    first, second = draft()["criteria"]
    assert rubric.sha256 == rubric_sha256(
        canonical_form(
            prompt_sha256=sha256(PROMPT),
            variety="ar-EG",
            scope="cultural",
            gold_answer=draft()["gold_answer"],
            criteria=[CanonicalCriterion(**first), CanonicalCriterion(**second)],
        )
    )


def test_texts_are_frozen_as_they_were_typed(client, mine):
    prompt = "  مين اخترع الكشري؟\n"
    tried(mine, prompt=prompt)
    assert freeze(client, mine, draft(prompt=prompt)).status_code == 200
    assert Prompt.objects.get().text == prompt


def test_everything_that_is_missing_is_named_at_once(client, mine):
    empty = {"scope": "", "prompt": " ", "gold_answer": "", "criteria": [], "accepted": []}
    assert problems(freeze(client, mine, empty)) == {
        ("scope", "required"),
        ("prompt", "required"),
        ("gold_answer", "required"),
        ("criteria", "required"),
    }
    bare = {"text": " ", "weight": None, "objectivity": "", "explicitness": ""}
    answer = freeze(client, mine, draft(criteria=[criterion(1, **bare), criterion(2, weight=0)]))
    assert problems(answer) == {
        ("text", "required"),
        ("weight", "required"),
        ("weight", "zero"),
        ("objectivity", "required"),
        ("explicitness", "required"),
        ("difficulty", "required"),
        ("findings", "open_finding"),  # nothing covers the gold answer
    }
    keys = {problem["span"] for problem in answer.json()["error"]["problems"] if problem["field"] == "weight"}
    assert keys == {criterion(1)["key"], criterion(2)["key"]}
    assert not Rubric.objects.exists()
    assert not Prompt.objects.exists()
    mine.refresh_from_db()
    assert mine.status == Status.CLAIMED


def test_a_criterion_of_a_frozen_rubric_changes_something(client, mine):
    tried(mine)
    answer = freeze(client, mine, changed(weight=0))
    assert problems(answer) == {("weight", "zero")}


def test_a_band_the_project_dropped_is_refused_at_the_freeze_and_kept_in_the_draft(client, mine):
    tried(mine)
    body = changed(band="gone")
    assert put_draft(client, mine, 0, body).status_code == 200
    assert problems(submit(client, mine, 1, body)) == {("band", "unknown")}


def test_a_resend_freezes_nothing_new(client, mine):
    tried(mine)
    key = uuid.uuid4()
    first, second = (freeze(client, mine, draft(), submission=key) for _time in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert (Rubric.objects.count(), Prompt.objects.count(), Criterion.objects.count()) == (1, 1, 2)


def test_a_frozen_rubric_is_never_taken_back(client, mine, nour):
    rubric = frozen_by(client, mine)
    mine.refresh_from_db()
    assert not may_amend(mine)
    client.post(f"/tasks/{mine.uuid}/amend")
    signed_in(nour).post(f"/p/feasts/assignments/{mine.uuid}/reopen/")
    mine.refresh_from_db()
    assert mine.status == Status.SUBMITTED
    assert put_draft(client, mine, 1, draft()).status_code == 409
    rubric.gold_answer = "Something else."
    with pytest.raises(IntegrityError, match="never changes"):
        rubric.save()


def test_the_screen_of_a_frozen_rubric_reads_it_again(client, mine):
    frozen_by(client, mine)
    task = task_of(client, mine)
    assert task["read_only"] is True
    assert task["draft"] == draft()


def test_each_prompt_gets_the_next_free_key(client, stage, salma, project):
    text = "Elsewhere."
    variety = LanguageVariety.objects.get(tag="ar-EG")
    Prompt.objects.create(project=project, key="ar-EG-002", text=text, text_sha256=sha256(text), variety=variety)
    for _number in range(2):
        frozen_by(client, begun_by(salma, stage))
    # One prompt of the variety was there, so the count goes on with 2, which is taken; then with 3, taken as well.
    assert list(Rubric.objects.order_by("pk").values_list("prompt__key", flat=True)) == ["ar-EG-003", "ar-EG-004"]


def test_a_key_taken_this_very_moment_is_tried_again(client, mine, stage, salma, monkeypatch):
    frozen_by(client, mine)
    keys = iter(["ar-EG-001", "ar-EG-002"])
    monkeypatch.setattr(freezing, "_free_key", lambda project, variety: next(keys))
    assert frozen_by(client, begun_by(salma, stage)).prompt.key == "ar-EG-002"


# --- A prompt that was imported ---------------------------------------------------------------------------


@pytest.fixture
def taken_up(stage, salma, project) -> Assignment:
    variety = LanguageVariety.objects.get(tag="ar-EG")
    Prompt.objects.create(project=project, key="imported", text=PROMPT, text_sha256=sha256(PROMPT), variety=variety)
    plan_items(stage)
    claimed = claim_another(salma.raters.get(), stage)
    assert claimed is not None
    return claimed


def test_unchanged_it_stays_that_prompt(client, taken_up):
    assert frozen_by(client, taken_up).prompt.key == "imported"
    assert Prompt.objects.count() == 1


def test_changed_it_is_a_prompt_of_its_own(client, taken_up):
    rubric = frozen_by(client, taken_up, draft(prompt=PROMPT + " وليه؟"))
    assert rubric.prompt.key == "ar-EG-002"
    assert Prompt.objects.get(key="imported").text == PROMPT


def test_where_another_was_first_the_freeze_is_refused(client, taken_up, zaid, project):
    tried(taken_up)
    Rubric.objects.create(
        project=project,
        prompt=taken_up.item.prompt,
        author=zaid.raters.get(),
        scope="cultural",
        gold_answer="Rice.",
    )
    assert problems(freeze(client, taken_up, draft())) == {("prompt", "has_rubric")}


def test_where_another_is_first_between_check_and_write_the_database_decides(taken_up, zaid, project):
    tried(taken_up)
    checked = check_ready(taken_up, draft())
    Rubric.objects.create(
        project=project,
        prompt=taken_up.item.prompt,
        author=zaid.raters.get(),
        scope="cultural",
        gold_answer="Rice.",
    )
    with pytest.raises(Invalid, match="this very moment"):
        freezing.freeze(taken_up, checked)
    assert Criterion.objects.count() == 0


# --- Who may ------------------------------------------------------------------------------------------------


def test_nobody_freezes_the_rubric_of_another(mine, zaid, nour):
    tried(mine)
    for person in (zaid, nour):
        assert freeze(signed_in(person), mine, draft()).status_code == 404
    assert not Rubric.objects.exists()


def test_who_is_no_author_any_more_freezes_nothing(client, mine, salma):
    tried(mine)
    salma.memberships.update(role="annotator")
    assert freeze(client, mine, draft()).status_code == 404
    assert not Rubric.objects.exists()


def test_writing_and_freezing_are_two_permissions(client, mine, monkeypatch):
    tried(mine)
    monkeypatch.setitem(PERMISSIONS, "rubrics.freeze", frozenset({"lead"}))
    assert put_draft(client, mine, 0, draft()).status_code == 200
    assert problems(submit(client, mine, 1, draft())) == {("body", "not_allowed")}


# --- The order: freeze before reveal ------------------------------------------------------------------------


def test_responses_are_withheld_until_the_freeze(client, taken_up, project):
    response = add_response(project, "koshari", "A response.", "ar-EG")
    Response.objects.filter(pk=response.pk).update(prompt=taken_up.item.prompt)
    response.refresh_from_db()
    assert not is_revealed(response)
    assert list(revealed(Response.objects.all())) == []
    frozen_by(client, taken_up)
    assert is_revealed(response)
    assert list(revealed(Response.objects.all())) == [response]


def test_work_goes_on_after_the_lease_ran_out(client, mine):
    """Two weeks pass: what is nobody else's can still be frozen."""
    tried(mine)
    Assignment.objects.update(lease_expires_at=timezone.now() - timedelta(days=1))
    assert sweep_expired_leases() == 1
    assert freeze(client, mine, draft()).status_code == 200
