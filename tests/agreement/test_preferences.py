"""Who wins, and whether a judge says the same, under every policy for ties and unread verdicts."""

import numpy as np
import pytest

from agreement import preferences
from agreement.classes import figures

NOTHING = np.nan
PEOPLE = [1, 1, -1, 0, -1, 1]
JUDGE = [1, 0, 1, 0, -1, NOTHING]


def test_two_grades_say_who_wins():
    found = preferences.inferred([4, 2, 3, np.nan], [2, 4.5, 3, 1])
    assert found.tolist() == pytest.approx([1, -1, 0, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("ties", "unparseable", "expected", "n"),
    [
        # rows: right, tie against win, wrong side, both tie, right, unread against win
        ("class", "excluded", 3 / 5, 5),
        ("class", "wrong", 3 / 6, 6),
        ("class", "tie", 3 / 6, 6),
        ("strict", "excluded", 2 / 5, 5),
        ("strict", "tie", 2 / 6, 6),
        ("half credit", "excluded", (1 + 0.5 + 0 + 1 + 1) / 5, 5),
        ("half credit", "wrong", 3.5 / 6, 6),
        ("half credit", "tie", (3.5 + 0.5) / 6, 6),
    ],
)
def test_every_variant_by_hand(ties, unparseable, expected, n):
    found = preferences.accuracy(PEOPLE, JUDGE, ties=ties, unparseable=unparseable)
    assert (found.value, found.n) == (pytest.approx(expected), n)
    assert found.detail["interval"] == "too few prompts"
    assert (found.detail["ties"], found.detail["policy"], found.detail["unparseable"]) == (ties, unparseable, 1)
    assert (found.detail["tied_truth"], found.detail["tied_predictions"]) == (1, 2)


def test_an_unread_verdict_is_not_right_where_people_tied_and_it_counts_as_wrong():
    assert preferences.accuracy([0, 0], [NOTHING, 0], unparseable="wrong").value == 0.5
    assert preferences.accuracy([0, 0], [NOTHING, 0], unparseable="tie").value == 1


def test_a_pair_on_which_people_said_nothing_does_not_count():
    found = preferences.accuracy([1, NOTHING], [1, 1])
    assert (found.value, found.n) == (1, 1)
    assert preferences.accuracy([NOTHING], [1]).undefined == "no items"


def test_preferences_are_three_classes_for_macro_f1():
    classes = preferences.as_classes(JUDGE)
    assert classes.tolist() == [2, 1, 2, 1, 0, -1]
    assert preferences.as_classes(JUDGE, "tie").tolist() == [2, 1, 2, 1, 0, 1]
    found = figures(preferences.as_classes(PEOPLE), classes, 3, ["macro_f1"], interval=False)["macro_f1"]
    # loss: tp 1, called 1, there 2; tie: 1, 2, 1; win: 1, 2, 2
    assert found.value == pytest.approx((2 / 3 + 2 / 3 + 2 / 4) / 3)


def test_two_setups_on_pairs_that_both_read():
    found = preferences.accuracy_compared(PEOPLE, JUDGE, [1, 1, -1, NOTHING, 1, 1], cluster=[1, 1, 2, 2, 3, 3])
    # pairs 1, 2, 3, 5: the first is right on 1 and 5, the second on 1, 2, 3
    assert (found.value, found.n, found.detail["left_out"]) == (2 / 4 - 3 / 4, 4, 2)
    assert found.detail["interval"] == "too few prompts"
    assert (found.detail["ties"], found.detail["units"]) == ("class", 3)


def test_rates_add_up_to_one():
    found = preferences.rates([1, 1, -1, 0, NOTHING])
    assert {name: figure.value for name, figure in found.items()} == {"win": 0.5, "tie": 0.25, "loss": 0.25}
    assert all(figure.n == 4 and figure.detail["without_value"] == 1 for figure in found.values())
    many = preferences.rates([1, 1, -1, 0] * 5)["win"]
    assert many.low < 0.5 < many.high
    assert preferences.rates([NOTHING])["win"].undefined == "no items"
    one_pair = preferences.rates([1, 1, -1], cluster=[4, 4, 4])["win"]
    assert one_pair.detail["interval"] == "n < 2"


def test_mean_difference_between_two_models():
    found = preferences.mean_difference([4, 5, NOTHING], [3, 2, 1])
    assert (found.value, found.n, found.detail["without_value"]) == (2, 2, 1)


def test_how_far_a_judge_overstates():
    generator = np.random.default_rng(5)
    people = generator.normal(0.3, 1, 500)
    judge = people + 0.5 + generator.normal(0, 0.4, 500)
    judge[0] = NOTHING
    found = preferences.overstatement(judge, people)
    assert found.value == pytest.approx(judge[1:].mean() - people[1:].mean())
    assert found.low < 0.5 < found.high
    # Paired by item, the interval is that of the judge's own noise, not of the responses' variety.
    assert np.ptp(found.bounds) == pytest.approx(2 * 1.96 * 0.4 / np.sqrt(500), rel=0.15)
    assert (found.n, found.detail["left_out"]) == (499, 1)
    assert found.detail["judge"] - found.detail["people"] == pytest.approx(found.value)
    assert found.detail["p"] < 0.001
    assert preferences.overstatement([NOTHING], [1]).undefined == "no items"


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="ties must be one of"):
        preferences.accuracy([1], [1], ties="lenient")
    with pytest.raises(ValueError, match="unparseable must be one of"):
        preferences.accuracy([1], [1], unparseable="ignored")
    with pytest.raises(ValueError, match="-1, 0, 1"):
        preferences.accuracy([2], [1])
    with pytest.raises(ValueError, match="-1, 0, 1"):
        preferences.rates([0.5])
    with pytest.raises(ValueError, match="its truth"):
        preferences.accuracy([1, 1], [1])
    with pytest.raises(ValueError, match="same pairs"):
        preferences.overstatement([1], [1, 2])
