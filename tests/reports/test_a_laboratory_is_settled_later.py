"""A model turns out to be of a judge's own laboratory after that judge has judged it: from then on figures are as if
its answers about the model had never been given."""

import json

import pytest
from django.test import Client

from annotation.models import Marking, Rating
from projects.laboratories import laboratory_of, settle
from projects.models import ApiToken, Laboratory, Project, Rater, TargetModel
from projects.own_laboratories import touched
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from rubrics.models import Grade
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response, signed_in
from tests.reports.perle import study

pytestmark = pytest.mark.django_db

MARK = "own laboratory"
#: Tables that take such answers in.
OF_OWN = ("-drawn-by", "self-preference", "self-preference-wins")
LEFT_OUT = "left out: answers about models of the judge's own laboratory"


def all_but_names(tables) -> list:
    """Rows of each table without what they are marked with."""
    return [(table.id, [(row.labels, row.figures) for row in table.rows]) for table in tables]


@pytest.fixture
def reef(db) -> Laboratory:
    return Laboratory.objects.create(slug="reef", name="Reef")


@pytest.fixture
def graded(project, reef) -> Project:
    """Simba of Reef grades twelve responses of two models of others and six pairs of them; so does Mona, and so does
    Orca, a judge of another laboratory."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    of_orca = Laboratory.objects.create(slug="deep", name="Deep")
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    judges = [
        Rater.objects.create(project=feasts, kind="judge", name=name, model=name.lower(), laboratory=laboratory)
        for name, laboratory in (("Simba", reef), ("Orca", of_orca))
    ]
    for number in range(12):
        response = add_response(
            feasts, f"r{number}", "اتفضل " * (number + 1), "ar-EG", ("Nile-7B", "Coral-1")[number % 2]
        )
        for place, rater in enumerate((mona, *judges)):
            rate(response, rater, question, 1 + (number * (place + 1)) % 5)
    for number in range(6):
        models = ("Nile-7B", "Coral-1") if number % 2 else ("Nile-7B", "Delta-9B")
        pair = pair_of(feasts, f"p{number}", question=question, models=models)
        for place, rater in enumerate((mona, *judges)):
            rate(pair, rater, question, 1 + (number + place) % 5, 1 + number % 4)
    return feasts


def coral() -> TargetModel:
    return TargetModel.objects.get(name="Coral-1")


def test_figures_are_those_of_a_project_in_which_the_answers_were_never_given(graded, reef):
    """Six responses and three pairs are Coral's. Of what draws judges the effect of their own laboratory is told."""
    of_coral = coral()
    before = all_but_names(RATINGS.tables(graded))
    settle(graded, of_coral, reef, None)
    after = RATINGS.tables(graded)
    kept = Rating.objects.filter(rater__name="Simba")
    assert kept.count() == 18
    settled = [row for row in all_but_names(after) if not row[0].endswith(OF_OWN)]
    about = kept.filter(response__target_model=of_coral) | kept.filter(pair__second__target_model=of_coral)
    assert about.count() == 9
    marks = {row.labels: row.marks for row in by_id(after, "judges-against-gold").rows}
    assert any("Simba" in labels for labels in marks)
    assert all((MARK in those) == ("Simba" in labels) for labels, those in marks.items())
    assert by_id(after, "judges-against-gold").recipe.extras[LEFT_OUT] == {"Simba": 9}
    about.delete()
    never = [row for row in all_but_names(RATINGS.tables(graded)) if not row[0].endswith(OF_OWN)]
    assert settled == never
    assert settled != [row for row in before if not row[0].endswith(OF_OWN)]


def test_grades_by_rubric_are_left_out_too():
    perle = study(prompts=4)
    model = perle.project.responses.filter(target_model__name="Palm-1").first().target_model
    lenient = perle.judges["lenient"]
    before = Grade.objects.filter(rater=lenient, response__target_model=model).count()
    assert before == 8
    settle(perle.project, model, lenient.laboratory, None)
    after = RUBRICS.tables(perle.project)
    settled = [row for row in all_but_names(after) if not row[0].endswith(OF_OWN)]
    assert any(MARK in row.marks for table in after for row in table.rows if "lenient" in row.labels)
    Grade.objects.filter(rater=lenient, response__target_model=model).delete()
    never = [row for row in all_but_names(RUBRICS.tables(perle.project)) if not row[0].endswith(OF_OWN)]
    assert settled == never


def test_marked_errors_are_left_out_too(project, koshari, mona, reef):
    simba = Rater.objects.create(project=project, kind="judge", name="Simba", model="simba", laboratory=reef)
    human = mona.raters.get()
    for rater in (human, simba):
        Marking.objects.create(response=koshari, rater=rater, round=1, no_errors=True, is_complete=True)
    assert any("Simba" in row.labels for row in by_id(SPANS.tables(project), "judge-scores").rows)
    settle(project, koshari.target_model, reef, None)
    assert not any("Simba" in row.labels for row in by_id(SPANS.tables(project), "judge-scores").rows)


def test_the_page_says_beforehand_which_answers_figures_will_do_without(graded, reef, nour):
    of_coral, client = coral(), signed_in(nour)
    address, before = f"/p/feasts/laboratories/{of_coral.pk}/", laboratory_of(graded, of_coral)
    asked = client.post(address, {"laboratory": reef.pk})
    assert asked.status_code == 200
    assert "<li><bdi>Simba</bdi>: 9</li>" in asked.content.decode()
    assert laboratory_of(graded, of_coral) == before
    assert client.post(address, {"laboratory": reef.pk, "confirmed": "1"}).status_code == 302
    assert laboratory_of(graded, of_coral) == reef


def test_a_program_settles_it_and_may_ask_first(graded, reef, nour):
    _row, token = ApiToken.issue(nour, "laboratories")
    program, of_coral = Client(headers={"Authorization": f"Bearer {token}"}), coral()

    def settled(**said):
        body = json.dumps({"model": "Coral-1", "laboratory": "reef", **said})
        return program.post("/api/v1/projects/feasts/laboratories/", body, content_type="application/json")

    before = laboratory_of(graded, of_coral)
    expected = {"model": "Coral-1", "laboratory": "reef", "left_out": [{"judge": "Simba", "answers": 9}]}
    assert settled(dry_run=True).json() == expected
    assert laboratory_of(graded, of_coral) == before
    assert settled().json() == expected
    assert laboratory_of(graded, of_coral) == reef
    assert set(settled(laboratory="nobody", model="Elsewhere-1").json()) == {"laboratory", "model"}
    assert touched(graded, of_coral, Laboratory.objects.get(slug="deep")) == [("Orca", 9)]
