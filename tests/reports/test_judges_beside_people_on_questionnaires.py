"""Nour sees how near a judge comes to people, part by part; by hand, and by `krippendorff`."""

import krippendorff
import numpy as np
import pytest

from annotation.models import QuestionnaireAnswer
from projects.models import Laboratory, ModelLaboratory, Project, Rater, Response
from reports.dashboard.tables import by_id
from reports.questionnaires.dashboard import QUESTIONNAIRES
from tests.annotation.questionnaires import (
    RANK,
    RIGHT,
    WRONG,
    make_questionnaires_project,
    questionnaire,
    responses_of,
)
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
UNORDERED = {"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold", "Flat"]}
GOOD = {"scale": "How good?", "key": "good"}
#: Of four responses: the grades of three people and of the judge. Gold by majority: 4, 2, 3 (the mean of 1, 3, 5), 5.
PEOPLE = [(4, 4, 1), (2, 2, 3), (1, 3, 5), (5, 5, 5)]
JUDGE = [4, 3, 3, 1]
GOLD = [4, 2, 3, 5]
#: Gold of tones: nobody leads on the second.
TONES = [("Warm", "Warm", "Cold"), ("Warm", "Cold", "Flat"), ("Flat", "Flat", "Flat"), ("Cold", "Cold", "Warm")]
TONES_OF_JUDGE = ["Warm", "Warm", "Flat", "Warm"]


@pytest.fixture
def study(project) -> Project:
    return make_questionnaires_project(project)


@pytest.fixture
def judge(study) -> Rater:
    own = Laboratory.objects.create(slug="judging-lab", name="Judging Lab")
    return Rater.objects.create(project=study, kind="judge", name="Simba", model="simba-1", laboratory=own)


@pytest.fixture
def people(study) -> list[Rater]:
    return [Rater.objects.create(project=study, kind="human", name=name) for name in ("Mona", "Karim", "Rafia")]


def answer(stage, rater, answers, **about):
    return QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, **about)


@pytest.fixture
def answered(study, people, judge):
    stage = questionnaire(study, GOOD, UNORDERED, WRONG)
    for at in range(4):
        response = add_response(study, f"r{at}", f"جواب {at}", "ar-EG")
        for rater, grade, tone in zip(people, PEOPLE[at], TONES[at], strict=True):
            answer(stage, rater, {"good": grade, "tone": tone, "wrong": "كلام"}, response=response)
        answer(stage, judge, {"good": JUDGE[at], "tone": TONES_OF_JUDGE[at], "wrong": "Words"}, response=response)
    return stage


def rows_of(project: Project) -> dict[str, tuple]:
    """The figures by question."""
    found = by_id(QUESTIONNAIRES.tables(project), "questionnaire-judges")
    assert found is not None
    return {row.labels[0]: row.figures for row in found.rows}


def test_a_judge_against_the_gold_of_each_part(study, answered):
    rows = rows_of(study)
    assert set(rows) == {"How good?", "Which tone?"}, "free text is not compared"
    alpha, same, error, people, items = rows["How good?"]
    told = np.array([JUDGE, GOLD], dtype=float)
    assert alpha.number == pytest.approx(krippendorff.alpha(told, level_of_measurement="ordinal"), abs=1e-12)
    assert same.number == pytest.approx(2 / 4)
    assert error.number == pytest.approx((0 + 1 + 0 - 4) / 4)
    of_people = np.array(PEOPLE, dtype=float).T
    assert people.number == pytest.approx(krippendorff.alpha(of_people, level_of_measurement="ordinal"), abs=1e-12)
    assert items.number == 4


def test_of_words_without_an_order_only_where_one_leads_is_there_gold(study, answered):
    alpha, same, error, people, items = rows_of(study)["Which tone?"]
    told = np.array([[0, 2, 0], [0, 2, 1]], dtype=float)
    assert alpha.number == pytest.approx(krippendorff.alpha(told, level_of_measurement="nominal"), abs=1e-12)
    assert (same.number, items.number) == (pytest.approx(2 / 3), 3)
    assert error.undefined == "grades without an order"
    of_people = np.array([["WWC".index(a[0]) if a[0] in "WC" else 9 for a in one] for one in TONES], dtype=float)
    of_three = np.delete(of_people, 1, axis=0).T
    assert people.number == pytest.approx(krippendorff.alpha(of_three, level_of_measurement="nominal"), abs=1e-12)


def test_an_expert_comes_before_everybody(study, answered, people):
    Rater.objects.filter(pk=people[2].pk).update(is_expert=True)
    _alpha, same, error, _people, _items = rows_of(study)["How good?"]
    assert same.number == pytest.approx(1 / 4), "the gold is 1, 3, 5, 5"
    assert error.number == pytest.approx((3 + 0 - 2 - 4) / 4)


def test_what_people_answered_is_theirs_alone(study, answered):
    agreement = by_id(QUESTIONNAIRES.tables(study), "questionnaire-agreement")
    [row] = [row for row in agreement.rows if row.labels[0] == "How good?"]
    assert [figure.number for figure in row.figures[1:]] == [12, 4, 3]


def test_answers_about_models_of_its_own_laboratory_are_left_out(study, answered, judge):
    own = Response.objects.get(key="r3").target_model
    other = add_response(study, "r9", "آخر", "ar-EG", "Delta-9B")
    assert rows_of(study)["How good?"][4].number == 4
    ModelLaboratory.objects.create(project=study, target_model=own, laboratory=judge.laboratory)
    assert other.target_model != own
    assert rows_of(study) == {}


def test_ranks_are_beside_the_mean_rank_of_people(study, people, judge):
    three = responses_of(study, "feast", 3)
    stage = questionnaire(study, RANK, show=("prompt", "responses"))
    for rater, ranks in zip((*people[:2], judge), ((1, 2, 3), (1, 3, 2), (2, 1, 3)), strict=True):
        answer(stage, rater, {"rank": {f"feast-{at}": rank for at, rank in enumerate(ranks)}}, prompt=three[0].prompt)
    alpha, same, error, _people, items = rows_of(study)["From the best to the worst"]
    told = np.array([[2, 1, 3], [1, 2.5, 2.5]])
    assert alpha.number == pytest.approx(krippendorff.alpha(told, level_of_measurement="ordinal"), abs=1e-12)
    assert (same.number, error.number, items.number) == (0, pytest.approx(0), 3)


def test_where_nobody_answered_there_is_nothing_to_stand_beside(study, judge):
    stage = questionnaire(study, RIGHT)
    answer(stage, judge, {"right": "Yes"}, response=add_response(study, "r0", "جواب", "ar-EG"))
    assert rows_of(study) == {}


def test_the_page_and_its_file_name_the_judge(study, answered, nour):
    client = signed_in(nour)
    assert "Judges beside people" in client.get("/p/feasts/questionnaire-results/").content.decode()
    file = client.get("/p/feasts/questionnaire-results/questionnaire-judges.csv").content.decode()
    assert "Simba" in file
