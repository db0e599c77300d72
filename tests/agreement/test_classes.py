"""A judge's classes against gold, worked out by hand, and the same when items are drawn again."""

import numpy as np
import pytest

from agreement import classes
from agreement.alpha import alpha
from agreement.correlation import spearman
from agreement.deviation import deviation
from agreement.kappa import cohen_kappa, confusion

# Grades 1-5 as classes 0-4; nobody gives a 1, and gold has no 2.
GOLD = np.array([2, 2, 2, 3, 3, 4, 4, 4])
JUDGE = np.array([2, 2, 3, 3, 1, 4, 4, 3])
# Class 2: tp 2, called 2, there 3. Class 3: tp 1, called 3, there 2. Class 4: tp 2, called 2, there 3.
F1 = {0: 0, 1: 0, 2: 4 / 5, 3: 2 / 5, 4: 4 / 5}


def test_accuracy_and_macro_f1_by_hand():
    found = classes.figures(GOLD, JUDGE, 5, interval=False)
    assert found["accuracy"].value == 5 / 8
    assert found["macro_f1"].value == pytest.approx(sum(F1.values()) / 5), "over all five classes of the scale"
    assert found["macro_f1_of_present"].value == pytest.approx(sum(F1.values()) / 4), "class 0 occurs nowhere"
    assert found["macro_precision"].value == pytest.approx((1 + 1 / 3 + 1) / 5)
    assert found["macro_recall"].value == pytest.approx((2 / 3 + 1 / 2 + 2 / 3) / 5)
    assert found["accuracy"].n == 8


def test_each_class_by_itself():
    never, called, *rest = classes.of_each_class(GOLD, JUDGE, 5, interval=False)
    assert [never.precision.undefined, never.recall.undefined, never.f1.undefined] == ["no items"] * 3
    assert (called.precision.value, called.recall.undefined, called.f1.value) == (0, "no items", 0)
    assert [one.f1.value for one in rest] == pytest.approx([4 / 5, 2 / 5, 4 / 5])
    assert (rest[0].precision.n, rest[0].recall.n) == (2, 3)


def test_the_table_gives_what_single_grades_give():
    generator = np.random.default_rng(3)
    gold = generator.integers(0, 5, 300)
    judge = np.clip(gold + generator.integers(-1, 3, 300), 0, 4)
    found = classes.figures(gold, judge, 5, interval=False)
    table = confusion(gold, judge, 5)
    assert found["quadratic_kappa"].value == pytest.approx(cohen_kappa(table, "quadratic").value)
    assert found["unweighted_kappa"].value == pytest.approx(cohen_kappa(table).value)
    items = np.tile(np.arange(300), 2)
    assert found["alpha"].value == pytest.approx(alpha(items, np.concatenate((gold, judge))).value)
    assert found["spearman"].value == pytest.approx(spearman(gold, judge).value)
    far = deviation(judge, gold)
    assert found["mad"].value == pytest.approx(far.mad.value)
    assert found["signed_error"].value == pytest.approx(far.signed_error.value)


def test_an_unread_verdict_is_left_out_or_wrong_as_the_policy_says():
    judge = JUDGE.copy()
    judge[0] = classes.UNPARSEABLE
    left_out = classes.figures(GOLD, judge, 5, interval=False)
    assert (left_out["accuracy"].value, left_out["accuracy"].n) == (4 / 7, 7)
    wrong = classes.figures(GOLD, judge, 5, unparseable="wrong", interval=False)
    assert (wrong["accuracy"].value, wrong["accuracy"].n) == (4 / 8, 8)
    # class 2: tp 1, called 1, there 3: F1 2/4; the others as before
    assert wrong["macro_f1"].value == pytest.approx((2 / 4 + 2 / 5 + 4 / 5) / 5)
    assert wrong["mad"].n == 7
    assert wrong["accuracy"].detail == {"unparseable": 1, "policy": "wrong"}
    assert left_out["accuracy"].detail == {"unparseable": 1, "policy": "excluded"}


