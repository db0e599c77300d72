"""Nour reads what people answered to a questionnaire, and how far they agree: by hand, and by `krippendorff`."""

from typing import Literal

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command

from annotation.models import QuestionnaireAnswer
from projects.models import Project, Rater, Response
from reports.dashboard.tables import Table, by_id
from reports.frames import questionnaire_gold, questionnaires
from reports.questionnaires.dashboard import QUESTIONNAIRES
from tests.annotation.questionnaires import (
    RANK,
    RIGHT,
    WRONG,
    make_questionnaires_project,
    questionnaire,
    responses_of,
)
from tests.annotation.rated import pair_of
from tests.people import add_response, signed_in
from workflow.layouts import change_layout
from workflow.models import Stage

pytestmark = pytest.mark.django_db
KINDS = {"choices": "What is wrong?", "key": "kinds", "of": ["Facts", "Style"], "optional": True}
GOOD = {"scale": "How good?", "key": "good", "lowest": 0, "highest": 100}
COUNT = {"number": "How many errors?", "key": "count"}
#: Of Mona, Karim and Rafia; None where somebody did not answer. Worked with in every test below.
RIGHT_OF = [("Yes", "Yes", None), ("No", "No", "No"), ("Partly", "No", "Yes"), ("Yes", "Partly", "Yes")]
GOOD_OF = [(90, 80, None), (10, 0, 20), (50, 40, 70), (100, 70, 90)]


@pytest.fixture
def study(project) -> Project:
    return make_questionnaires_project(project)


@pytest.fixture
def people(study):
    return [Rater.objects.create(project=study, kind="human", name=name) for name in ("Mona", "Karim", "Rafia")]


def answer(stage: Stage, rater: Rater, answers: dict, **more) -> QuestionnaireAnswer:
    return QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, **more)


@pytest.fixture
def answered(study, people) -> Stage:
    models = ("Nile-7B", "Delta-9B")
    responses = [add_response(study, f"r{at}", f"جواب {at}", "ar-EG", models[at % 2]) for at in range(4)]
    stage = questionnaire(study, RIGHT, WRONG, KINDS, GOOD, COUNT)
    for response, right, good in zip(responses, RIGHT_OF, GOOD_OF, strict=True):
        for rater, choice, grade in zip(people, right, good, strict=True):
            if choice is not None and grade is not None:
                said = {"right": choice, "good": grade, "wrong": "كلام", "count": grade / 10}
                kinds = {"kinds": ["Style"]} if choice == "No" else {}
                answer(stage, rater, said | kinds, response=response)
    return stage


def table(project: Project, name: str, **filters: str) -> Table:
    found = by_id(QUESTIONNAIRES.tables(project, filters or None), name)
    assert found is not None
    return found


def row(of: Table, *labels: str):
    [found] = [one.figures for one in of.rows if one.labels == labels]
    return found


def expected(values: list[tuple], level: Literal["nominal", "ordinal", "interval"]) -> float:
    places = {name: at for at, name in enumerate(RIGHT["of"])}
    told = [[np.nan if one is None else places.get(one, one) for one in item] for item in values]
    return krippendorff.alpha(np.array(told, dtype=float).T, level_of_measurement=level)


def test_alpha_is_that_of_the_level_of_each_part(study, answered):
    agreement = table(study, "questionnaire-agreement")
    alpha, answers, items, people = row(agreement, "Is it right?", "ar-EG")
    assert alpha.number == pytest.approx(expected(RIGHT_OF, "ordinal"), abs=1e-12)
    assert (answers.number, items.number, people.number) == (11, 4, 3)
    assert row(agreement, "How good?", "ar-EG")[0].number == pytest.approx(expected(GOOD_OF, "ordinal"), abs=1e-12)
    of_numbers = row(agreement, "How many errors?", "ar-EG")[0]
    assert of_numbers.number == pytest.approx(expected(GOOD_OF, "interval"), abs=1e-12)
    style = [tuple(None if one is None else float(one == "No") for one in item) for item in RIGHT_OF]
    of_style = row(agreement, "What is wrong? · Style", "ar-EG")[0]
    assert of_style.number == pytest.approx(expected(style, "nominal"), abs=1e-12)
    assert row(agreement, "What is wrong? · Facts", "ar-EG")[0].undefined == "no variation"
    assert row(agreement, "What is wrong?", "ar-EG")[0].undefined == "free text"
    assert row(agreement, "What is wrong?", "ar-EG")[1].number == 11


def test_shares_and_means_of_all_target_models_and_of_each(study, answered):
    """Of eleven answers five are “Yes”; Nile wrote the first and the third response."""
    choices = table(study, "questionnaire-choices")
    assert row(choices, "Is it right?", "Yes", "All target models")[0].number == pytest.approx(5 / 11)
    assert row(choices, "Is it right?", "Yes", "Nile-7B")[0].number == pytest.approx(3 / 5)
    assert row(choices, "Is it right?", "No", "Delta-9B")[0].number == pytest.approx(3 / 6)
    assert row(choices, "What is wrong?", "Style", "All target models")[0].number == pytest.approx(4 / 11)
    means = table(study, "questionnaire-means")
    assert row(means, "How good?", "Nile-7B")[0].number == pytest.approx((90 + 80 + 50 + 40 + 70) / 5)
    assert row(means, "How good?", "Delta-9B")[0].number == pytest.approx((10 + 0 + 20 + 100 + 70 + 90) / 6)


