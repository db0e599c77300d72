"""How far is a rater from the others?"""

import numpy as np
import pytest

from agreement import mqm
from agreement.deviation import (
    deviation,
    deviation_with_intervals,
    deviations_compared,
    group_means,
    leave_one_out,
    mean_of_others,
)


def test_mad_signed_error_and_rmse_by_hand():
    result = deviation([3.0, 1.0, 5.0], [2.0, 3.0, 5.0])  # errors 1, -2, 0
    assert result.mad.value == pytest.approx(1.0)
    assert result.signed_error.value == pytest.approx(-1 / 3)
    assert result.rmse.value == pytest.approx(np.sqrt(5 / 3))
    assert result.n == 3


def test_nothing_to_compare_has_its_reason():
    assert deviation([], []).mad.undefined == "no items"
    with pytest.raises(ValueError, match="finite"):
        deviation([np.nan], [1.0])
    with pytest.raises(ValueError, match="its reference"):
        deviation([1.0], [1.0, 2.0])


AMINA, BORIS, CHITRA = 3, 5, 9
ITEMS = [0, 0, 0, 1, 1, 2]
RATERS = [AMINA, BORIS, CHITRA, AMINA, BORIS, CHITRA]
SCORES = [4.0, 2.0, 3.0, 1.0, 5.0, 2.0]


def test_each_score_against_the_mean_of_the_others():
    others = mean_of_others(ITEMS, SCORES)
    assert others[:5].tolist() == [2.5, 3.5, 3.0, 5.0, 1.0]
    assert np.isnan(others[5])


def test_each_rater_against_the_others():
    result = leave_one_out(ITEMS, RATERS, SCORES)
    assert list(result) == [AMINA, BORIS, CHITRA]
    assert result[AMINA].mad.value == pytest.approx((1.5 + 4) / 2)
    assert result[AMINA].signed_error.value == pytest.approx((1.5 - 4) / 2)
    assert result[BORIS].rmse.value == pytest.approx(np.sqrt((1.5**2 + 4**2) / 2))
    assert (result[CHITRA].n, result[CHITRA].mad.value) == (1, 0.0)


def test_a_rater_who_always_worked_alone():
    assert leave_one_out([0], [AMINA], [1.0])[AMINA].signed_error.undefined == "no items"


def test_means_of_groups():
    means = group_means([7, 2, 7], [1.0, 5.0, 2.0])
    assert {group: (figure.value, figure.n) for group, figure in means.items()} == {2: (5.0, 1), 7: (1.5, 2)}


@pytest.mark.parametrize(
    ("category", "severity", "expected"),
    [
        ("Accuracy/Mistranslation", "Major", 5.0),
        ("Accuracy/Mistranslation", "Minor", 1.0),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Fluency/Punctuation", "Major", 5.0),
        ("Non-translation!", "Major", 25.0),
        ("Source issue", "Major", 0.0),
        ("Accuracy/Source language fragment", "Minor", 1.0),
        ("Accuracy/Omission (Translation)", "Major", 5.0),
        ("No-error", "No-error", 0.0),
    ],
)
def test_what_an_annotation_costs(category, severity, expected):
    assert mqm.weight(category, severity) == expected


@pytest.mark.parametrize(("severity", "expected"), [("Major", 5.0), ("Minor", 1.0), ("Neutral", 0.0)])
def test_errors_of_the_source_cost_as_much_as_others_where_the_scheme_says_so(severity, expected):
    """Table 4 of Freitag et al. names non-translation and punctuation, and then "all others"."""
    assert mqm.weight("Source error", severity, mqm.AS_OTHERS) == expected
    assert mqm.weight("Source error", severity) == 0.0
    assert mqm.weight("Non-translation!", "Major", mqm.AS_OTHERS) == 25.0
    with pytest.raises(ValueError, match="source_errors"):
        mqm.weight("Source error", severity, "half")


def test_an_unknown_severity_is_refused():
    with pytest.raises(ValueError, match="unknown severity"):
        mqm.weight("Other", "Catastrophic")


def test_penalties_add_in_order_and_an_answer_without_errors_has_0():
    assert mqm.penalties([2, 0, 2, 2], [0.1, 5.0, 0.1, 0.1], 4).tolist() == [5.0, 0.0, 0.1 + 0.1 + 0.1, 0.0]


def test_intervals_of_a_judge_that_did_not_score_everything():
    generator = np.random.default_rng(2)
    reference = generator.integers(1, 6, 300).astype(float)
    score = reference + generator.normal(0.4, 0.5, 300)
    score[0], reference[1] = np.nan, np.nan
    found = deviation_with_intervals(score, reference)
    plain = deviation(score[2:], reference[2:])
    for name in ("mad", "signed_error", "rmse"):
        with_interval, without = getattr(found, name), getattr(plain, name)
        assert with_interval.value == without.value
        assert with_interval.low < with_interval.value < with_interval.high
    assert found.n == 298
    assert np.ptp(found.signed_error.bounds) == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(298), rel=0.15)


def test_two_judges_on_the_items_that_both_scored():
    reference = np.array([3.0, 4, 2, 5])
    mad, signed = deviations_compared(reference, [3, 5, 2, np.nan], [1, 4, 5, 5], cluster=[1, 1, 2, 2])
    # errors 0, 1, 0 against -2, 0, 3
    assert (mad.value, mad.n, mad.detail["left_out"]) == (pytest.approx(1 / 3 - 5 / 3), 3, 1)
    assert signed.value == pytest.approx(1 / 3 - 1 / 3)
    assert mad.detail["interval"] == "too few prompts"
    assert "p" not in mad.detail
    assert deviations_compared([1], [np.nan], [1])[0].undefined == "no items"
    with pytest.raises(ValueError, match="same items"):
        deviations_compared([1, 2], [1, 2], [1])
