"""Orders are permutations, and the recorded seed gives them again."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.quiz.shuffling import option_order, question_order
from screening.quiz.taking import questions_of
from tests.screening.quizzes import attempt_at, choice, five_statements
from tests.workflow.working import marking_stage

SEEDS = st.integers(0, 2**31 - 1)


@given(seed=SEEDS, count=st.integers(0, 200))
def test_an_order_of_questions_is_a_permutation_and_comes_again(seed, count):
    order = question_order(seed, count)
    assert sorted(order) == list(range(count))
    assert question_order(seed, count) == order


@given(seed=SEEDS, count=st.integers(0, 12), key=st.uuids())
def test_an_order_of_options_is_a_permutation_and_comes_again(seed, count, key):
    order = option_order(seed, str(key), count)
    assert sorted(order) == list(range(count))
    assert option_order(seed, str(key), count) == order


@given(seed=SEEDS)
def test_options_do_not_follow_the_order_of_questions(seed):
    """Else who knew the one would know the other: of thirty questions at least two differ in their options' order."""
    orders = {tuple(option_order(seed, str(uuid.UUID(int=number)), 4)) for number in range(30)}
    assert len(orders) > 1


def test_the_first_place_falls_to_all_alike():
    """Of 6,000 seeds each of six questions comes first about 1,000 times: 5 standard errors are 5 * sqrt(833) = 144."""
    counts = [0] * 6
    for seed in range(6000):
        counts[question_order(seed, 6)[0]] += 1
    assert all(abs(count - 1000) < 144 for count in counts)


@pytest.mark.django_db
def test_the_recorded_seed_gives_an_attempt_its_order_again(project, koshari, mona):
    quiz = five_statements(marking_stage(project))
    choice(quiz, "Which?", ["a"], ["b", "c", "d"], position=6)
    attempt = attempt_at(quiz, mona)
    originals = list(quiz.questions.all())
    shown = questions_of(attempt)
    assert [each.question for each in shown] == [originals[at] for at in question_order(attempt.seed, 6)]
    [asked] = [each for each in shown if each.kind == "choice"]
    assert asked.order == option_order(attempt.seed, str(asked.question.key), 4)
