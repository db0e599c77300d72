"""What a frozen rubric should say otherwise becomes a new version; the old one stays with its grades."""

import pytest

from rubrics.models import Criterion, Revision, Rubric, RubricSettings
from tests.people import add_response, signed_in
from tests.rubrics.rubrics import frozen_rubric, graded
from tests.rubrics.writing import (
    PROMPT,
    authoring_stage,
    begun_by,
    call,
    criterion,
    draft,
    freeze,
    frozen_by,
    problems,
    task_of,
)
from workflow.models import Assignment

pytestmark = pytest.mark.django_db
BETTER = draft(gold_answer="الكشري أكلة مصرية من الرز والعدس والمكرونة.", scope="linguistics")


@pytest.fixture
def stage(project):
    return authoring_stage(project)


@pytest.fixture
def client(salma):
    return signed_in(salma)


@pytest.fixture
def first(client, stage, salma) -> Rubric:
    return frozen_by(client, begun_by(salma, stage))


def revise(who, rubric):
    return who.post(f"/p/feasts/rubrics/{rubric.uuid}/revise/")


def begun(rubric) -> Assignment:
    return Revision.objects.get(rubric=rubric).assignment


def test_it_begins_with_the_old_words_and_a_prompt_that_stays(client, first):
    answer = revise(client, first)
    mine = begun(first)
    assert answer.headers["Location"] == f"/tasks/{mine.uuid}/"
    task = task_of(client, mine)
    assert task["draft"] == draft()
    assert (task["prompt_is_fixed"], task["rubric_version"]) == (True, 2)
    assert task["urls"]["versions"] == f"/p/feasts/rubrics/{first.uuid}/"
    assert task["settings"]["needs_difficulty_check"] is False, "the prompt was tried for the version before"


def test_a_prompt_that_was_never_tried_is_tried_before_its_new_version(client, stage, salma):
    RubricSettings.objects.update_or_create(project=stage.project, defaults={"needs_difficulty_check": False})
    assert freeze(client, begun_by(salma, stage), draft()).status_code == 200
    first = Rubric.objects.get()
    RubricSettings.objects.update(needs_difficulty_check=True)
    revise(client, first)
    assert task_of(client, begun(first))["settings"]["needs_difficulty_check"] is True
    assert ("difficulty", "required") in problems(freeze(client, begun(first), BETTER))


def test_it_is_frozen_as_the_next_version_of_the_same_prompt(client, first):
    revise(client, first)
    assert freeze(client, begun(first), BETTER).status_code == 200
    second = Rubric.objects.get(version=2)
    assert (second.supersedes, second.prompt, second.scope) == (first, first.prompt, "linguistics")
    assert second.sha256 != first.sha256
    assert second.difficulty == first.difficulty  # the same prompt, tried once
    keys = Criterion.objects.filter(rubric=second).values_list("key", flat=True)
    assert set(keys) == {criterion(1)["key"], criterion(2)["key"]}
    first.refresh_from_db()
    assert first.scope == "cultural"


def test_another_prompt_is_refused_with_the_reason(client, first):
    revise(client, first)
    answer = freeze(client, begun(first), draft(prompt=PROMPT + " وليه؟"))
    assert problems(answer) == {("prompt", "prompt_fixed")}
    assert "responses were given to these words" in answer.json()["error"]["problems"][0]["message"]
    assert Rubric.objects.count() == 1


def test_revising_twice_goes_on_with_the_same(client, first):
    assert revise(client, first).headers["Location"] == revise(client, first).headers["Location"]
    assert Revision.objects.count() == 1


def test_one_person_revises_at_a_time(client, first, nour):
    revise(client, first)
    page = signed_in(nour).post(f"/p/feasts/rubrics/{first.uuid}/revise/", follow=True).content.decode()
    assert "Somebody else is writing a new version" in page
    assert Revision.objects.count() == 1


def test_after_a_discarded_attempt_it_can_be_begun_again(client, first, nour):
    revise(client, first)
    call(client, begun(first), "skip", reason="written_already")
    assert revise(signed_in(nour), first).headers["Location"].startswith("/tasks/")
    assert Revision.objects.count() == 2


def test_a_lead_revises_what_an_author_wrote(client, first, nour):
    lead = signed_in(nour)
    revise(lead, first)
    assert freeze(lead, begun(first), BETTER).status_code == 200
    assert Rubric.objects.get(version=2).author.user == nour


def test_other_authors_and_annotators_do_not(first, zaid, mona):
    for who in (zaid, mona):
        assert revise(signed_in(who), first).status_code == 404
    assert not Revision.objects.exists()


def test_an_old_version_is_not_revised(client, first):
    revise(client, first)
    freeze(client, begun(first), BETTER)
    page = client.post(f"/p/feasts/rubrics/{first.uuid}/revise/", follow=True).content.decode()
    assert "There is a newer version of this rubric" in page
    assert Revision.objects.count() == 1


def test_where_a_newer_version_came_first_the_freeze_is_refused(client, first, project):
    revise(client, first)
    newer = Rubric.objects.create(
        project=project,
        prompt=first.prompt,
        version=2,
        supersedes=first,
        author=first.author,
        scope="cultural",
        gold_answer="Rice.",
    )
    assert problems(freeze(client, begun(first), BETTER)) == {("prompt", "superseded")}
    assert list(Rubric.objects.filter(version=2)) == [newer]


def test_grades_stay_with_the_version_they_were_given_under(client, first, project, zaid):
    response = add_response(project, "koshari", "A response.", "ar-EG")
    response.__class__.objects.filter(pk=response.pk).update(prompt=first.prompt)
    response.refresh_from_db()
    grade = graded(response, zaid.raters.get(), first, passed=[criterion(1)["key"]])
    revise(client, first)
    freeze(client, begun(first), BETTER)
    grade.refresh_from_db()
    assert grade.rubric == first


def test_where_a_check_is_needed_by_now_and_none_was_made_it_is_made(client, project, stage, salma):
    settings = RubricSettings.objects.create(project=project, needs_difficulty_check=False)
    mine = begun_by(salma, stage)
    freeze(client, mine, draft())
    first = Rubric.objects.get()
    settings.needs_difficulty_check = True
    settings.save()
    revise(client, first)
    assert problems(freeze(client, begun(first), BETTER)) == {("difficulty", "required")}


def test_a_rubric_that_came_in_a_file_is_revised_where_rubrics_are_written(client, stage, project, salma, koshari):
    imported = frozen_rubric(koshari.prompt, salma.raters.get(), weights=(5, 5))
    revise(client, imported)
    assert begun(imported).stage == stage
    assert [one["key"] for one in task_of(client, begun(imported))["draft"]["criteria"]] == ["c1", "c2"]
