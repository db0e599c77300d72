"""Judges and people on the same footing: both against what the others said, in every area."""

import gc
from weakref import ref

import numpy as np
import pytest

from agreement import judges
from annotation.gold import derive
from annotation.models import ErrorGroup, RatingSettings
from projects.models import Rater
from reports.dashboard import footing
from reports.ratings import reader
from reports.ratings.context import Context
from reports.ratings.dashboard import RATINGS
from reports.ratings.measures import footing as of_ratings
from reports.ratings.measures import judging
from reports.ratings.scope import RatingScope
from reports.rubrics.dashboard import RUBRICS
from tests.annotation.marked import mark, review
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.perle import study
from tests.reports.reading import figure, table
from tests.reports.test_judges_that_built_the_gold import NIGHTLY
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db


def test_errors_are_compared_with_those_that_somebody_else_found(project, answered, koshari, mona, karim):
    """Mona's error (Nala found it too), Karim's of four words that hold it, and Simba's own.

    Beside Mona the others found hers (Nala did) and Karim's; beside Karim hers alone. Of the three spans
    of both people two meet them, one of Karim's meets nothing; they find all. Simba's own error is in
    neither, so both its spans meet nothing, twice. Against the full gold one of two meets, 1 of 3.

    The mean is over people: of Mona's one span 1, of Karim's two a half.
    """
    nala = Rater.objects.create(project=project, kind="judge", name="Nala", model="nala-1")
    same, rice = mark(koshari, nala, NIGHTLY, "الرز")
    for person in (mona, karim):
        review(same, person, "keep")
        review(rice, person, "reject")
    ErrorGroup.objects.create(response=koshari, key="nightly").spans.set([same, answered["nightly"]])
    derive([koshari.id])
    found = table(project, "judges-beside-people")
    rows = {row.labels: row.figures for row in found.rows}
    assert [figure.value for figure in rows["Simba", "precision"]] == [0.0, 0.75, None, None, 0.5]
    assert [figure.value for figure in rows["Simba", "recall"]] == [0.0, 1.0, None, None, pytest.approx(1 / 3)]
    assert rows["Simba", "recall"][3].undefined == "n < 2", "one prompt tells nobody apart"
    assert found.summary == "No judge clearly differs from a person."
    assert found.recipe.settings["correction"] == "Holm, over all rows"


def test_without_answers_of_two_people_nobody_stands_beside_anybody(project, koshari):
    found = table(project, "judges-beside-people")
    assert found.rows == ()
    assert found.summary.startswith("Nothing that a judge answered has answers of two people")


def test_one_person_alone_has_nobody_to_be_compared_with(project, koshari, mona, karim, simba):
    """Mona and Simba marked errors, Karim only reviewed them: the gold is settled and says of Simba 0 of 1, but no
    second person says which errors there are."""
    [hers], [its] = mark(koshari, mona, NIGHTLY), mark(koshari, simba, "الرز")
    review(hers, karim, "keep")
    for person in (mona, karim):
        review(its, person, "reject")
    derive([koshari.id])
    assert figure(table(project, "judge-scores"), "Simba", measure="precision").value == 0.0
    found = table(project, "judges-beside-people")
    assert found.rows == ()
    assert found.summary.startswith("Nothing that a judge answered has answers of two people")


def test_grades_are_compared_with_those_of_the_others_and_beside_it_with_the_full_gold(project, mona, karim):
    """Of a pair Mona says 1 and 4, Karim 3 and 2, and Simba, who is shown it in both orders, 1 and 5, then 3 and 2; of
    a third response 5, 2 and 3. The gold is the mean: 2, 3 and 3.5.

    Beside Mona the reference is what Karim says, and the other way round; each of Simba's two answers weighs a half.
    First response: people are 2 and -2 away, Simba 0 and -2, 2 and 0: 1 and 1. Second: people 2 and -2, Simba 3 and 0,
    1 and -2: 1.5 and 1.5. Third: people 3 and -3, Simba 1 and -2. Against gold Simba is 1 away, then 2 or 1, then 0.5.
    """
    make_ratings_project(project)
    RatingSettings.objects.update_or_create(project=project, defaults={"gold_rule": "mean"})
    question = question_type(project, "formality")
    simba = Rater.objects.create(project=project, kind="judge", name="Simba")
    pair, alone = pair_of(project, "pair", question=question), add_response(project, "alone", "Alone", "ar-EG")
    for person, (first, second, third) in ((mona, (1, 4, 5)), (karim, (3, 2, 2))):
        rate(pair, person, question, first, second)
        rate(alone, person, question, third)
    rate(pair, simba, question, 1, 5, is_of_both_orders=True)
    rate(pair, simba, question, 3, 2, is_of_both_orders=True, is_swapped=True)
    rate(alone, simba, question, 3)
    found = next(one for one in RATINGS.tables(project) if one.id == "judges-beside-people")
    rows = {row.labels[1]: row.figures for row in found.rows}
    values = {name: [rows[name][place].value for place in (0, 1, 2, 4)] for name in rows}
    assert values["MAD"] == pytest.approx([8 / 6, 14 / 6, -1.0, 1.0])
    assert values["signed error"] == pytest.approx([0.0, 0.0, 0.0, 0.0])
    # Right are Simba's second answer to the first response beside Mona, its first beside Karim, and so on: 1.5 of 6.
    assert values["accuracy"] == pytest.approx([1.5 / 6, 0.0, 1.5 / 6, 2 / 6])
    # Mona prefers the second, Karim the first: neither says what the other does, Simba says each once.
    assert values["preference accuracy"] == [0.5, 0.0, None, 0.5]
    assert rows["preference accuracy"][2].undefined == "n < 2", "of one prompt"
    assert {name: rows[name][0].n for name in ("MAD", "accuracy", "preference accuracy")} == {
        "MAD": 6,
        "accuracy": 6,
        "preference accuracy": 2,
    }


