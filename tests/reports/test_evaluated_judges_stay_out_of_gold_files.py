"""Grades and ratings of a judge that was asked to be evaluated stand in its figures, and in no file of gold."""

import json

import pytest

from annotation.models import Rating
from judging.models import Judge, PromptVersion, Purpose, Run
from projects.models import Dimension, QuestionType, Rater
from providers.models import Provider
from reports.ratings.card import summarise as summarise_ratings
from reports.ratings.gold import lines as rating_lines
from reports.rubrics.card import summarise as summarise_rubrics
from reports.rubrics.dashboard import RUBRICS
from reports.rubrics.gold import lines as rubric_lines
from rubrics.models import GradeRole
from tests.people import add_response
from tests.reports.reading import figure
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db


def run_of(rater: Rater, kind: str, purpose: str, round: int) -> None:
    """The judge was asked here, in this round, for this."""
    provider, _ = Provider.objects.get_or_create(name="near", defaults={"base_url": "http://127.0.0.1:9/v1"})
    judge, _ = Judge.objects.get_or_create(
        project=rater.project, rater=rater, defaults={"kind": kind, "model": "simba-1", "provider": provider}
    )
    version, _ = PromptVersion.objects.get_or_create(name=kind, version="v1", text="", text_sha256="")
    Run.objects.create(project=rater.project, judge=judge, prompt_version=version, purpose=purpose, round=round)


def test_grades_for_evaluation(project, simba, mona):
    rubrics = make_rubrics_project(project)
    person = Rater.objects.create(project=rubrics, kind="human", name="Farida")
    response = add_response(rubrics, "notes", "The red one is called a brick.", "ar-EG", "Muse")
    rubric = frozen_rubric(response.prompt, person)
    graded(response, person, rubric, ["c1"])
    graded(response, simba, rubric, ["c1", "c2"], role=GradeRole.JUDGE)
    [line] = [json.loads(line) for line in rubric_lines(rubrics) if b'"grades"' in line or b"Muse" in line]
    assert "judge" in json.dumps(line)
    run_of(simba, "rubric", Purpose.EVALUATION, 1)
    text = b"".join(rubric_lines(rubrics)).decode()
    assert simba.pseudonym not in text
    summary = summarise_rubrics(rubrics)
    assert (summary.judges, summary.judge_grades) == ([], 0)
    against = next(one for one in RUBRICS.tables(rubrics) if one.id == "judges-against-people")
    assert figure(against, "Simba", measure="MAD").n == 1


def test_ratings_for_evaluation_and_those_of_another_round_for_the_gold(project, koshari, simba, mona):
    dimension = Dimension.objects.create(project=project, slug="tone", name="Tone")
    question = QuestionType.objects.create(
        project=project, dimension=dimension, slug="tone", name="Tone", lowest=1, highest=5
    )
    person = Rater.objects.get(project=project, user=mona)
    Rating.objects.create(question=question, response=koshari, rater=person, first_grade=4)
    for round, grade in ((1, 2), (2, 5)):
        Rating.objects.create(question=question, response=koshari, rater=simba, first_grade=grade, round=round)
    assert summarise_ratings(project).judge_ratings == 2
    run_of(simba, "pointwise", Purpose.EVALUATION, 1)
    run_of(simba, "pointwise", Purpose.GOLD, 2)
    assert summarise_ratings(project).judge_ratings == 1
    [line] = [json.loads(line) for line in rating_lines(project) if b'"kind":"response"' in line]
    assert [(one["rater"], one["round"]) for one in line["ratings"] if one["rater"] == simba.pseudonym] == [
        (simba.pseudonym, 2)
    ]
