"""Whatever people answer, the gold file, judges' examples, the figures and the page of a pair tell the same gold."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agreement.consensus import nearest_grade
from annotation.fitted_rules import fitted_rule
from annotation.models import GoldRule, Preference, Rating, RatingSettings
from judging.human_gold import graded_pairs, graded_responses, human_ratings
from projects.models import Level, Project, QuestionType, Rater, ResponsePair
from reports.ratings.consensus import gold_of
from reports.ratings.context import Context
from reports.ratings.gold import lines
from reports.ratings.reader import load
from reports.ratings.scope import Narrowed
from reports.ratings.side_by_side import of_pair
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate

SCALES = [None, (1, 5), (0, 1), (-2, 2), (1, 4), (3, 9)]
EXPERTS = {"Amal": False, "Mona": False, "Noor": False, "Hana": True, "Samir": True}
SIGNS = {"first": 1, "tie": 0, "second": -1}
PAIRS = 3


@st.composite
def answers(draw, scale: tuple[int, int] | None):
    """By pair and person: two grades, a preference alone, or nothing."""
    answer = st.none() | st.tuples(st.none(), st.none(), st.sampled_from(Preference.values))
    if scale is not None:
        lowest, highest = scale
        steps = 2 if draw(st.booleans()) else 1
        grade = st.integers(steps * lowest, steps * highest).map(lambda number: number / steps)
        answer |= st.tuples(grade, grade, st.just(""))
    return draw(st.lists(st.tuples(*[answer] * len(EXPERTS)), min_size=PAIRS, max_size=PAIRS))


def grades_before(scale: tuple[int, int] | None) -> st.SearchStrategy:
    grade = st.none() if scale is None else st.integers(*scale)
    return st.tuples(grade, grade)


@pytest.fixture
def pairs(project) -> list[ResponsePair]:
    formality = question_type(make_ratings_project(project))
    return [pair_of(project, f"p{number}", question=formality) for number in range(PAIRS)]


@pytest.fixture
def people(project) -> list[Rater]:
    return [
        Rater.objects.create(project=project, kind="human", name=name, pseudonym=name, is_expert=is_expert)
        for name, is_expert in EXPERTS.items()
    ]


def rescaled(project: Project, scale: tuple[int, int] | None) -> QuestionType:
    """The project's question type with another scale, and nothing rated."""
    Rating.objects.all().delete()
    Level.objects.all().delete()
    QuestionType.objects.filter(project=project).update(
        lowest=scale[0] if scale else None, highest=scale[1] if scale else None
    )
    return QuestionType.objects.get(project=project)


@pytest.mark.django_db
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(data=st.data(), scale=st.sampled_from(SCALES), rule=st.sampled_from(GoldRule.values))
def test_gold_is_the_same_wherever_it_is_told(data, scale, rule, project, pairs, people):
    question = rescaled(project, scale)
    RatingSettings.objects.update_or_create(project=project, defaults={"gold_rule": rule})
    for pair, of_pair_answers in zip(pairs, data.draw(answers(scale)), strict=True):
        for rater, answer in zip(people, of_pair_answers, strict=True):
            if answer is not None:
                # What a person said before they changed their mind counts nowhere.
                rate(pair, rater, question, *data.draw(grades_before(scale)), preference="tie")
                rate(pair, rater, question, *answer[:2], preference=answer[2], round=2)
    in_file = {line["id"]: line["gold"][0] for line in map(json.loads, lines(project)) if line["kind"] == "pair"}

    # Examples and training sets: whole grades where there is a scale, else the preference.
    ratings = human_ratings(project)[question.pk]
    of_pairs = {pair.pair: pair for pair in graded_pairs(question, ratings, fitted_rule(project))}
    of_responses = dict(graded_responses(question, ratings, fitted_rule(project)))

    # Figures.
    variety = pairs[0].variety_id
    context = Context(Narrowed(), rule, "excluded")
    loaded = load(project, [variety], context.scope)
    figures = gold_of(loaded, context)
    by_response = dict(zip(loaded.items.response.tolist(), figures.grade.tolist(), strict=True))
    says = dict(zip(loaded.contests.pair.tolist(), figures.says.tolist(), strict=True))

    for pair in pairs:
        gold = in_file.get(pair.key)
        page = of_pair(pair)
        if gold is None:
            assert pair.pk not in of_pairs
            assert page == []
            continue
        first, second, preference = gold["first"], gold["second"], gold["preference"]
        assert says[pair.pk] == SIGNS[preference]
        assert (page[0].first, page[0].second, page[0].prefers) == (first, second, preference)
        if first is not None:
            assert (by_response[pair.first_id], by_response[pair.second_id]) == (first, second)
            whole = tuple(nearest_grade([first, second], *scale).tolist())
            assert of_pairs[pair.pk].grades == whole
            assert (of_responses[pair.first_id], of_responses[pair.second_id]) == whole
        elif scale is None:
            assert of_pairs[pair.pk].preference == preference
        if pair.pk in of_pairs:
            assert of_pairs[pair.pk].by_experts == (gold["rule"] == "expert")


@pytest.mark.django_db
def test_a_fraction_of_another_pair_counts_on_the_page_too(project, pairs, people):
    """Where anybody gave a fraction, the question type is on a scale of fractions: two experts are between 0 and 1."""
    question = rescaled(project, (0, 1))
    RatingSettings.objects.update_or_create(project=project, defaults={"gold_rule": "majority"})
    rate(pairs[1], people[4], question, 0, 0.5)
    rate(pairs[2], people[3], question, 0, 0)
    rate(pairs[2], people[4], question, 0, 1)
    [line] = [line for line in map(json.loads, lines(project)) if line.get("id") == "p2"]
    [asked] = of_pair(pairs[2])
    assert (line["gold"][0]["first"], line["gold"][0]["second"]) == (asked.first, asked.second) == (0, 0.5)


@pytest.mark.django_db
def test_a_fraction_anywhere_makes_the_mean_the_gold_of_every_part(project, pairs, people):
    """Of 5, 5 and 2 the majority is 5 and the mean 4: which of the two is gold is not told by the answers at hand."""
    question = rescaled(project, (1, 5))
    asked, other = pairs[0], pairs[1]
    for rater, grade in zip(people, (5, 5, 2), strict=False):
        rate(asked, rater, question, grade, grade)
    mine = [one for one in human_ratings(project)[question.pk] if one.pair == asked.pk]
    assert graded_pairs(question, mine, fitted_rule(project))[0].grades == (5, 5)
    assert of_pair(asked)[0].first == 5
    rate(other, people[0], question, 3, 3)
    Rating.objects.filter(pair=other).update(second_grade=3.5)
    assert fitted_rule(project).of_fractions == {question.slug}
    assert graded_pairs(question, mine, fitted_rule(project))[0].grades == (4, 4)
    assert of_pair(asked)[0].first == 4
