"""Does the severity model fit its raters, and does it tell them apart?"""

import numpy as np
import pytest
from scipy.special import expit

from agreement import facet_fit, facets
from tests.agreement.test_facets import THRESHOLDS, graded, some_raters


def fitted(generator, severity, n=300, each=6, change=None):
    ability = generator.normal(0, 1.5, n)
    response, rater, grade = graded(generator, ability, severity, some_raters(generator, n, len(severity), each))
    if change is not None:
        grade = change(generator, response, rater, grade)
    found = facets.severities(response, rater, grade)
    return found, (response, rater, grade)


def fit_of(found, data, **options):
    return facet_fit.fits(found, facet_fit.expected_grades(found, *data), data[1], **options)


def test_mean_squares_are_1_where_the_model_holds():
    """Over 8 studies of 12 raters; few grades per response, where estimated abilities would press them below 1."""
    infits, outfits = [], []
    for seed in range(8):
        generator = np.random.default_rng(seed)
        found, data = fitted(generator, np.linspace(-1, 1, 12), n=150, each=3)
        for one in fit_of(found, data, interval=False):
            infits.append(one.infit.number)
            outfits.append(one.outfit.number)
    assert np.mean(infits) == pytest.approx(1, abs=0.03)
    assert np.mean(outfits) == pytest.approx(1, abs=0.04)
    assert np.std(infits) < 0.3


def at_random(share):
    def change(generator, _response, rater, grade):
        guesses = (rater == 0) & (generator.random(len(grade)) < share)
        return np.where(guesses, generator.integers(0, 5, len(grade)), grade)

    return change


def test_one_who_guesses_and_one_who_stays_in_the_middle_stand_out():
    found, data = fitted(np.random.default_rng(1), np.zeros(10), change=at_random(0.7))
    guessing = fit_of(found, data)
    assert guessing[0].infit.low > 1
    assert guessing[0].outfit.low > 1
    assert guessing[0].infit.number > max(one.infit.number for one in guessing[1:]) + 0.15

    def middle(_generator, _response, rater, grade):
        return np.where(rater == 0, np.clip(grade, 2, 2), grade)

    dull = fit_of(*fitted(np.random.default_rng(2), np.zeros(10), change=middle))
    assert dull[0].infit.number == min(one.infit.number for one in dull)


def test_a_grade_is_expected_from_the_others_of_its_response_alone():
    """Written out on a fine grid for one grade of a small study."""
    found, (response, rater, grade) = fitted(np.random.default_rng(3), np.array([-0.5, 0, 0.5]), n=60, each=3)
    expected = facet_fit.expected_grades(found, response, rater, grade)
    scale, severity = found.scales[0], [figure.number for figure in found.figures]
    theta = np.linspace(-5, 5, 2001) * scale.spread

    def chance(j, k):
        reached = [np.ones_like(theta), *(expit(theta - severity[j] - t) for t in scale.thresholds)]
        return reached[k] - (reached[k + 1] if k + 1 < len(reached) else 0)

    for at in (0, 17, 100):
        weight = np.exp(-((theta / scale.spread) ** 2) / 2)
        for other in np.flatnonzero(response == response[at]):
            if other != at:
                weight = weight * chance(rater[other], list(scale.levels).index(grade[other]))
        weight /= weight.sum()
        share = [(weight * chance(rater[at], k)).sum() for k in range(len(scale.levels))]
        mean = np.dot(share, range(len(share)))
        assert expected.mean[at] == pytest.approx(mean, abs=1e-3)
        assert expected.variance[at] == pytest.approx(np.dot(share, np.arange(len(share)) ** 2) - mean**2, abs=1e-3)


def test_infit_weighs_open_grades_more_and_outfit_each_alike():
    """Three grades of one rater, 0, 1 and 2 where 0.5, 1 and 0.5 were expected with variances 0.5, 0.2 and 1: squares
    of 0.25, 0 and 2.25. Infit 2.5 / 1.7, outfit the mean of 0.5, 0 and 2.25."""
    found, _ = fitted(np.random.default_rng(3), np.array([-0.5, 0, 0.5]), n=60, each=3)
    expected = facet_fit.Expected(np.array([0.0, 1, 2]), np.array([0.5, 1, 0.5]), np.array([0.5, 0.2, 1]))
    first = facet_fit.fits(found, expected, np.full(3, found.raters[0]))[0]
    assert (first.infit.value, first.infit.n) == (pytest.approx(2.5 / 1.7), 3)
    assert first.outfit.value == pytest.approx(2.75 / 3)


def test_the_scale_of_the_fit_is_that_which_grades_were_drawn_from():
    found, _ = fitted(np.random.default_rng(4), np.zeros(8), n=800)
    assert found.scales[0].thresholds.tolist() == pytest.approx(THRESHOLDS.tolist(), abs=0.25)
    assert found.scales[0].spread == pytest.approx(1.5, abs=0.15)
    assert found.scales[0].levels.tolist() == [0, 1, 2, 3, 4]


def test_separation_is_the_true_spread_over_the_error():
    generator = np.random.default_rng(5)
    severity = generator.normal(0, 0.8, 40)
    found, _ = fitted(generator, severity - severity.mean(), each=12)
    figure = facet_fit.separation(found)
    error = np.sqrt(np.mean([one.detail["se"] ** 2 for one in found.figures]))
    assert figure.detail["spread"] == pytest.approx(severity.std(ddof=1), rel=0.1)
    assert figure.value == pytest.approx(severity.std(ddof=1) / error, rel=0.12)
    assert figure.detail["reliability"] == pytest.approx(figure.value**2 / (1 + figure.value**2))
    assert figure.detail["strata"] == pytest.approx((4 * figure.value + 1) / 3)
    values = [one.number for one in found.figures]
    # Reliability is the squared correlation of what is estimated with what is true.
    assert figure.detail["reliability"] == pytest.approx(np.corrcoef(values, severity)[0, 1] ** 2, abs=0.05)


def test_raters_who_are_all_alike_are_not_told_apart():
    values = [facet_fit.separation(fitted(np.random.default_rng(seed), np.zeros(15))[0]) for seed in range(6)]
    assert np.mean([figure.value for figure in values]) < 0.5
    assert min(figure.value for figure in values) == 0.0


def test_where_there_is_no_fit_nothing_is_expected():
    response, rater, grade = [1, 1, 2], [7, 8, 9], [0, 1, 1]
    found = facets.severities(response, rater, grade)
    expected = facet_fit.expected_grades(found, response, rater, grade)
    lonely = facet_fit.fits(found, expected, rater)[2]
    assert (lonely.infit.undefined, lonely.outfit.undefined) == ("no items", "no items")
    assert facet_fit.separation(found, group=1).undefined == "not linked"
    with pytest.raises(ValueError, match="not in the fit"):
        facet_fit.expected_grades(found, [1], [5], [0])
    with pytest.raises(ValueError, match="not among those"):
        facet_fit.expected_grades(found, [1], [7], [9])
    with pytest.raises(ValueError, match="its rater"):
        facet_fit.fits(found, expected, [7])
