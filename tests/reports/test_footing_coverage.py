"""A judge beside people: the interval holds the difference from people in general, or there is none.

Studies are simulated: prompts of four responses each that are alike (ICC 0.3), people who differ in severity and care,
and a judge. The truth is the mean difference over many more studies of the same kind.
"""

import numpy as np
import pytest

from agreement import inference, judges
from agreement.figures import Figure
from agreement.inference import TOO_FEW_RATERS, paired_difference
from agreement.spread import Spread
from agreement.statistics import Scale
from reports.dashboard import footing
from tests.agreement.coverage import Design, drawn

STUDIES = 400


def sides_of(design: Design, generator: np.random.Generator, of_response: int) -> footing.Sides:
    """`of_response` of the people rate each response, by chance which."""
    prompt, quality = drawn(design, generator)
    severity = 0.4 * generator.standard_normal(design.raters)
    care = 0.6 * np.exp(0.3 * generator.standard_normal(design.raters))
    response = np.arange(len(quality))
    rater = np.argsort(generator.random((len(quality), design.raters)), axis=1)[:, :of_response].ravel()
    item = np.repeat(response, of_response)
    said = quality[item] + severity[rater] + care[rater] * generator.standard_normal(len(item))
    judge = quality + 0.3 + 0.7 * generator.standard_normal(len(quality))
    return footing.deviations(item, said, prompt[item], rater, response, judge)


def differences(design: Design, of_response: int, studies: int, seed: int) -> list[footing.Footing]:
    generator = np.random.default_rng(seed)
    return [footing.compared(sides_of(design, generator, of_response), [judges.mad])[0] for _ in range(studies)]


@pytest.mark.parametrize(
    ("people", "of_response", "prompts"), [(6, 6, 20), (8, 4, 20), (12, 4, 20), (30, 3, 50)], ids=str
)
def test_the_interval_speaks_of_people_in_general(people, of_response, prompts):
    design = Design(prompts, 4, 0.3, people)
    truth = np.mean([one.difference.number for one in differences(design, of_response, 1_000, 2)])
    found = [one.difference for one in differences(design, of_response, STUDIES, 1)]
    held = np.mean([one.bounds[0] <= truth <= one.bounds[1] for one in found])
    # People who rate few of the responses each add to both parts of the variance, so it is on the cautious side.
    assert 0.92 <= held <= 0.995
    assert all(one.detail["interval"] == inference.CROSSED for one in found)


def test_prompts_alone_would_hold_it_too_seldom():
    design, generator = Design(20, 4, 0.3, 6), np.random.default_rng(1)
    found = []
    for _study in range(STUDIES):
        sides = sides_of(design, generator, 6)
        found.append(paired_difference(sides.judge, sides.person, judges.mad, cluster=sides.prompt))
    truth = np.mean([one.difference.number for one in differences(design, 6, 1_000, 2)])
    assert np.mean([one.bounds[0] <= truth <= one.bounds[1] for one in found]) < 0.85


def test_of_fewer_than_six_people_nothing_is_said_of_people_in_general():
    design = Design(20, 4, 0.3, 5)
    for one in differences(design, 5, 3, 1):
        for figure in (one.judge, one.person, one.difference):
            assert figure.low is None
            assert figure.detail["interval"] == TOO_FEW_RATERS
            assert figure.detail["of_these_raters"][0] < figure.number < figure.detail["of_these_raters"][1]
        assert "p" not in one.difference.detail, "nor is the judge tested against them"


def test_a_difference_over_raters_is_wider_than_over_prompts():
    """Two prompts of each of ten raters: the same values without each prompt and without each rater."""
    generator = np.random.default_rng(4)
    first, second = (np.column_stack((generator.normal(size=20), np.ones(20))) for _side in range(2))
    prompt = np.arange(20) // 2
    alone = paired_difference(first, second, inference.ratio_of_sums, cluster=prompt)
    gap = first[:, 0] - second[:, 0]
    without = (gap.sum() - np.add.reduceat(gap, range(0, 20, 2))) / 18
    both = inference.difference_with_bounds(Figure(alone.number, 20), without, Scale.PLAIN, without)
    # Twice the variance, and of two equal parts with 9 degrees of freedom each 18 (Satterthwaite).
    low, high = inference.bounds(alone.number, Spread(2 * alone_variance(alone), 18), Scale.PLAIN, 10)
    assert both.bounds == pytest.approx((low, high))


def alone_variance(figure) -> float:
    """Of an interval by t with 9 degrees of freedom (2.262157 standard errors on either side)."""
    return ((figure.bounds[1] - figure.number) / 2.2621571627982055) ** 2
