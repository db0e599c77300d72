"""Several freezes in the same moment, on whichever database the tests run."""

import uuid

import pytest

from projects.anchors import sha256
from projects.models import Project, Prompt, User
from projects.problems import Invalid
from rubrics.models import Rubric
from tests.people import join, person
from tests.rubrics.writing import PROMPT, authoring_stage, begun_by, draft, tried
from tests.threads import at_once
from tests.workflow.test_many_at_once import varieties  # noqa: F401
from workflow.claims import claim_another
from workflow.models import Assignment
from workflow.planning import plan_items
from workflow.refusals import Refused
from workflow.submission import submit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stage(varieties):  # noqa: F811
    return authoring_stage(Project.objects.create(slug="feasts", name="Feasts"))


def author(stage, number: int = 1) -> User:
    user = person(f"author{number}@example.org", f"Author {number}")
    return join(user, stage.project, "author", varieties=("ar-EG",))


def outcome(assignment: Assignment, submission: uuid.UUID) -> str:
    try:
        submit(Assignment.objects.get(pk=assignment.pk), submission, 0, draft())
    except (Invalid, Refused) as refused:
        return type(refused).__name__
    return "frozen"


def test_one_submission_sent_four_times_freezes_one_rubric(stage):
    mine, key = begun_by(author(stage), stage), uuid.uuid4()
    tried(mine)
    assert at_once(lambda _time: outcome(mine, key), range(4)) == ["frozen"] * 4
    assert (Rubric.objects.count(), Prompt.objects.count()) == (1, 1)


def test_rubrics_frozen_together_get_a_key_each(stage):
    begun = [begun_by(author(stage, number), stage) for number in range(4)]
    for mine in begun:
        tried(mine)
    assert at_once(lambda mine: outcome(mine, uuid.uuid4()), begun) == ["frozen"] * 4
    assert len(set(Rubric.objects.values_list("prompt__key", flat=True))) == 4


def test_two_authors_of_one_prompt_freeze_one_rubric(stage, varieties):  # noqa: F811
    Prompt.objects.create(
        project=stage.project, key="imported", text=PROMPT, text_sha256=sha256(PROMPT), variety=varieties
    )
    stage.overlap = 2
    stage.save()
    plan_items(stage)
    taken = [claim_another(author(stage, number).raters.get(), stage) for number in range(2)]
    for mine in taken:
        tried(mine)
    assert sorted(at_once(lambda mine: outcome(mine, uuid.uuid4()), taken)) == ["Invalid", "frozen"]
    assert Rubric.objects.count() == 1
