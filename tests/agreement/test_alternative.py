"""May a judge stand in for a person? One person after another is left out and held against the judge."""

import numpy as np
import pytest
from scipy import stats

from agreement.alternative import alternative_test
from agreement.multiplicity import benjamini_yekutieli


def crossed(generator, errors, judge_error, n_items=120):
    """Every rater grades every item from 1 to 4; each errs with a probability of their own."""
    truth = generator.integers(1, 5, n_items)

    def grades(error):
        return np.where(generator.random(n_items) < error, generator.integers(1, 5, n_items), truth)

    items = np.tile(np.arange(n_items), len(errors))
    raters = np.repeat(np.arange(len(errors)), n_items)
    judge = grades(judge_error).astype(float)
    return items, raters, np.concatenate([grades(error) for error in errors]), judge[items]


def spelt_out(items, raters, grades, judge, score, epsilon):
    """The procedure as the paper states it, one instance after another."""
    closeness = {
        "accuracy": lambda grade, rest: np.mean(rest == grade),
        "negative_rmse": lambda grade, rest: -np.sqrt(np.mean((rest - grade) ** 2)),
    }[score]
    p, rho = [], []
    for rater in np.unique(raters):
        wins, losses = [], []
        for row in np.flatnonzero(raters == rater):
            rest = grades[(items == items[row]) & (raters != rater)]
            judged, own = closeness(judge[row], rest), closeness(grades[row], rest)
            wins.append(judged >= own - 1e-12)
            losses.append(own >= judged - 1e-12)
        difference = np.array(losses, dtype=float) - wins
        p.append(stats.ttest_1samp(difference, epsilon, alternative="less").pvalue)
        rho.append(np.mean(wins))
    return p, rho


@pytest.mark.parametrize("score", ["accuracy", "negative_rmse"])
def test_it_is_the_procedure_spelt_out(score):
    data = crossed(np.random.default_rng(4), [0.1, 0.3, 0.3, 0.6], judge_error=0.3)
    found = alternative_test(*data, score=score, epsilon=0.1)
    p, rho = spelt_out(*data, score, 0.1)
    assert [figure.detail["p"] for figure in found.advantages] == pytest.approx(p)
    assert [figure.value for figure in found.advantages] == pytest.approx(rho)
    assert found.advantage.value == pytest.approx(np.mean(rho))
    wins = stats.false_discovery_control(p, method="by") <= 0.05
    assert found.winning_rate.value == pytest.approx(wins.mean())
    assert [figure.detail["wins"] for figure in found.advantages] == wins.tolist()


def test_names_are_compared_by_who_says_the_same_and_grades_by_how_near():
    items, raters, grades, judge = crossed(np.random.default_rng(6), [0.1, 0.4, 0.6], judge_error=0.4)
    is_name = items % 2 == 0
    found = alternative_test(items, raters, grades, judge, is_nominal=is_name, score="negative_rmse")
    renamed = np.array([np.nan, 3, 1, 4, 2])
    grades_too, judge_too = (np.where(is_name, renamed[given.astype(int)], given) for given in (grades, judge))
    same = alternative_test(items, raters, grades_too, judge_too, is_nominal=is_name, score="negative_rmse")
    assert [each.detail["p"] for each in found.advantages] == [each.detail["p"] for each in same.advantages]
    by_half = [
        spelt_out(items[rows], raters[rows], grades[rows], judge[rows], score, 0.15)[1]
        for rows, score in ((is_name, "accuracy"), (~is_name, "negative_rmse"))
    ]
    assert [each.value for each in found.advantages] == pytest.approx(np.mean(by_half, axis=0))
    assert found.winning_rate.detail["score"] == "accuracy, negative_rmse"


def test_a_judge_as_good_as_people_passes_and_a_poor_one_does_not():
    generator = np.random.default_rng(9)
    good = alternative_test(*crossed(generator, [0.3] * 4, judge_error=0.2, n_items=200), epsilon=0.15)
    poor = alternative_test(*crossed(generator, [0.3] * 4, judge_error=0.9, n_items=200), epsilon=0.15)
    assert (good.winning_rate.value, good.winning_rate.detail["passes"]) == (1, True)
    assert (poor.winning_rate.value, poor.winning_rate.detail["passes"]) == (0, False)
    assert good.advantage.number > poor.advantage.number


