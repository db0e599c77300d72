"""The reward of a predicted pair: table of cases worked out by hand, and the signatures of the two trainers."""

import ast
import inspect
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.training import reward as module
from judging.training.reward import MAXIMUM, compute_score, is_well_formed, pair_reward, read_grades, reward, written

GOOD = written(4, 2, "A is warmer.")
# (answer, gold of A and B, reward)
CASES = {
    "both right": (GOOD, (4, 2), 1 + 1 + 1),
    "A off by one, same order": (GOOD, (5, 2), 0.5 + 1 + 1),
    "both off by one, same order": (GOOD, (5, 1), 0.5 + 0.5 + 1),
    "both off by one, a tie in truth": (GOOD, (3, 3), 0.5 + 0.5 + 0),
    "B off by two, same order": (written(5, 1, ""), (5, 3), 1 + 0 + 1),
    "wrong sign": (written(2, 4, ""), (4, 2), 0),
    "wrong sign by one each": (written(3, 4, ""), (4, 3), 0.5 + 0.5 + 0),
    "a tie that is one": (written(3, 3, ""), (3, 3), 3),
    "a tie at another grade": (written(3, 3, ""), (5, 5), 0 + 0 + 1),
    "a tie that is none": (written(4, 4, ""), (4, 2), 1 + 0 + 0),
    "everything wrong": (written(1, 5, ""), (5, 1), 0),
    "the mean as gold": (GOOD, (3.5, 2), 0 + 1 + 1),
    # A missing or invalid grade: its own point and the order are lost, and 1 is taken off once.
    "B missing with its tag": ("<think>x</think><grade_a>4</grade_a>", (4, 2), 1 - 1 - 0.2),
    "B empty": ("<think>x</think><grade_a>4</grade_a><grade_b></grade_b>", (4, 2), 1 - 1),
    "B off the scale": (written(4, 6, ""), (4, 5), 1 - 1),
    "B in words": (GOOD.replace("2", "two"), (4, 2), 1 - 1),
    "B of how many": (GOOD.replace("2", "2/5"), (4, 2), 1 - 1),
    "B half a grade": (GOOD.replace("2", "2.5"), (4, 2), 1 - 1),
    "B in Arabic digits": (GOOD.replace("2", "٢"), (4, 2), 1 - 1),
    "B in full-width digits": (GOOD.replace("2", "２"), (4, 2), 1 - 1),
    "B with its label": (GOOD.replace("2", "2 - Minor failure"), (4, 2), 1 - 1),
    "B with a plus": (GOOD.replace("2", "+2"), (4, 2), 1 - 1),
    "both invalid": ("<think>x</think><grade_a>x</grade_a><grade_b>y</grade_b>", (4, 2), -1),
    # The form: every tag once and in order.
    "no reasoning": (written(4, 2), (4, 2), 3 - 0.2),
    "grades before the reasoning": (f"{written(4, 2)}<think>x</think>", (4, 2), -1 - 0.2),
    "B before A": ("<think>x</think><grade_b>2</grade_b><grade_a>4</grade_a>", (4, 2), 3 - 0.2),
    "a tag twice with one grade": (f"{GOOD}<grade_b>2</grade_b>", (4, 2), 3 - 0.2),
    "a tag twice with two grades": (f"{GOOD}<grade_b>3</grade_b>", (4, 2), 1 - 1 - 0.2),
    "a reasoning twice": (f"<think>x</think>{GOOD}", (4, 2), 3 - 0.2),
    "a tag that is not closed": (GOOD.removesuffix("</grade_b>"), (4, 2), 1 - 1 - 0.2),
    "one tag inside another": ("<think>x</think><grade_a>4<grade_b>2</grade_b></grade_a>", (4, 2), 1 - 1 - 0.2),
    # Both failures.
    "empty": ("", (4, 2), -1 - 0.2),
    "prose": ("A deserves a 4 and B a 2.", (4, 2), -1 - 0.2),
    "grades in the reasoning alone": (f"<think>{written(4, 2)}</think>", (4, 2), -1 - 0.2),
}


@pytest.mark.parametrize(("text", "gold", "earned"), CASES.values(), ids=CASES)
def test_the_reward_is_what_the_formula_says(text, gold, earned):
    assert reward(text, gold) == pytest.approx(earned)


def test_words_between_the_tags_violate_no_form():
    text = f"Here is my view.\n{GOOD}\nThat is all."
    assert is_well_formed(text)
    assert reward(text, (4, 2)) == MAXIMUM == 3


def test_grades_that_are_only_thought_of_are_none():
    thinking = "<think>Perhaps <grade_a>1</grade_a>?</think><grade_a>4</grade_a><grade_b>2</grade_b>"
    assert read_grades(thinking) == (4, 2)
    assert reward(thinking, (4, 2)) == pytest.approx(3 - 0.2), "the tag stands twice"


def test_another_scale_has_other_grades():
    assert reward(written(9, 7, ""), (9, 7), 0, 10) == 3
    assert reward(written(9, 7, ""), (9, 7)) == -1


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.integers(1, 5), st.text())
def test_what_is_written_is_read_and_rewarded_between_the_bounds(first, second, gold_a, gold_b, reasoning):
    text = written(first, second, reasoning.replace("<", ""))
    assert read_grades(text) == (first, second)
    assert is_well_formed(text)
    assert 0 <= reward(text, (gold_a, gold_b)) <= MAXIMUM
    assert (reward(text, (gold_a, gold_b)) == MAXIMUM) == ((first, second) == (gold_a, gold_b))
    swapped = written(second, first, reasoning.replace("<", ""))
    assert reward(text, (gold_a, gold_b)) == reward(swapped, (gold_b, gold_a)), "the order shown earns nothing"


@given(st.text(alphabet="<>/_abdegrtkhin 0123456789٤", max_size=120))
def test_no_text_earns_more_or_less_than_there_is(text):
    assert -1.2 - 1e-9 <= reward(text, (4, 2)) <= MAXIMUM


@pytest.mark.parametrize("is_conversation", [True, False])
def test_trl_calls_it_with_columns_by_name(is_conversation):
    """As GRPOTrainer does: all by keyword, a value for each completion, with columns and state it has besides."""
    texts = [GOOD, written(2, 4, ""), ""]
    completions = [[{"role": "assistant", "content": text}] for text in texts] if is_conversation else texts
    rewards = pair_reward(
        prompts=[[{"role": "user", "content": "?"}]] * 3,
        completions=completions,
        completion_ids=[[1], [2], [3]],
        trainer_state=object(),
        gold_a=[4, 4, 4],
        gold_b=[2, 2, 2],
        lowest=[1, 1, 1],
        highest=[5, 5, 5],
        template=["t1", "t2", "t3"],
    )
    assert rewards == pytest.approx([3.0, 0.0, -1.2])
    assert all(isinstance(each, float) for each in rewards)
    assert list(inspect.signature(pair_reward).parameters)[:2] == ["prompts", "completions"]


def test_columns_of_another_length_are_refused():
    with pytest.raises(ValueError):
        pair_reward([], [GOOD, GOOD], gold_a=[4], gold_b=[2])


def test_verl_calls_it_with_a_ground_truth():
    truth = {"gold_a": 4, "gold_b": 2, "lowest": 1, "highest": 5}
    assert compute_score("mizan", GOOD, truth, extra_info={"index": 1}) == 3
    assert compute_score(data_source="mizan", solution_str="", ground_truth=truth) == pytest.approx(-1.2)


def test_it_can_be_copied_beside_a_trainer():
    """It imports the standard library alone."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= set(sys.stdlib_module_names)
