"""What a judge does again and again is named where it is so, and an honest judge is named nothing."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.biases import AS_PEOPLE as NO_MORE_THAN_PEOPLE
from agreement.biases import (
    CHANCE,
    LESS,
    MORE,
    SMALL,
    UNKNOWN,
    findings,
    length_slope,
    longer_preferred,
    mean_error,
    position,
    recall_gap,
    share_beyond,
    unused_grade,
)
from agreement.figures import Figure
from agreement.inference import TOO_FEW_PROMPTS, estimate
from agreement.multiplicity import holm
from agreement.statistics import mean_columns, ratio_of_sums


def state(figure: Figure) -> str:
    return findings({"it": figure})["it"].state


# --- The interval -------------------------------------------------------------------------------------


def test_of_a_mean_of_single_items_it_is_students_interval():
    values = np.random.default_rng(2).normal(1, 2, 25)
    found = estimate(mean_columns(values), ratio_of_sums, np.arange(25))
    told = stats.ttest_1samp(values, 0)
    assert found.detail["p"] == pytest.approx(told.pvalue)
    assert found.bounds == pytest.approx(tuple(told.confidence_interval()))


def test_items_of_a_prompt_count_as_one_draw():
    values = np.random.default_rng(2).normal(1, 2, 25)
    single = estimate(mean_columns(values), ratio_of_sums, np.arange(25))
    fourfold = estimate(mean_columns(np.repeat(values, 4)), ratio_of_sums, np.repeat(np.arange(25), 4))
    assert fourfold.bounds == pytest.approx(single.bounds)
    assert (single.n, fourfold.n) == (25, 100)


def test_what_is_always_the_same_is_as_certain_as_its_prompts_are_many():
    assert mean_error(np.full(12, 5.0), np.arange(12), 1).detail["p"] == 2.0**-11
    assert mean_error(np.zeros(12), np.arange(12), 1).detail["p"] == 1


# --- The correction and the rule ----------------------------------------------------------------------


def test_holm_by_hand():
    """0.01 x 4, 0.02 x 3, 0.03 x 2 (0.06 both), 0.4 x 1; in the order given."""
    assert holm([0.4, 0.01, 0.03, 0.02]).tolist() == pytest.approx([0.4, 0.04, 0.06, 0.06])
    with pytest.raises(ValueError):
        holm([1.5])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order_and_never_lowers(values):
    found = holm(values)
    assert (found >= np.array(values)).all()
    assert (found <= 1).all()
    order = np.argsort(values, kind="stable")
    assert (np.diff(found[order]) >= 0).all()


def test_named_where_it_is_certain_large_and_more_than_people_do():
    def told(value: float, p: float, **detail) -> str:
        return state(Figure(value, 40, detail={"p": p, "least": 1.0, **detail}))

    assert told(5, 0.001) == MORE
    assert told(-5, 0.001) == LESS
    assert told(5, 0.06) == CHANCE
    assert told(0.9, 0.001) == SMALL
    assert told(1 - 1e-12, 0.001) == MORE, "one point is one point"
    assert told(5, 0.001, people=6.0) == NO_MORE_THAN_PEOPLE
    assert told(5, 0.001, people=-6.0) == MORE
    assert told(-5, 0.001, people=-6.0) == NO_MORE_THAN_PEOPLE
    assert state(Figure.without_value(TOO_FEW_PROMPTS, 3)) == UNKNOWN


# --- Biases by hand -----------------------------------------------------------------------------------


def test_five_points_on_every_response():
    found = mean_error(np.full(30, 5.0), np.repeat(np.arange(15), 2), 1)
    assert (found.value, found.low, found.detail["interval"]) == (5, None, "no variation")
    assert state(found) == MORE
    assert mean_error([5.0, 5.0, 5.0], np.arange(3), 1).undefined == TOO_FEW_PROMPTS


def long_and_good(seed: int = 5, n: int = 60) -> tuple:
    """Lengths, and scores that rise by ten points with every doubling."""
    generator = np.random.default_rng(seed)
    length = 2.0 ** generator.integers(5, 10, n)
    return generator, length, 10 * np.log2(length) + generator.normal(0, 5, n)


def test_two_points_for_twice_the_length_whatever_people_say_of_it():
    _, length, people = long_and_good()
    found = length_slope(3 + 2 * np.log2(length), people, length, np.arange(60), 1)
    assert found.value == pytest.approx(2)
    assert state(found) == MORE
    assert state(length_slope(3 - 2 * np.log2(length), people, length, np.arange(60), 1)) == LESS


def test_a_narrow_scale_is_not_a_dislike_of_length():
    """That long responses are good is people's view, which it follows in smaller steps."""
    _, length, people = long_and_good()
    found = length_slope(-0.4 * people, people, length, np.arange(60), 1)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert state(found) == CHANCE


