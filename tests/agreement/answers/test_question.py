"""Scores of questions and of the benchmark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.answers.question import QuestionScore, benchmark_score, fixed, question_score


def test_a_question_has_the_mean_of_its_rules():
    score = question_score({"judge_generation": 8, "rouge_l": 5, "meteor": 2})
    assert score.value == 5
    assert score.by_rule == {"judge_generation": 8, "rouge_l": 5, "meteor": 2}


def test_a_question_with_a_failed_rule_has_no_score():
    score = question_score({"rouge_l": 10, "judge_generation": None}, {"judge_generation": "refused"})
    assert score.value is None
    assert score.unscored == "judge_generation: refused"
    assert score.by_rule == {"rouge_l": 10}
    assert question_score({"rouge_l": None}).unscored == "rouge_l: no score"


def test_a_limit_holds_whatever_a_judge_says():
    assert question_score({"judge": 10, "rouge_l": 4}, limit=3, limited_by="alternatives").value == 3
    low = question_score({"judge": 1}, limit=3, limited_by="alternatives")
    assert (low.value, low.fixed_by) == (1, "")


def test_a_fixed_rule_decides_alone():
    assert fixed(0, "language") == QuestionScore(0, fixed_by="language")


@pytest.mark.parametrize("value", [-0.1, 10.1, float("nan")])
def test_a_score_outside_of_the_scale_is_refused(value):
    with pytest.raises(ValueError, match="rouge_l: a score is from 0 to 10"):
        question_score({"rouge_l": value})


def test_a_question_without_rules_is_refused():
    with pytest.raises(ValueError, match="needs a rule"):
        question_score({})


def test_the_benchmark_has_the_mean_of_its_questions():
    scores = [question_score({"a": 10}), question_score({"a": 5, "b": 0}), question_score({"a": None})]
    figure = benchmark_score(scores)
    assert (figure.value, figure.n) == (6.25, 2)
    assert figure.detail == {"planned": 3, "unscored": 1, "share_scored": 2 / 3, "has_rank": False}


@pytest.mark.parametrize(
    ("scored", "planned", "has_rank"), [(99, 100, True), (98, 100, False), (466, 470, True), (465, 470, False)]
)
def test_a_rank_is_withheld_below_99_percent(scored, planned, has_rank):
    # 99 % of 470 is 465.3
    assert benchmark_score([fixed(5, "x")] * scored, planned).detail["has_rank"] is has_rank


def test_a_benchmark_without_scores_has_no_value():
    assert benchmark_score([]).undefined == "no items"
    assert benchmark_score([question_score({"a": None})]).undefined == "no question has a score"
    with pytest.raises(ValueError, match="2 questions, but 1 planned"):
        benchmark_score([fixed(0, "x")] * 2, 1)


@given(st.lists(st.floats(0, 10), min_size=1))
def test_the_benchmark_lies_between_its_questions(values):
    figure = benchmark_score([question_score({"a": value}) for value in values])
    assert min(values) - 1e-9 <= figure.number <= max(values) + 1e-9
