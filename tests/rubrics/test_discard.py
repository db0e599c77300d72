"""Salma gives a rubric up for good and says why; what she wrote stays readable."""

import pytest

from projects.anchors import sha256
from projects.models import LanguageVariety, Prompt
from rubrics.models import Rubric
from tests.people import signed_in
from tests.rubrics.writing import PROMPT, authoring_stage, begun_by, call, draft, freeze, problems, task_of, tried
from tests.workflow.working import put_draft
from workflow.claims import claim_another, claim_next
from workflow.models import Assignment, Draft, Status
from workflow.planning import plan_items

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


def test_a_reason_is_needed_and_one_of_ours(client, mine):
    assert problems(call(client, mine, "skip", reason="")) == {("reason", "required")}
    assert problems(call(client, mine, "skip", reason="not_my_language")) == {("reason", "required")}
    assert problems(call(client, mine, "skip", reason="other", note=" ")) == {("note", "required")}
    mine.refresh_from_db()
    assert mine.status == Status.CLAIMED


def test_a_discarded_rubric_stays_readable_and_is_never_frozen(client, mine, stage, salma):
    put_draft(client, mine, 0, draft())
    tried(mine, "perfect")
    answer = call(client, mine, "skip", reason="too_easy")
    assert answer.json()["next"] == "/p/feasts/rubrics/"
    mine.refresh_from_db()
    assert (mine.status, mine.skip_reason) == (Status.SKIPPED, "too_easy")
    task = task_of(client, mine)
    assert (task["read_only"], task["draft"]["prompt"]) == (True, PROMPT)
    assert freeze(client, mine, draft(prompt=PROMPT + " وليه؟")).status_code == 422
    tried(mine, prompt=PROMPT + " وليه؟")
    assert freeze(client, mine, draft(prompt=PROMPT + " وليه؟")).status_code == 409
    assert not Rubric.objects.exists()
    assert claim_next(salma.raters.get(), stage) is None


def test_nobody_else_is_given_what_was_discarded(client, mine, stage, zaid):
    call(client, mine, "skip", reason="too_easy")
    assert claim_next(zaid.raters.get(), stage) is None


def test_an_imported_prompt_goes_to_another_author(client, stage, project, salma, zaid):
    variety = LanguageVariety.objects.get(tag="ar-EG")
    Prompt.objects.create(project=project, key="imported", text=PROMPT, text_sha256=sha256(PROMPT), variety=variety)
    plan_items(stage)
    first = claim_another(salma.raters.get(), stage)
    call(client, first, "skip", reason="no_sure_answer")
    assert claim_another(salma.raters.get(), stage) is None
    second = claim_another(zaid.raters.get(), stage)
    assert second.item == first.item
    assert not Draft.objects.filter(assignment=second).exists()


def test_its_row_says_discarded_and_why(client, mine, nour):
    put_draft(client, mine, 0, draft())
    call(client, mine, "skip", reason="other", note="The dish is not eaten there.")
    for person in (client, signed_in(nour)):
        page = person.get("/p/feasts/rubrics/?show=discarded").content.decode()
        assert "Another reason" in page
        assert "The dish is not eaten there." in page