def test_at_the_border_of_the_hypothesis_it_errs_as_seldom_as_it_says():
    """The judge is one more of the raters, and epsilon 0: over one rater, p below 0.05 in one case of twenty."""
    generator = np.random.default_rng(12)
    below = [
        alternative_test(*crossed(generator, [0.4] * 3, 0.4), epsilon=0).advantages[0].detail["p"] < 0.05
        for _ in range(400)
    ]
    assert np.mean(below) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 400))


def test_a_rater_with_few_shared_items_is_left_out_and_said_so():
    items, raters, grades, judge = crossed(np.random.default_rng(1), [0.2, 0.2, 0.2], 0.2, n_items=40)
    kept = (raters != 2) | (items < 10)
    found = alternative_test(items[kept], raters[kept], grades[kept], judge[kept], min_items=30)
    assert found.by_rater()[2].undefined == "too few shared items"
    assert (found.by_rater()[2].n, found.winning_rate.n, found.winning_rate.detail["left_out"]) == (10, 2, 1)
    nobody = alternative_test(items, raters, grades, judge, min_items=60)
    assert nobody.winning_rate.undefined == nobody.advantage.undefined == "no rater with enough shared items"
    assert alternative_test([], [], [], []).winning_rate.undefined == "no items"


def test_items_that_one_rater_alone_graded_or_the_judge_did_not_are_not_shared():
    found = alternative_test([1, 1, 2, 3, 3], [7, 8, 7, 7, 8], [4, 4, 2, 1, 2], [4, 4, 2, np.nan, np.nan], min_items=1)
    assert [figure.n for figure in found.advantages] == [1, 1]
    assert found.winning_rate.undefined == "no rater with enough shared items", "one item has no t-test"


def test_a_judge_that_is_always_closer_wins_without_variance():
    items = np.repeat(np.arange(30), 3)
    raters, grades = np.tile([1, 2, 3], 30), np.tile([1, 4, 4], 30)
    found = alternative_test(items, raters, grades, np.full(90, 4.0))
    assert found.by_rater()[1].detail["p"] == 0, "rater 1 is never like the others and the judge always is"
    assert found.by_rater()[2].detail["p"] == 0, "equally close throughout, which epsilon grants the judge"
    assert alternative_test(items, raters, grades, np.full(90, 4.0), epsilon=0).by_rater()[2].detail["p"] == 1


def test_the_correction_by_hand():
    # c(3) = 11/6; 0.01 * 3 * 11/6, 0.02 * 3/2 * 11/6, 0.04 * 11/6
    assert benjamini_yekutieli([0.04, 0.01, 0.02]) == pytest.approx([0.0733333, 0.055, 0.055], abs=1e-6)
    assert benjamini_yekutieli([0.9, 0.8]).tolist() == [1, 1]


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="score must be"):
        alternative_test([], [], [], [], score="f1")
    with pytest.raises(ValueError, match="once"):
        alternative_test([1, 1], [2, 2], [3, 3], [1, 1])
    with pytest.raises(ValueError, match="judge's grade"):
        alternative_test([1], [2], [3], [])
    with pytest.raises(ValueError, match="finite"):
        alternative_test([1], [2], [np.nan], [1])


def test_it_rejects_as_often_as_it_says_where_items_share_prompts():
    """A judge just as far behind as epsilon allows: one study in twenty may take it for good enough."""
    generator, rejected, studies = np.random.default_rng(4), 0, 600
    for _study in range(studies):
        prompt = np.repeat(np.arange(20), 4)
        # Of each prompt the judge is closer, or the person, on all items alike: four items tell what one would.
        closer = generator.choice([-1, 0, 1], 20)[prompt]
        quality = generator.integers(2, 4, 80)
        person, judge = quality + (closer > 0), quality + (closer < 0)
        items = np.arange(80)
        found = alternative_test(
            np.concatenate((items, items)),
            np.repeat([1, 2], 80),
            np.concatenate((person, quality)),
            np.concatenate((judge, judge)),
            cluster=np.concatenate((prompt, prompt)),
            epsilon=0,
        )
        rejected += found.by_rater()[1].detail["p"] < 0.05
    assert rejected / studies < 0.07
