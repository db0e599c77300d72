"""Salma writes down before any response is seen what an answer must say, and what it must never say: an error, with
the points that it takes away, and tags by which her team reads the results."""

import pytest
from django.db import IntegrityError, transaction

from judging.kinds.rubric.criteria import asked_of
from judging.training.rubrics import criteria_of, grpo_row
from projects.models import Rater
from reports.rubrics.gold import lines
from rubrics.authoring.checking import draft_sha256
from rubrics.authoring.reading import readable
from rubrics.models import Criterion, Grade, Rubric
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.files import JUDGE, bring, criterion, grade_line, negative, rubric_line, stored, verdicts
from tests.rubrics.grading import stage_of, turn_of
from tests.rubrics.rubrics import make_rubrics_project
from tests.rubrics.writing import authoring_stage, begun_by, draft, freeze, frozen_by, problems, task_of
from tests.rubrics.writing import criterion as written
from tests.workflow.working import submit

pytestmark = pytest.mark.django_db
# 14 points to reach; the error takes 6 away.
NEVER = criterion("e1", -6, text="يقول إن الكشري بيتاكل نيّ", tags=["axis:accuracy", "🍚 سلامة"])
RUBRIC = rubric_line(criterion("c1", 10, tags=["axis:completeness"]), NEVER, criterion("c2", 4, tags=["axis:accuracy"]))


@pytest.fixture
def mine(project, salma):
    return begun_by(salma, authoring_stage(project))


@pytest.fixture
def client(salma):
    return signed_in(salma)


@pytest.fixture
def koshari(project):
    make_rubrics_project(project)
    return add_response(project, "koshari", EGYPTIAN, "ar-EG")


# --- Writing --------------------------------------------------------------------------------------------------------


def test_an_error_is_frozen_with_the_rubric_and_comes_back_in_the_next_version(client, mine):
    body = draft(
        criteria=[
            written(1, text="بيذكر الرز والعدس والمكرونة."),
            written(2, text="بيقول إنه حلو.", weight=-3, tags=["axis:tone"]),
        ]
    )
    rubric = frozen_by(client, mine, body)
    error = rubric.criteria.get(weight=-3)
    assert (error.tags, error.grade, error.response) == (["axis:tone"], None, None)
    page = client.get(f"/p/{rubric.project.slug}/rubrics/{rubric.uuid}/").content.decode()
    assert "axis:tone" in page
    assert '<bdi dir="ltr">-3</bdi>' in page


def test_a_rubric_of_errors_alone_has_nothing_to_reach(client, mine):
    body = draft(criteria=[written(1, text="بيذكر الرز.", weight=-5)])
    assert ("criteria", "no_positive") in problems(freeze(client, mine, body))


def test_a_tag_with_a_comma_is_refused_and_the_screen_is_told_the_tags(client, mine):
    body = draft(criteria=[written(1, tags=["a, b"])])
    assert ("tags", "comma") in problems(freeze(client, mine, body))
    assert task_of(client, mine)["draft"]["criteria"] == []


def test_what_was_approved_before_there_were_tags_stays_approved():
    before = draft()
    assert draft_sha256(before) == draft_sha256(draft(criteria=[{**each, "tags": []} for each in before["criteria"]]))
    assert draft_sha256(before) != draft_sha256(
        draft(criteria=[{**each, "tags": ["x"]} for each in before["criteria"]])
    )


def test_a_draft_of_before_there_were_tags_is_still_read():
    old = {name: value for name, value in written(1).items() if name != "tags"}
    assert [line.tags for line in readable(draft(criteria=[old]), []).lines] == [[]]


def test_a_criterion_may_be_as_long_as_a_page_and_no_longer(project, koshari):
    page = "ا" * 20_000
    stored(project, "rubrics", rubric_line(criterion("c1", text=page)))
    assert Criterion.objects.get().text == page
    outcome = bring(project, "rubrics", rubric_line(criterion("c1", text=page + "ا"), version=2))
    assert [(each.field, each.code) for each in outcome.problems] == [("criteria[0].text", "too_long")]


# --- The database ---------------------------------------------------------------------------------------------------