def test_a_judge_that_is_surer_than_people_is_not_said_to_like_length():
    """People err by ten points about what is true, the judge by two: long responses that people took for poor were
    better than that, and the judge knows."""
    generator, length, truth = long_and_good(n=2000)
    people, judge = truth + generator.normal(0, 10, 2000), truth + generator.normal(0, 2, 2000)
    assert state(length_slope(judge - people, people, length, np.arange(2000), 0.5)) == CHANCE


def test_where_people_always_say_the_same_lengths_can_still_be_told():
    length = np.tile([100, 200], 10)
    found = length_slope(np.tile([0.0, 1.0], 10), np.full(20, 3.0), length, np.arange(20), 0.1)
    assert found.value == pytest.approx(1)


def test_lengths_that_are_alike_or_are_the_score_tell_nothing():
    values = np.arange(20.0)
    assert length_slope(values, values, np.full(20, 300), np.arange(20), 1).undefined == "lengths hardly differ"
    nearly = np.linspace(300, 400, 20)
    assert length_slope(values, values, nearly, np.arange(20), 1).undefined == "lengths hardly differ"
    assert length_slope(values, values, 2.0**values, np.arange(20), 1).undefined == "no variation"


def test_the_longer_of_two_beyond_people():
    """The judge always takes the longer; people do in half of the twenty pairs: (1 - 0.5) = 0.5."""
    longer = np.tile([1, -1], 10)
    people = np.tile([1, 1], 10)
    found = longer_preferred(longer, people, longer, np.arange(20), 0.05)
    assert found.value == pytest.approx(0.5)
    assert state(found) == MORE


def test_always_the_first_is_a_hundred_percent_of_disagreement_and_all_of_it_for_the_first():
    found = position(np.full(20, 2.0), np.arange(20), 0.05)
    assert (found.value, found.detail["disagree"], found.detail["first"]) == (1, 1, 1)
    assert state(found) == MORE


def test_orders_that_disagree_both_ways_are_no_liking_for_the_first():
    found = position(np.tile([2.0, -2.0, 0.0, np.nan], 10), np.arange(40), 0.05)
    assert (found.value, found.detail["pairs"], found.detail["first"]) == (0, 30, 0.5)
    assert found.detail["disagree"] == pytest.approx(2 / 3)
    assert state(found) == CHANCE
    assert position([], [], 0.05).undefined == "asked in one order"


def test_the_last_is_named_too():
    assert state(position(np.full(20, -1.0), np.arange(20), 0.05)) == LESS


def test_it_sees_nine_of_ten_explicit_faults_and_none_of_the_implicit():
    seen = np.tile([[9, 0]], (20, 1))
    there = np.tile([[10, 5]], (20, 1))
    found = recall_gap(seen, there, np.arange(20), 0.1)
    assert found.value == pytest.approx(0.9)
    assert found.detail["recalls"] == [0.9, 0]
    assert found.detail["there"] == [200, 100]
    assert state(found) == MORE
    assert state(recall_gap(seen, there, np.arange(20), 0.1, people=0.95)) == NO_MORE_THAN_PEOPLE
    assert recall_gap(seen, there * [1, 0], np.arange(20), 0.1).undefined == "no items"


