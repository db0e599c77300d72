"""Grades without an order are names: whichever number stands for which, every figure is the same."""

import numpy as np
import pytest

from projects.models import Project, Rater
from reports.dashboard.tables import by_id
from reports.frames import preferences, ratings
from reports.ratings.dashboard import RATERS, RATINGS
from reports.ratings.listing import lines, selected
from reports.ratings.side_by_side import of_pair
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

#: Which of five dialects a number stands for, as first written down and as written down by somebody else.
NAMES = {"as written": (1, 2, 3, 4, 5), "otherwise": (4, 2, 5, 1, 3)}
NO_ORDER = "grades without an order"


def named(slug: str, numbers: tuple[int, ...], beside: bool = False) -> Project:
    """Four people and two judges name the dialect of 40 responses, and of two pairs; with `beside`, they also grade
    them from 1 to 5."""
    project = make_ratings_project(Project.objects.create(slug=slug, name=slug))
    dialect = question_type(project, "dialect", 1, 5)
    project.question_types.filter(pk=dialect.pk).update(is_nominal=True)
    dialect.refresh_from_db()
    warm = question_type(project, "warm", 1, 5) if beside else None
    raters = [
        Rater.objects.create(project=project, kind=kind, name=name, pseudonym=name)
        for kind, name in (*(("human", f"Person {n}") for n in range(4)), ("judge", "Nala"), ("judge", "Simba"))
    ]
    generator = np.random.default_rng(2)
    for number in range(40):
        response = add_response(project, f"r{number}", f"Response number {number}", "ar-EG")
        truth = generator.integers(5)
        for rater, error in zip(raters, (0.1, 0.2, 0.3, 0.4, 0.0, 0.9), strict=True):
            said = generator.integers(5) if generator.random() < error else truth
            rate(response, rater, dialect, numbers[said])
            if warm is not None:
                rate(response, rater, warm, 1 + int(said))
    for number in range(2):
        pair = pair_of(project, f"p{number}", question=dialect)
        for rater in raters:
            rate(pair, rater, dialect, numbers[number], numbers[number + 1])
    return project


def every_figure(project: Project) -> dict:
    return {
        (table.id, row.labels, place): each
        for dashboard in (RATINGS, RATERS)
        for table in dashboard.tables(project)
        for row in table.rows
        for place, each in enumerate(row.figures)
    }


def test_every_figure_is_the_same_whichever_number_stands_for_which_name(db):
    one, other = (every_figure(named(slug, NAMES[how])) for slug, how in (("one", "as written"), ("two", "otherwise")))
    assert one.keys() == other.keys()
    assert len(one) > 40
    assert sum(each.value is not None for each in one.values()) > 20
    for place, each in one.items():
        same = other[place]
        assert (each.undefined, each.n) == (same.undefined, same.n), place
        if each.value is not None:
            assert each.value == pytest.approx(same.value, abs=1e-12), place


def test_a_judge_stands_in_for_a_person_who_names_as_others_do(db):
    """The better judge and the poor one; the test asks who says the same, never how far names are apart."""
    found = by_id(RATINGS.tables(named("one", NAMES["otherwise"])), "alternative-annotator")
    good, poor = (figure(found, name, measure="winning rate") for name in ("Nala", "Simba"))
    assert good.detail["score"] == "accuracy"
    assert good.value == 1.0
    assert poor.value == 0.0


def test_names_beside_grades_are_asked_each_as_what_they_are(db):
    found = by_id(RATINGS.tables(named("one", NAMES["otherwise"], beside=True)), "alternative-annotator")
    rate_of = figure(found, "Nala", measure="winning rate")
    assert rate_of.detail["score"] == "accuracy, negative_rmse"
    # Pairs are of the dialect alone: 40 responses twice and four responses of pairs.
    assert rate_of.n == 4


def test_the_list_calls_no_names_apart_and_a_judge_wrong_who_names_another(db):
    project = named("one", NAMES["otherwise"])
    assert selected(project, {"outcome": "apart"}).places == []
    missed = selected(project, {"outcome": "missed", "judge": project.raters.get(name="Simba").pseudonym})
    told = [one for line in lines(project, missed, missed.places) for one in line.judged]
    assert told
    assert {one.error for one in told} == {None}
    assert not any(one.is_unread for one in told)
    assert all(one.is_right is False for one in told if one.rater.name == "Simba")


def test_the_widest_miss_is_the_one_that_is_wide_for_its_scale(project):
    """Three of 0 to 100 are nearer to gold than one of 1 to 5."""
    make_ratings_project(project)
    person = Rater.objects.create(project=project, kind="human", name="Person")
    simba = Rater.objects.create(project=project, kind="judge", name="Simba")
    response = add_response(project, "r", "A response", "ar-EG")
    for slug, ends, error in (("percent", (0, 100), 3), ("formal", (1, 5), 1)):
        question = question_type(project, slug, *ends)
        rate(response, person, question, 2)
        rate(response, simba, question, 2 + error)
    found = selected(project, {})
    assert [line.question.slug for line in lines(project, found, found.places)] == ["formal", "percent"]


def test_raw_answers_say_which_grades_are_names_and_infer_no_preference(db):
    project = named("one", NAMES["otherwise"], beside=True)
    told = ratings(project)[["question", "nominal"]].drop_duplicates()
    assert dict(told.itertuples(index=False)) == {"dialect": True, "warm": False}
    sides = preferences(project)
    assert sides.nominal.all()
    assert (sides.first_grade != sides.second_grade).all()
    assert sides.preference.isna().all()
    pair = project.pairs.get(key=sides.pair_key[0])
    assert {said.prefers for asked in of_pair(pair) for said in asked.said} == {""}