def test_an_error_of_a_frozen_rubric_is_neither_changed_nor_removed_nor_added_to(project, koshari):
    stored(project, "rubrics", RUBRIC)
    error = Criterion.objects.get(key="e1")
    late = Criterion(
        rubric=error.rubric, key="e2", text="متأخر", weight=-5, objectivity="objective", explicitness="explicit"
    )
    for act in (
        lambda: Criterion.objects.filter(pk=error.pk).update(weight=-1),
        lambda: Criterion.objects.filter(pk=error.pk).update(tags=[]),
        error.delete,
        late.save,
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()


def test_no_criterion_weighs_nothing(project, koshari):
    rubric = Rubric.objects.create(
        project=project,
        prompt=koshari.prompt,
        scope="cultural",
        gold_answer="رز",
        author=Rater.objects.create(project=project, name="A", pseudonym="A-1", kind="human"),
    )
    nothing = Criterion(rubric=rubric, key="c", text="x", weight=0, objectivity="objective", explicitness="explicit")
    with pytest.raises(IntegrityError), transaction.atomic():
        nothing.save()


# --- Grading --------------------------------------------------------------------------------------------------------


def test_every_grader_is_asked_about_it_and_its_points_are_taken(project, koshari, mona):
    """c1 passes, c2 fails, the error is there: 10 - 6 = 4 of 14."""
    stored(project, "rubrics", RUBRIC)
    turn = turn_of(mona, stage_of(project, "scoring"))
    page = signed_in(mona).get(f"/tasks/{turn.uuid}/")
    asked = page.context["task"]["criteria"]
    assert [(each["key"], each["positive"]) for each in asked] == [("c1", True), ("e1", False), ("c2", True)]
    assert asked[1]["tags"] == NEVER["tags"]
    left_out = {"verdicts": {"c1": "pass", "c2": "fail"}, "negatives": [], "comment": ""}
    assert ("verdict", "required") in problems(submit(signed_in(mona), turn, 0, left_out))
    misfit = {**left_out, "verdicts": {**left_out["verdicts"], "e1": "pass"}}
    assert ("verdict", "misfit") in problems(submit(signed_in(mona), turn, 0, misfit))
    whole = {**left_out, "verdicts": {**left_out["verdicts"], "e1": "present"}}
    assert submit(signed_in(mona), turn, 0, whole).status_code == 200
    grade = Grade.objects.get()
    assert (grade.raw, grade.maximum) == (4, 14)
    # Once the first grading stands, judges are asked in the order of the rubric.
    [asked_by_judges] = asked_of([koshari.pk]).values()
    assert [Criterion.objects.get(pk=pk).key for pk in asked_by_judges.criteria] == ["c1", "e1", "c2"]


def test_files_of_grades_say_it_of_every_rater(project, koshari):
    stored(project, "rubrics", RUBRIC)
    first = grade_line(negative(), verdicts=verdicts(c1="pass", e1="absent", c2="pass"))
    judge = grade_line(
        **{**JUDGE, "negatives": ...}, verdicts=verdicts(c1="pass", e1="present", c2="pass", n1="absent")
    )
    without = bring(project, "grades", grade_line(verdicts=verdicts(c1="pass", c2="pass")))
    assert [(each.field, each.code) for each in without.problems] == [("verdicts", "missing_criterion")]
    stored(project, "grades", first, judge)
    # 14 - 5 of the error that the person found; 14 - 6 of the one that was written before.
    assert list(Grade.objects.order_by("pk").values_list("raw", "maximum")) == [(9, 14), (8, 14)]


# --- Out and in again -----------------------------------------------------------------------------------------------


def test_gold_brings_back_errors_and_tags_byte_for_byte(project, koshari, other_project):
    stored(project, "rubrics", RUBRIC)
    stored(project, "grades", grade_line(negative(), verdicts=verdicts(c1="pass", e1="present", c2="pass")))
    [line] = lines(project)
    make_rubrics_project(other_project)
    outcome = bring(other_project, "rubric-gold", line.rstrip(b"\n"))
    assert outcome.is_stored, outcome.problems
    assert list(lines(other_project)) == [line]
    back = Criterion.objects.get(rubric__project=other_project, key="e1")
    assert (back.weight, back.tags) == (-6, NEVER["tags"])


def test_training_sets_tell_the_reward_what_to_take_away(project, koshari):
    stored(project, "rubrics", RUBRIC)
    rubric = Rubric.objects.get()
    row = grpo_row(rubric, criteria_of([rubric.pk])[rubric.pk], project)
    assert [(each["key"], each["weight"]) for each in row["criteria"]] == [("c1", 10), ("e1", -6), ("c2", 4)]
    assert row["criteria"][1]["tags"] == NEVER["tags"]
    assert row["maximum"] == 14
