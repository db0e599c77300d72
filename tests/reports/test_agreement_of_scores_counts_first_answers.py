"""Ali passes c1, 10 points of 37. Fatima passes it too, but finds an invented king: 3 of 37. Nour sends hers back with
a note, and she drops the king. People stay 7 of 37 apart."""

import pytest

from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.frames import grades, scores, verdicts
from reports.planning.pilot import RUBRIC_SCORES, pilot_of
from reports.rubrics.dashboard import RUBRICS
from reports.rubrics.reader import load
from reports.rubrics.scope import RubricScope
from rubrics.models import Criterion, Grade
from tests.people import signed_in
from tests.reports.sending_back import NOTE, once_more
from tests.rubrics.grading import (
    KINGS_DAYS,
    banknotes,
    grade_body,
    iraqi_annotator,
    iraqi_author,
    negative,
    stage_of,
    turn_of,
)
from tests.workflow.working import submit
from workflow.models import Assignment, FirstAnswer
from workflow.reassignment import amend, reopen

pytestmark = pytest.mark.django_db

KING = grade_body(("c1",), negative("king", KINGS_DAYS))
APART = 100 * 7 / 37


@pytest.fixture
def ali(project):
    return iraqi_annotator(project)


@pytest.fixture
def fatima(project):
    return iraqi_annotator(project, "fatima@example.org", "Fatima Ali")


@pytest.fixture
def response(project):
    return banknotes(project, iraqi_author(project))[0]


@pytest.fixture
def stage(project, response):
    return stage_of(project, "scoring", overlap=2)


def hand_in(person, stage, body) -> Assignment:
    turn = turn_of(person, stage)
    answer = submit(signed_in(person), turn, 0, body)
    assert answer.status_code == 200, answer.content
    return Assignment.objects.get(pk=turn.pk)


@pytest.fixture
def hers(stage, ali, fatima):
    hand_in(ali, stage, grade_body(("c1",)))
    return hand_in(fatima, stage, KING)


def apart(project):
    """How far people are from each other, and their mean score."""
    found = RUBRICS.tables(project, filters={})
    scores = by_id(found, "human-scores").rows[0].figures[0]
    return by_id(found, "human-ceiling").ceilings["MAD"].value, scores.value


def test_people_stay_as_far_apart_as_they_were(project, hers, fatima, nour):
    assert apart(project) == (pytest.approx(APART), pytest.approx(1000 / 37))
    reopen(hers, nour, NOTE)
    once_more(fatima, hers, grade_body(("c1",)))
    assert apart(project) == (pytest.approx(APART), pytest.approx(1000 / 37))
    standing = Grade.objects.get(assignment=hers)
    assert standing.percent == pytest.approx(1000 / 37)  # what gold and all else go by


def test_severity_and_verdicts_are_those_first_given(project, response, hers, fatima, nour):
    reopen(hers, nour, NOTE)
    once_more(fatima, hers, grade_body(("c2",)))
    loaded = load(project, [response.variety_id], RubricScope())
    first, her = loaded.at_first, Rater.objects.get(user=fatima).pk
    assert loaded.grades.id.tolist() == first.grades.id.tolist()

    def passed(of) -> set[str]:
        own = of.grades.rater[of.verdicts.grade] == her
        ids = of.criteria.id[of.verdicts.criterion[own & of.verdicts.counts]].tolist()
        return set(response.prompt.rubrics.get().criteria.filter(pk__in=ids).values_list("key", flat=True))

    assert (passed(loaded), passed(first)) == ({"c2"}, {"c1"})
    [percent] = first.grades.percent[first.grades.rater == her]
    assert percent == pytest.approx(300 / 37)


def test_a_reference_is_amended_before_anybody_built_on_it(project, stage, ali, fatima):
    """Ali found the king and dropped it; then Fatima graded. Mean scores are of his last, agreement of his first."""
    his = hand_in(ali, stage, KING)
    amend(his)
    once_more(ali, his, grade_body(("c1",)))
    hand_in(fatima, stage, grade_body(("c1",)))
    assert apart(project) == (pytest.approx(APART), pytest.approx(1000 / 37))


def test_who_grades_again_is_held_against_the_errors_that_she_was_given(project, response, ali, fatima):
    """Ali named the king on second thoughts; Fatima was given it and sees it too: they are not apart."""
    his = hand_in(ali, stage_of(project, "scoring"), grade_body(("c1",)))
    amend(his)
    once_more(ali, his, KING)
    hand_in(fatima, stage_of(project, "regrading"), grade_body(("c1",), verdicts={"king": "present"}))
    assert apart(project)[0] == 0
    assert load(project, [response.variety_id], RubricScope()).at_first is None
    told = grades(project)
    assert sorted(told[told.is_first].raw) == [3, 3]


def test_frames_have_both_and_say_which_agreement_counts(project, hers, fatima, nour):
    reopen(hers, nour, NOTE)
    once_more(fatima, hers, grade_body(("c2",)))
    found = grades(project)
    told = sorted(found[["raw", "is_counted", "is_first"]].to_numpy().tolist())
    weight = Criterion.objects.get(key="c2").weight
    assert told == sorted([[3, False, True], [weight, True, False], [10, True, True]])
    percent = found[found.is_first].percent
    assert percent.max() - percent.min() == pytest.approx(apart(project)[0])
    said = verdicts(project)
    first = said[said.is_first & ~said.is_counted]
    assert first[first.adds_weight].criterion_key.tolist() == ["c1", "king"]
    assert first.weight[first.adds_weight].tolist() == [10, -7]
    assert (len(found), len(said)) == (grades.count(project), verdicts.count(project)) == (3, 5 + 5 + 6)
    assert sorted(scores(project).query("is_first").score) == sorted(percent)
    assert sorted(pilot_of(project, RUBRIC_SCORES).grade) == sorted(percent)


def test_where_nothing_was_amended_it_costs_one_statement(project, response, hers, django_assert_max_num_queries):
    with django_assert_max_num_queries(14) as asked:
        assert load(project, [response.variety_id], RubricScope()).at_first is None
    assert sum(FirstAnswer._meta.db_table in query["sql"] for query in asked.captured_queries) == 1


def test_recipes_say_so(project, hers):
    found = RUBRICS.tables(project, filters={})
    for name in ("human-ceiling", "ceilings-by-task", "community-severity", "community-pairs"):
        assert "first" in by_id(found, name).recipe.settings["answers"], name