def test_kappa_takes_an_unread_verdict_for_the_greatest_disagreement():
    # rows are gold; the third column could not be read: costs 0 1 1 / 1 0 1 on a scale of two
    table = np.array([[[3, 1, 1], [0, 4, 1]]], dtype=float)
    expected = (5 * 5 + 5 * 2 + 5 * 3 + 5 * 2) / 10
    assert classes.unweighted_kappa(table.reshape(1, -1)) == pytest.approx([1 - 3 / expected])
    assert classes.quadratic_kappa(table.reshape(1, -1)) == pytest.approx([1 - 3 / expected])


def test_intervals_are_those_of_leaving_out_the_items_themselves():
    gold, judge = np.tile(GOLD, 3), np.tile(np.roll(JUDGE, 1), 3)
    found = classes.figures(gold, judge, 5, ["macro_f1"])["macro_f1"]
    without = [
        classes.figures(np.delete(gold, at), np.delete(judge, at), 5, ["macro_f1"], interval=False)["macro_f1"].number
        for at in range(24)
    ]
    variance = 23 / 24 * ((np.array(without) - found.number) ** 2).sum()
    part = 2.0687**2 * variance / (found.number * (1 - found.number))  # Student's t of 23 degrees of freedom
    middle = (found.number + part / 2) / (1 + part)
    half = np.sqrt(part * found.number * (1 - found.number) + part**2 / 4) / (1 + part)
    assert found.bounds == pytest.approx((middle - half, middle + half), abs=1e-4)


def test_two_setups_on_the_same_items():
    generator = np.random.default_rng(8)
    gold = generator.integers(0, 5, 400)
    good = np.where(generator.random(400) < 0.7, gold, generator.integers(0, 5, 400))
    poor = np.where(generator.random(400) < 0.4, gold, generator.integers(0, 5, 400))
    names = list(classes.STATISTICS)
    found = classes.compared(gold, good, poor, 5, names)
    one, other = (classes.figures(gold, side, 5, names, interval=False) for side in (good, poor))
    for name in names:
        assert found[name].value == pytest.approx(one[name].value - other[name].value)
        assert found[name].low <= found[name].value <= found[name].high
    assert found["macro_f1"].detail["p"] < 0.01
    assert classes.compared(gold, good, good, 5)["macro_f1"].detail["p"] == 1


def test_what_either_setup_left_unread_is_not_compared():
    second = JUDGE.copy()
    second[:2] = classes.UNPARSEABLE
    found = classes.compared(GOLD, JUDGE, second, 5, ["accuracy"], cluster=np.arange(8) // 2)["accuracy"]
    assert (found.value, found.n, found.detail["left_out"], found.detail["units"]) == (0, 6, 2, 3)
    wrong = classes.compared(GOLD, JUDGE, second, 5, ["accuracy"], unparseable="wrong")["accuracy"]
    assert (wrong.value, wrong.n) == (5 / 8 - 3 / 8, 8)


def test_a_judge_who_gives_one_grade_throughout():
    found = classes.figures([2, 2, 2], [2, 2, 2], 5, interval=False)
    assert found["quadratic_kappa"].undefined == found["alpha"].undefined == "no variation"
    assert found["spearman"].undefined == "no variation"
    assert found["accuracy"].value == 1
    assert classes.figures([], [], 5)["macro_f1"].undefined == "no items"
    unread = classes.figures([2, 2], [-1, -1], 5)
    assert (unread["alpha"].undefined, unread["macro_f1"].undefined) == ("no items", "no items")


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="below n_classes"):
        classes.figures([5], [0], 5)
    with pytest.raises(ValueError, match="below n_classes"):
        classes.figures([0], [5], 5)
    with pytest.raises(ValueError, match="unparseable must be"):
        classes.figures([0], [0], 5, unparseable="tie")
    with pytest.raises(ValueError, match="labels must be"):
        classes.macro(classes.f1_of_classes, "all")
    with pytest.raises(ValueError, match="level must be"):
        classes.alpha("cubic")
    with pytest.raises(ValueError, match="its truth"):
        classes.confusion_columns([0], [0, 1], 5)