def test_scores_are_compared_with_the_mean_of_the_others():
    """Of the first response 80 and 60 and the judge's 70; of the second 50, 70, 60 and the judge's 40.

    Others' means: 60, 80; 65, 55, 60. Errors of people 20, -20; -15, 15, 0; of the judge 10, -10; -25, -15, -20.
    """
    sides = footing.deviations(
        np.array([1, 1, 2, 2, 2]),
        np.array([80.0, 60, 50, 70, 60]),
        np.array([7, 7, 8, 8, 8]),
        np.array([1, 2, 1, 2, 3]),
        np.array([1, 2, 3]),
        np.array([70.0, 40, 99]),
    )
    away, signed = footing.deviations_compared(sides)
    assert (away.judge.value, away.person.value, away.difference.value, away.difference.n) == (16.0, 14.0, 2.0, 5)
    assert (signed.judge.value, signed.person.value) == (-12.0, 0.0)


def test_a_person_who_poses_as_a_judge_comes_out_equal():
    """600 studies of 20 prompts and five people who differ in severity and care; the first of them poses as a judge."""
    generator, differences = np.random.default_rng(1), []
    for _study in range(600):
        quality = generator.normal(70, 10, 20)
        care = generator.uniform(0.5, 1.5, 5)
        said = quality[:, None] + generator.normal(0, 5, 5) + generator.normal(0, 8, (20, 5)) * care
        responses = np.arange(20)
        people = np.repeat(responses, 4)
        who = np.tile(np.arange(1, 5), 20)
        sides = footing.deviations(people, said[:, 1:].ravel(), people, who, responses, said[:, 0])
        [away] = footing.compared(sides, [judges.mad])
        differences.append(away.difference.number)
    error = np.std(differences, ddof=1) / np.sqrt(600)
    assert abs(np.mean(differences)) <= 2 * error
    assert error < 0.3, "it would see a third of a point"


def test_judges_of_rubrics_stand_beside_graders():
    drawn = study(prompts=12, calibrated=0, regraded=12)
    found = next(one for one in RUBRICS.tables(drawn.project) if one.id == "judges-beside-people")
    assert {row.labels[1] for row in found.rows} == {"MAD", "signed error"}
    for row in found.rows:
        judge, person, difference, p, full = row.figures
        assert difference.number == pytest.approx(judge.number - person.number)
        assert p.number >= difference.detail["p"], "corrected for all rows"
        assert full.n >= difference.n / 2


def test_what_groups_share_of_a_loading_goes_with_it(project):
    """It is kept beside what was loaded, by groups that read the same, and no longer than that."""
    loaded = reader.load(project, [], RatingScope())
    context = Context.of(project, RatingScope())
    for measures in (judging, of_ratings):
        measures.statistics(loaded, context)
    is_there = ref(loaded)
    del loaded
    gc.collect()
    assert is_there() is None


def test_people_on_either_task_stand_beside_a_judge_in_rows_of_their_own(project, salma, zaid, mona):
    """Of 10 points Salma's first grading is 100 percent. Zaid grades again, 50; Mona calibrates, 0; the judge, which
    was given the errors, says 60.

    Second gradings: Zaid is 50 from Salma, the judge 40. Calibration: the first grading and Mona both recorded errors
    of their own, each 100 from the other; the judge is 60 from Mona and 40 from Salma. All three people in one pot
    would have had Salma 75 from the mean of the others, Zaid 0 and Mona 75.
    """
    make_rubrics_project(project)
    first, second, third = (Rater.objects.get(project=project, user=one) for one in (salma, zaid, mona))
    simba = Rater.objects.create(project=project, kind="judge", name="Simba")
    response = add_response(project, "meal", "كشري", "ar-EG")
    rubric = frozen_rubric(response.prompt, first, (5, 1, 4))
    graded(response, first, rubric, ["c1", "c2", "c3"])
    graded(response, second, rubric, ["c1"], role="regrade")
    graded(response, third, rubric, [], role="calibration")
    graded(response, simba, rubric, ["c1", "c2"], role="judge")
    found = next(one for one in RUBRICS.tables(project) if one.id == "judges-beside-people")
    rows = {row.labels[1:]: [figure.value for figure in row.figures[:2]] for row in found.rows}
    again, own = "Second gradings, given the recorded errors", "Calibration, recording errors of their own"
    same, other = "the same as the judge's", "another than the judge's"
    assert rows == {
        ("MAD", again, same): [40.0, 50.0],
        ("signed error", again, same): [-40.0, -50.0],
        ("MAD", own, other): [50.0, 100.0],
        ("signed error", own, other): [10.0, 0.0],
    }
    assert {row.figures[0].n for row in found.rows if row.labels[2] == own} == {2}
