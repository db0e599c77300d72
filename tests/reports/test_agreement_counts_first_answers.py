"""Karim grades 4 and Mona 2; Nour sends Mona's answer back with a note, and she gives 4. Agreement stays what it was
before the note; gold, means and judges go by the 4."""

import io
import json
from io import StringIO

import pytest
from django.core.management import call_command

from agreement.alpha import alpha
from annotation.models import Rating
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from projects.models import Project, Rater
from reports.dashboard.tables import by_id
from reports.frames import preferences as preferences_frame
from reports.frames import ratings as ratings_frame
from reports.frames import scores
from reports.groups.page import near_others
from reports.planning.pilot import pilot_of
from reports.ratings.dashboard import RATERS, RATINGS
from reports.ratings.reader import load
from reports.ratings.scope import Narrowed
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import rating, rating_stage
from tests.people import add_response, signed_in
from tests.reports.sending_back import NOTE, once_more
from tests.workflow.working import submit
from workflow.claims import claim_next
from workflow.models import Assignment, FirstAnswer
from workflow.reassignment import amend, reopen

pytestmark = pytest.mark.django_db


def rate(person, stage, grades: dict[str, int]) -> dict[str, Assignment]:
    """The person grades each response that the stage has, by its key."""
    turns = {}
    while (turn := claim_next(person.raters.get(project=stage.project), stage)) is not None:
        key = turn.response.key
        answer = {"ratings": [{"question": "formality", "first": grades[key], "comment": ""}]}
        assert submit(signed_in(person), turn, 0, answer).status_code == 200
        turns[key] = turn
    return turns


@pytest.fixture
def rated(project, mona, karim, simba):
    """Two texts: Mona grades 2 and 5, Karim 4 and 5, and the judge 4 and 5. `mine` is Mona's turn at the first."""
    question = question_type(make_ratings_project(project))
    texts = [add_response(project, key, f"صباح الخير {key}", "ar-EG") for key in ("one", "two")]
    stage = rating_stage(project, "ratings")
    mine = rate(mona, stage, {"one": 2, "two": 5})["one"]
    rate(karim, stage, {"one": 4, "two": 5})
    for text, grade in zip(texts, (4, 5), strict=True):
        Rating.objects.create(question=question, rater=simba, response=text, first_grade=grade)
    return project, Assignment.objects.get(pk=mine.pk)


@pytest.fixture
def sent_back(rated, mona, nour):
    """And Mona gives 4 for her 2, with Nour's note before her."""
    project, mine = rated
    reopen(mine, nour, NOTE)
    once_more(mona, mine, {"ratings": [{"question": "formality", "first": 4, "comment": ""}]})
    return project


def figures(project, table, dashboard=RATINGS):
    found = by_id(dashboard.tables(project, filters={}), table)
    return dict(zip(found.measures, found.rows[-1].figures, strict=True))


def of_people(project) -> dict:
    return {name: figure.value for name, figure in figures(project, "ratings-by-dimension").items()}


def test_agreement_stays_and_means_follow(rated, mona, nour):
    project, mine = rated
    before = of_people(project)
    # Ordinal: 2 once, 4 once, 5 twice. Squared distances 1 (2 to 4), 2.25 (4 to 5), 6.25 (2 to 5), so of 2 observed
    # 2/3 (1 + 2 x 2.25 + 2 x 6.25) = 12 are expected by chance.
    assert before["alpha"] == pytest.approx(1 - 2 / 12)
    assert (before["agreement within 1"], before["mean grade"]) == (1 / 2, 4)
    reopen(mine, nour, NOTE)
    once_more(mona, mine, {"ratings": [{"question": "formality", "first": 4, "comment": ""}]})
    after = of_people(project)
    agreement = ("alpha", "Gwet's AC", "agreement within 1")
    assert {name: after[name] for name in agreement} == {name: before[name] for name in agreement}
    assert after["mean grade"] == 4.5  # 4, 4, 5, 5
    assert (after["ratings"], after["items"], after["raters"]) == (4, 2, 2)


def test_judges_meet_the_last_and_people_their_first(sent_back):
    table = by_id(RATINGS.tables(sent_back, filters={}), "judges-against-gold")
    off = table.measures.index("MAD")
    # Gold is 4 and 5, as the judge says; of people's first answers two are 2 off, and two are not.
    assert table.rows[0].figures[off].value == 0
    assert table.ceilings["MAD"].value == 1


def test_each_person_is_held_against_the_others_by_first_answers(sent_back):
    table = by_id(RATERS.tables(sent_back, filters={}), "raters")
    assert [row.figures[1].value for row in table.rows] == [1 / 2, 1 / 2]
    signed = {row.labels[0]: row.figures[2].value for row in table.rows}
    assert sorted(signed.values()) == [-1, 1]  # 2 less 4 and 5 less 5, and the other way round


def test_recipes_say_so(sent_back):
    found = RATINGS.tables(sent_back, filters={})
    for name in ("ratings-by-dimension", "ratings-by-variety", "ratings-by-question"):
        assert "first" in by_id(found, name).recipe.settings["answers"]


def test_while_it_is_with_her_nothing_of_hers_counts(rated, nour):
    project, mine = rated
    reopen(mine, nour, NOTE)
    assert of_people(project)["ratings"] == 3
    assert load(project, [mine.item.variety_id], Narrowed()).at_first is None


