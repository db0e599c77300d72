"""Nour has Egyptians and Iraqis grade the same responses, so that leniency can be told from quality."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from projects.models import AuditEvent, Rater
from rubrics.models import CalibrationStudy, Grade
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.rubrics.grading import BANKNOTES, grade_body, iraqi_annotator, iraqi_author, negative, turn_of
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project
from tests.workflow.working import submit
from workflow.claims import claim_next, skip
from workflow.models import Assignment, Stage, WorkItem

ADDRESS = "/p/feasts/calibration/"
ASKED = {"responses_per_community": 3, "graders_per_community": 2, "seed": 11}


@pytest.fixture
def author(db, project) -> Rater:
    return iraqi_author(project)


@pytest.fixture
def responses(project, author):
    """Four Egyptian and four Iraqi responses that can be graded."""
    make_rubrics_project(project)
    made = [add_response(project, f"koshari-{number}", EGYPTIAN, "ar-EG") for number in range(4)]
    made += [add_response(project, f"banknotes-{number}", BANKNOTES, "ar-IQ") for number in range(4)]
    for response in made:
        frozen_rubric(response.prompt, author)
    return made


@pytest.fixture
def graders(project, responses, mona, karim):
    """Mona and Karim from Egypt; Ali, Fatima and Zainab, who wrote the rubrics, from Iraq."""
    ali, fatima = iraqi_annotator(project), iraqi_annotator(project, "fatima@example.org", "Fatima Ali")
    return {"mona": mona, "karim": karim, "ali": ali, "fatima": fatima}


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def community_of(rater: Rater) -> str:
    return rater.varieties.get().tag


def test_the_page_says_what_is_needed_while_there_is_nothing_to_grade(project, lead):
    make_rubrics_project(project)
    page = lead.get(ADDRESS)
    assert page.status_code == 200
    assert "Nothing to grade yet" in page.content.decode()


def test_looking_shows_the_loads_and_changes_nothing(graders, lead):
    """Six responses for two graders of each community: six turns for each Egyptian, four for each of three Iraqis."""
    page = lead.get(ADDRESS, ASKED)
    shares = {
        share.variety_pool.variety.tag: (share.responses, share.least, share.most) for share in page.context["shares"]
    }
    assert shares == {"ar-EG": (3, 6, 6), "ar-IQ": (3, 4, 4)}
    assert not Stage.objects.exists()
    assert not CalibrationStudy.objects.exists()
    assert lead.get(ADDRESS, ASKED).context["drawn"] == page.context["drawn"], "the same seed, the same turns"


def test_what_was_shown_is_dealt(graders, lead, project):
    shown = lead.get(ADDRESS, ASKED).context["drawn"]
    assert lead.post(ADDRESS, ASKED).status_code == 302
    study = CalibrationStudy.objects.get()
    turns = Assignment.objects.filter(stage=study.stage)
    assert sorted(turns.values_list("item__response", "rater")) == sorted(shown.turns)
    assert set(turns.values_list("status", flat=True)) == {"reserved"}
    assert not WorkItem.objects.exclude(open_slots=0).exists()
    for item in study.stage.items.all():
        communities = [community_of(turn.rater) for turn in item.assignments.all()]
        assert sorted(communities) == ["ar-EG", "ar-EG", "ar-IQ", "ar-IQ"]
    event = AuditEvent.objects.get(action="calibration.dealt")
    assert event.detail == {"responses": 6, "turns": 24, "seed": 11}


def test_an_egyptian_grades_an_iraqi_response_with_errors_of_her_own(graders, lead, responses, author):
    """Mona sees the five criteria and nothing of the reference grade that is there already."""
    for response in responses:
        graded(response, author, response.prompt.rubrics.get(), ["c1"], [-9], role="reference")
    lead.post(ADDRESS, ASKED)
    stage = CalibrationStudy.objects.get().stage
    mona = graders["mona"]
    for _turn in range(6):
        turn = turn_of(mona, stage)
        task = signed_in(mona).get(f"/tasks/{turn.uuid}/").context["task"]
        assert [criterion["positive"] for criterion in task["criteria"]] == [True] * 5
        assert submit(signed_in(mona), turn, 0, grade_body(("c1", "c2"), negative())).status_code == 200
    assert claim_next(Rater.objects.get(user=mona), stage) is None
    grades = Grade.objects.filter(role="calibration")
    assert set(grades.values_list("raw", "maximum")) == {(10 + 8 - 7, 37)}
    assert set(grades.values_list("response__variety__tag", flat=True)) == {"ar-EG", "ar-IQ"}


def test_who_has_graded_a_response_is_not_dealt_it(graders, lead, responses, author):
    for response in responses:
        graded(response, author, response.prompt.rubrics.get(), ["c1"])
    lead.post(ADDRESS, ASKED)
    assert not Assignment.objects.filter(rater=author).exists()


def test_a_turn_that_was_given_back_goes_to_nobody_by_itself(graders, lead, project):
    lead.post(ADDRESS, {**ASKED, "graders_per_community": 1})
    stage = CalibrationStudy.objects.get().stage
    turn = Assignment.objects.filter(stage=stage).select_related("stage", "item").first()
    skip(turn, "unclear")
    left = Rater.objects.filter(project=project).exclude(pk=turn.rater_id)
    held = set(Assignment.objects.filter(item=turn.item_id).values_list("rater", flat=True))
    for rater in left.exclude(pk__in=held):
        while (claimed := claim_next(rater, stage)) is not None:
            assert claimed.item_id != turn.item_id
            skip(claimed, "unclear")


def test_a_community_with_too_few_people_is_named_and_nothing_is_dealt(graders, lead):
    refused = lead.post(ADDRESS, {**ASKED, "graders_per_community": 3})
    assert refused.status_code == 422
    assert "A community has fewer graders than that. Nothing was dealt." in refused.content.decode()
    assert not Stage.objects.exists()


@pytest.mark.parametrize(
    "changes", [{"responses_per_community": 0}, {"graders_per_community": -1}, {"seed": "x"}, {"seed": 2**31}]
)
def test_numbers_that_are_none_are_refused(graders, lead, changes):
    assert lead.post(ADDRESS, {**ASKED, **changes}).status_code == 422
    assert lead.get(ADDRESS, {**ASKED, **changes}).status_code == 200
    assert not Stage.objects.exists()


def test_people_of_two_communities_are_left_out_and_named(project, graders, lead):
    salma = join(person("salma@example.org", "Salma"), project, "annotator", varieties=("ar-EG", "ar-IQ"))
    rater = Rater.objects.get(user=salma)
    page = lead.get(ADDRESS, ASKED)
    assert rater.pseudonym in page.content.decode()
    assert rater.pk not in page.context["drawn"].loads


def test_people_stand_under_their_pseudonyms(graders, lead):
    text = lead.get(ADDRESS, ASKED).content.decode()
    assert "Mona Adel" not in text
    assert Rater.objects.get(user=graders["mona"]).pseudonym in text


def test_a_second_study_has_a_stage_of_its_own(graders, lead, project):
    lead.post(ADDRESS, {**ASKED, "responses_per_community": 1})
    lead.post(ADDRESS, {**ASKED, "responses_per_community": 1, "seed": 12})
    names = list(project.stages.order_by("position").values_list("name", flat=True))
    assert names == ["Calibration 1", "Calibration 2"]
    page = lead.get(ADDRESS).content.decode()
    assert len(re.findall(r"0 of 8", page)) == 2


def test_a_stage_of_calibration_comes_with_a_study_alone(graders, lead):
    kinds = [value for value, _name in lead.get("/p/feasts/stages/new/").context["form"].fields["kind"].choices]
    assert "regrading" in kinds
    assert "calibration" not in kinds


def test_only_who_edits_the_project_sets_one_up(graders, project, omar):
    for user in (graders["mona"], omar):
        assert signed_in(user).get(ADDRESS).status_code == 404
        assert signed_in(user).post(ADDRESS, ASKED).status_code == 404
    assert not Stage.objects.exists()


def test_the_page_costs_the_same_with_more_people_and_studies(project, graders, lead):
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            lead.get(ADDRESS, ASKED)
        return len(queries)

    lead.post(ADDRESS, {**ASKED, "responses_per_community": 1})
    few = cost()
    for number in range(6):
        iraqi_annotator(project, f"one{number}@example.org", f"One {number}")
    lead.post(ADDRESS, {**ASKED, "responses_per_community": 1, "seed": 12})
    lead.post(ADDRESS, {**ASKED, "responses_per_community": 1, "seed": 13})
    assert cost() == few