def test_one_target_model_alone(study, answered):
    of_nile = table(study, "questionnaire-means", model="Nile-7B")
    assert row(of_nile, "How good?", "All target models")[0].number == pytest.approx(66)


def test_ranks_are_of_each_response(study, people):
    """Two people on three responses: 1 2 3 and 1 3 2; ordinal alpha of three units with two ratings each."""
    three = responses_of(study, "feast", 3)
    stage = questionnaire(study, RANK, show=("prompt", "responses"))
    for rater, ranks in zip(people, ((1, 2, 3), (1, 3, 2)), strict=False):
        answer(stage, rater, {"rank": {f"feast-{at}": rank for at, rank in enumerate(ranks)}}, prompt=three[0].prompt)
    agreement = table(study, "questionnaire-agreement")
    [alpha, _answers, items, _people] = row(agreement, "From the best to the worst", "ar-EG")
    units = np.array([[1, 2, 3], [1, 3, 2]], dtype=float)
    assert alpha.number == pytest.approx(krippendorff.alpha(units, level_of_measurement="ordinal"), abs=1e-12)
    assert items.number == 3
    means = table(study, "questionnaire-means")
    assert row(means, "From the best to the worst", "Delta-9B")[0].number == 2.5


def test_the_latest_round_counts_and_checks_do_not(study, answered, people):
    response = Response.objects.get(key="r0")
    answer(answered, people[0], {"right": "No", "good": 0}, response=response, round=2)
    answer(answered, people[2], {"right": "No", "good": 0}, response=response, is_check=True)
    choices = table(study, "questionnaire-choices")
    share = row(choices, "Is it right?", "Yes", "All target models")[0]
    assert (share.number, share.n) == (pytest.approx(4 / 11), 11)


def test_a_pair_and_a_question_added_later(study, people):
    pair = pair_of(study, "greeting")
    stage = questionnaire(study, RANK | {"ties": True}, COUNT, show=("prompt", "pair"))
    answer(stage, people[0], {"rank": {"greeting-a": 1, "greeting-b": 1, "gone": 2}}, pair=pair)
    agreement = table(study, "questionnaire-agreement")
    assert [one.labels[0] for one in agreement.rows] == ["From the best to the worst"]
    assert agreement.rows[0].figures[0].undefined == "no pairable values"


def test_new_answers_are_in_the_next_figures(study, answered, people):
    before = row(table(study, "questionnaire-choices"), "Is it right?", "Yes", "All target models")[0].n
    QuestionnaireAnswer.objects.filter(response__key="r0").delete()
    after = row(table(study, "questionnaire-choices"), "Is it right?", "Yes", "All target models")[0].n
    assert (before, after) == (11, 9)


def test_the_page_of_an_empty_study_says_what_to_do_and_of_a_full_one_shows_figures(study, nour, mona, people):
    page = signed_in(nour).get("/p/feasts/questionnaire-results/")
    assert page.status_code == 200
    assert "once a questionnaire was answered" in page.content.decode()
    assert signed_in(mona).get("/p/feasts/questionnaire-results/").status_code == 404


def test_the_page_shows_the_findings_and_their_files(study, answered, nour):
    client = signed_in(nour)
    assert "How far people agree" in client.get("/p/feasts/questionnaire-results/").content.decode()
    for name in ("questionnaire-agreement", "questionnaire-choices", "questionnaire-means"):
        assert client.get(f"/p/feasts/questionnaire-results/{name}/").status_code == 200
    file = client.get("/p/feasts/questionnaire-results/questionnaire-means.csv").content.decode()
    assert "How good?" in file


# --- Every answer leaves as a row -----------------------------------------------------------------------------


def test_every_answer_is_a_row_of_the_frame(study, answered, people):
    found = questionnaires(study)
    assert len(found) == questionnaires.count(study) == 3 * 11 + 11 + 4
    of_mona = found[(found.response_key == "r1") & (found.rater == people[0].pseudonym)].set_index("question")
    assert of_mona.value.to_dict() == {
        "right": "No",
        "good": "10",
        "wrong": "كلام",
        "count": "1.0",
        "kinds": '["Style"]',
    }
    assert of_mona.number.dropna().to_dict() == {"good": 10.0, "count": 1.0}
    assert set(found.variety) == {"ar-EG"}