def test_where_nothing_was_amended_it_costs_one_statement(rated, django_assert_max_num_queries):
    project, mine = rated
    with django_assert_max_num_queries(13) as asked:
        loaded = load(project, [mine.item.variety_id], Narrowed())
    assert loaded.at_first is None
    assert sum(FirstAnswer._meta.db_table in query["sql"] for query in asked.captured_queries) == 1


def test_the_first_of_several_is_kept(rated, mona, nour):
    project, mine = rated
    for grade in (3, 4):
        reopen(Assignment.objects.get(pk=mine.pk), nour, NOTE)
        once_more(mona, mine, {"ratings": [{"question": "formality", "first": grade, "comment": ""}]})
    assert of_people(project)["alpha"] == pytest.approx(1 - 2 / 12)
    first = load(project, [mine.item.variety_id], Narrowed()).at_first
    own = first.grades.rater == Rater.objects.get(user=mona).pk
    assert sorted(first.grades.grade[own]) == [2, 5]


def test_of_pairs_the_sides_stay_theirs_whichever_was_shown_first(project, mona, karim):
    """Preferences and grades of the pair's first and second; a question that the first answer left out is not there."""
    question_type(make_ratings_project(project))
    question_type(project, "fluency", dimension="fluency")
    for number in range(4):  # some of them swapped, some not
        pair_of(project, f"greeting-{number}")
    stage = rating_stage(project)
    first = [rating("formality", 5, 1), rating("fluency", 3, 3)]
    while (turn := claim_next(mona.raters.get(project=project), stage)) is not None:
        submit(signed_in(mona), turn, 0, {"ratings": first})
        amend(Assignment.objects.get(pk=turn.pk))
        once_more(mona, turn, {"ratings": [rating("formality", 1, 5), rating("fluency", 3, 4)]})
    assert {row.is_swapped for row in Rating.objects.all()} == {True, False}
    variety = Assignment.objects.first().item.variety_id
    loaded = load(project, [variety], Narrowed(question="formality"))
    assert set(loaded.verdicts.says.tolist()) == {-1}
    assert set(loaded.at_first.verdicts.says.tolist()) == {1}
    assert set(loaded.at_first.verdicts.is_swapped.tolist()) == {True, False}
    of_first = loaded.items.response[loaded.at_first.grades.item[loaded.at_first.grades.grade == 5]]
    assert set(of_first.tolist()) == set(loaded.contests.first_response.tolist())
    told = preferences_frame(project)
    assert len(told) == preferences_frame.count(project) == 16
    of_formality = told[told.question == "formality"]
    assert set(of_formality[of_formality.is_first].preference) == {"first"}
    assert set(of_formality[of_formality.is_counted].preference) == {"second"}
    assert of_formality[of_formality.is_first].is_swapped.nunique() == 2


def test_the_order_of_a_pair_goes_along_into_an_archive(project, mona):
    """There raters and pairs have other ids, of which the order would be drawn otherwise."""
    question_type(make_ratings_project(project))
    for number in range(8):
        pair_of(project, f"greeting-{number}")
    stage = rating_stage(project)
    while (turn := claim_next(mona.raters.get(project=project), stage)) is not None:
        submit(signed_in(mona), turn, 0, {"ratings": [rating(first=5, second=1)]})
        amend(Assignment.objects.get(pk=turn.pk))
        once_more(mona, turn, {"ratings": [rating(first=1, second=5)]})
    archive = io.BytesIO()
    write_archive(project, archive)
    there = Project.objects.get(pk=restore(io.BytesIO(archive.getvalue()), "moved", None).project)
    here = dict(Rating.objects.filter(rater__project=project).values_list("pair__key", "is_swapped"))
    assert set(here.values()) == {True, False}
    for one in (project, there):
        told = preferences_frame(one)
        first = told[told.is_first]
        assert dict(zip(first.pair_key, first.is_swapped, strict=True)) == here


def test_the_frame_has_both_and_says_which_agreement_counts(sent_back):
    found = ratings_frame(sent_back)
    mine = found[(found.rater_kind == "human") & (found.grade < 5)]
    told = sorted(mine[["grade", "is_counted", "is_first"]].to_numpy().tolist())
    assert told == [[2, False, True], [4, True, False], [4, True, True]]
    people = found[found.is_first & (found.rater_kind == "human")]
    assert alpha(people.response_key.tolist(), people.grade.tolist(), "ordinal").value == of_people(sent_back)["alpha"]
    assert len(found) == ratings_frame.count(sent_back)
    counted = found[found.is_counted & (found.rater_kind == "human")]
    assert counted.grade.mean() == of_people(sent_back)["mean grade"]


def test_so_does_the_frame_of_scores(sent_back):
    found = scores(sent_back)
    people = found[found.is_first & (found.rater_kind == "human")]
    assert sorted(people.score) == [2, 4, 5, 5]
    assert len(found) == scores.count(sent_back)


def test_every_alpha_is_verified_from_first_answers(sent_back):
    out = StringIO()
    call_command("agreement", sent_back.slug, "--verify", "--json", stdout=out, stderr=StringIO())
    told = json.loads(out.getvalue())["alphas"]
    assert told
    assert all(one["agrees"] for one in told), told


def test_a_pilot_starts_from_first_answers(sent_back):
    assert sorted(pilot_of(sent_back, "question-formality").grade) == [2, 4, 5, 5]


def test_groups_are_near_each_other_by_first_answers(sent_back, mona):
    """Mona in a group, Karim in none: of their two texts one is within a step."""
    near = near_others(sent_back, {Rater.objects.get(user=mona).pk: 1})
    assert {group: figure.value for group, figure in near.items()} == {0: 1 / 2, 1: 1 / 2}