def test_a_grade_that_people_give_and_the_judge_never_does():
    """Grade 0 is people's in a fifth: 5 * 0.8^20 = 0.0576 is no proof yet, 5 * 0.8^40 = 0.0007 is."""
    truth, said = np.tile([0, 1, 2, 3, 4], 8), np.tile([1, 1, 2, 3, 4], 8)
    few = unused_grade(said[:20], truth[:20], np.arange(20), 5)
    assert few.detail["p"] == pytest.approx(5 * 0.8**20)
    assert state(few) == CHANCE
    many = unused_grade(said, truth, np.arange(40), 5)
    assert (many.value, many.detail["grade"]) == (0.2, 0)
    assert state(many) == MORE
    assert unused_grade(truth, truth, np.arange(40), 5).value == 0


def test_refusing_a_third_is_much_and_refusing_nothing_is_no_bias():
    third = share_beyond(np.tile([1, 0, 0], 20), np.arange(60), 0.05, 0.1)
    assert third.value == pytest.approx(1 / 3)
    assert state(third) == MORE
    never = share_beyond(np.zeros(60), np.arange(60), 0.05, 0.1)
    assert state(never) == CHANCE
    # Never on 60 prompts, which is no proof: Wilson's bound t^2 / (60 + t^2), t with 59 degrees of freedom.
    t = stats.t.ppf(0.975, 59)
    assert (never.value, never.low) == (0.0, 0.0)
    assert never.high == pytest.approx(t**2 / (60 + t**2), abs=1e-12)
    assert state(share_beyond(np.ones(60), np.arange(60), 0.05, 0.1)) == MORE
    eight_in_a_hundred = share_beyond(np.arange(2000) % 100 < 8, np.arange(2000), 0.05, 0.1)
    assert state(eight_in_a_hundred) == SMALL


# --- An honest judge ----------------------------------------------------------------------------------


def honest_study(seed: int, judges: int = 3, prompts: int = 30) -> dict:
    """Figures of judges that err alike both ways, in skewed and unequal data: whatever is named is named falsely."""
    generator = np.random.default_rng(seed)
    prompt = np.repeat(np.arange(prompts), generator.integers(1, 5, prompts))
    n = len(prompt)
    length = np.exp(generator.normal(6, 0.8, n))
    truth = 8 * np.log2(length) + generator.normal(0, 15, n)
    people = truth + generator.normal(0, 10, n)
    found: dict[int, Any] = {}
    for judge in range(judges):
        errors = truth - people + generator.choice([-20, -5, 0, 5, 20], n) * generator.exponential(1, n)
        shared = generator.normal(0, 4, prompts)[prompt]  # answers to one prompt are not independent
        there = generator.poisson(1.5, (n, 2))
        found |= {
            (judge, "leniency"): mean_error(errors + shared, prompt, 1),
            (judge, "length"): length_slope(errors + shared, people, length, prompt, 1),
            (judge, "position"): position(generator.choice([-2.0, 0, 0, 2.0], n), prompt, 0.05),
            (judge, "implicit"): recall_gap(generator.binomial(there, 0.7), there, prompt, 0.1),
            (judge, "grades"): unused_grade(generator.integers(0, 5, n), generator.integers(0, 5, n), prompt, 5),
        }
    return found


def test_among_honest_judges_one_is_named_in_one_study_of_twenty_at_most():
    """400 studies at 5 %: 20 are expected at most, and 32 are more than chance gives in one run of two hundred."""
    named = sum(any(one.is_named for one in findings(honest_study(seed)).values()) for seed in range(400))
    assert named <= 32


def test_without_the_correction_far_more_would_be_named():
    """What the guard is for: each figure by itself at 5 %, fifteen of them in a study."""
    alone = sum(any(state(figure) in (MORE, LESS) for figure in honest_study(seed).values()) for seed in range(100))
    assert alone > 20