def test_what_the_answers_come_to_is_a_row_for_each_part_that_has_gold(study, answered, people):
    """Of the first response two people say “Yes”; of the third each says something else: ordered, so the middle."""
    found = questionnaire_gold(study)
    of = found.set_index(["response_key", "question"])
    right = of.loc[("r0", "right")]
    assert (right["value"], right["rule"], right["n"], right["agreeing"]) == ("Yes", "majority", 2, 1.0)
    third = of.loc[("r2", "right")]
    assert (third["value"], third["n"], third["agreeing"]) == ("Partly", 3, pytest.approx(1 / 3))
    count = of.loc[("r2", "count")]
    assert (count["number"], count["rule"]) == (pytest.approx((5 + 4 + 7) / 3), "mean")
    style = found[(found.question == "kinds") & (found.option == "Style")].set_index("response_key").number
    assert style.to_dict() == {"r1": 1.0, "r2": 0.0, "r3": 0.0, "r0": 0.0}
    assert "wrong" not in set(found.question), "free text has no gold"
    assert len(found) == questionnaire_gold.count(study)
    Rater.objects.filter(pk=people[0].pk).update(is_expert=True)
    expert = questionnaire_gold(study).set_index(["response_key", "question"]).loc[("r3", "good")]
    assert (expert["number"], expert["rule"], expert["n"]) == (100.0, "expert", 1)


def test_rows_of_gold_are_counted_where_they_lie(study, answered, people, django_assert_num_queries):
    """Whoever opens the page of frames does not wait until all of the gold is made."""
    three, pair = responses_of(study, "feast", 3), pair_of(study, "koshari")
    ranked = questionnaire(study, RANK, WRONG, show=("prompt", "responses"), name="Ranking")
    answer(ranked, people[0], {"rank": {f"feast-{at}": at + 1 for at in range(3)}}, prompt=three[0].prompt)
    beside = questionnaire(study, RANK, show=("prompt", "pair"), name="Beside")
    answer(beside, people[0], {"rank": {pair.first.key: 1, pair.second.key: 2}}, pair=pair)
    with django_assert_num_queries(1 + 3 + 2 * 2):
        counted = questionnaire_gold.count(study)
    assert counted == len(questionnaire_gold(study))


def test_what_was_answered_before_a_part_became_another_is_no_answer_to_it(study, answered, people, nour):
    """A file's answers lock no layout; the figures stay there, and what still fits is in them."""
    judge = Rater.objects.create(project=study, kind="judge", name="Simba", model="simba-1")
    answer(answered, judge, {"right": "Yes", "good": 90}, response=Response.objects.get(key="r0"))
    other = [
        {"scale": "Is it right?", "key": "right"},
        {"choices": "What is wrong?", "key": "wrong", "of": ["كلام", "ك"]},
        {"number": "What is wrong?", "key": "kinds"},
        {"scale": "How good?", "key": "good", "lowest": 50, "highest": 100},
        {"text": "How many errors?", "key": "count"},
    ]
    change_layout(answered, ["prompt", "response"], other, None)
    page = signed_in(nour).get("/p/feasts/questionnaire-results/")
    assert page.status_code == 200
    assert row(table(study, "questionnaire-means"), "How good?", "All target models")[0].n == 7
    found = questionnaire_gold(study)
    assert set(found.question) == {"good"}
    assert found.number.min() >= 50


def test_ranks_come_to_their_mean_and_judges_to_nothing(study, people):
    three = responses_of(study, "feast", 3)
    stage = questionnaire(study, RANK, show=("prompt", "responses"))
    judge = Rater.objects.create(project=study, kind="judge", name="Simba", model="simba-1")
    for rater, ranks in zip((*people[:2], judge), ((1, 2, 3), (1, 3, 2), (3, 2, 1)), strict=True):
        answer(stage, rater, {"rank": {f"feast-{at}": rank for at, rank in enumerate(ranks)}}, prompt=three[0].prompt)
    found = questionnaire_gold(study).set_index("response_key")
    assert found.number.to_dict() == {"feast-0": 1.0, "feast-1": 2.5, "feast-2": 2.5}
    assert set(found.prompt_key) == {"p-feast-0"}
    assert set(found.n) == {2}


def test_the_statements_of_the_gold_do_not_grow_with_the_answers(
    study, answered, people, django_assert_max_num_queries
):
    for at in range(4, 24):
        response = add_response(study, f"r{at}", f"جواب {at}", "ar-EG")
        answer(answered, people[0], {"right": "Yes", "good": 3}, response=response)
    with django_assert_max_num_queries(16):
        assert len(questionnaire_gold(study)) > 40


def test_ranks_leave_by_the_keys_of_responses(study, people):
    two = responses_of(study, "feast", 2)
    stage = questionnaire(study, RANK, show=("prompt", "responses"))
    answer(stage, people[0], {"rank": {"feast-1": 1, "feast-0": 2}}, prompt=two[0].prompt)
    [row] = questionnaires(study).to_dict("records")
    assert (row["prompt_key"], row["value"]) == ("p-feast-0", '{"feast-0":2,"feast-1":1}')


def test_a_whole_archive_takes_the_answers_along(study, answered, tmp_path):
    path = tmp_path / "study.zip"
    call_command("archive_project", "feasts", to=path)
    call_command("restore_project", path, slug="again")
    again = Project.objects.get(slug="again")
    for name in ("questionnaire-agreement", "questionnaire-choices", "questionnaire-means"):
        here, there = (
            [(one.labels, [figure.value for figure in one.figures]) for one in table(project, name).rows]
            for project in (study, again)
        )
        assert here == there
