"""Intervals hold the truth as often as they say, or there is none.

Seeds are fixed and each design has enough studies that a share outside the bounds is not chance: of 1,500 studies with
95 % coverage, one set in 2,800 has less than 93 %.
"""

from itertools import combinations

import numpy as np
import pytest

from agreement import inference, spans
from agreement.alpha import alpha, alpha_of_coincidences, alpha_with_interval, coincidence_columns
from agreement.consensus import value_counts
from agreement.inference import with_interval
from agreement.multiplicity import corrected
from tests.agreement.coverage import (
    ALPHA,
    DEVIATION,
    DIFFERENCE,
    F1,
    F1_OF_PEOPLE,
    MEAN,
    WITHIN,
    Case,
    Design,
    counted,
    coverage,
    drawn,
    share_case,
)

STUDIES = 1_500
DESIGNS = [Design(5, 4, 0.3), Design(10, 1), Design(10, 0, 0.3), Design(20, 4, 0.1), Design(50, 0, 0.3)]


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize("case", [MEAN, DEVIATION, F1, DIFFERENCE, share_case(0.8)], ids=lambda case: case.name)
def test_intervals_over_prompts(case: Case, design: Design):
    covered, known = coverage(case, design, STUDIES)
    if covered is None:
        assert design.prompts < 10, "refused"
        return
    # What is counted in whole steps (a share of ten items) can only be more certain than it says.
    most = 0.97 if case in (MEAN, DEVIATION, DIFFERENCE) else 0.995
    assert 0.93 <= covered <= most
    assert known > 0.55


@pytest.mark.parametrize("prompts", [2, 3, 4])
def test_a_handful_of_prompts_is_refused(prompts):
    for case in (MEAN, DEVIATION, F1, DIFFERENCE, share_case(0.5)):
        assert coverage(case, Design(prompts, 8, 0.3), 50) == (None, 0.0)


# Of 800 studies with 95.5 % coverage one set in 300 has less than 93.5 or more than 97.5 %.
@pytest.mark.parametrize(("items", "icc"), [(1, 0.0), (0, 0.3)])
@pytest.mark.parametrize(("prompts", "raters"), [(50, 3), (20, 5), (50, 5), (20, 10)])
def test_agreement_of_people_speaks_of_other_people_too(prompts, raters, items, icc):
    covered, known = coverage(ALPHA, Design(prompts, items, icc, raters), 800)
    assert covered is not None
    assert 0.93 <= covered <= 0.975
    assert known == 1


@pytest.mark.parametrize(("items", "icc"), [(1, 0.0), (0, 0.3)])
@pytest.mark.parametrize(("prompts", "raters"), [(50, 3), (20, 10)])
def test_agreement_within_a_grade_is_as_certain_as_it_says(prompts, raters, items, icc):
    """Counted with the prompts and with the raters, chance in a single rating would make it hold 98 %."""
    covered, known = coverage(WITHIN, Design(prompts, items, icc, raters), 500)
    assert covered is not None
    assert 0.93 <= covered <= 0.975
    assert known == 1


@pytest.mark.parametrize(("raters", "each", "items"), [(10, 3, 0), (30, 3, 1), (10, 2, 4)])
@pytest.mark.parametrize("case", [ALPHA, WITHIN, F1_OF_PEOPLE], ids=lambda case: case.name)
def test_where_each_rater_met_a_part_of_the_prompts(case, raters, each, items):
    """Prompts and raters then say the same twice: were that counted twice, 98 to 100 % would be held."""
    covered, known = coverage(case, Design(50, items, 0.1, raters, each), 400)
    assert covered is not None
    assert 0.93 <= covered <= 0.98
    assert known == 1


@pytest.mark.parametrize(("prompts", "raters"), [(20, 2), (60, 2), (10, 3), (49, 3), (20, 4), (10, 10), (19, 10)])
def test_too_few_people_or_prompts_are_refused(prompts, raters):
    """Three raters of ten prompts would hold 98 %, ten raters of ten prompts with one item each 92 %."""
    for case in (ALPHA, WITHIN):
        assert coverage(case, Design(prompts, 4, 0.3, raters), 20) == (None, 0.0)


def test_what_is_refused_of_people_in_general_is_told_of_these():
    figure = ALPHA.study(Design(19, 4, 0.3, 10), np.random.default_rng(1))
    assert figure.detail["interval"] == inference.TOO_FEW_PROMPTS
    low, high = figure.detail["of_these_raters"]
    assert low < figure.number < high


def test_a_panel_of_five_holds_the_alpha_of_all():
    """120 raters of a study, who differ as people do: alpha of five of them against that of everybody."""
    generator = np.random.default_rng(12)
    n_raters, n_items = 120, 300
    quality = generator.standard_normal(n_items)[:, None]
    severity, noise = 0.4 * generator.standard_normal(n_raters), 0.7 * np.exp(0.5 * generator.standard_normal(n_raters))
    said = quality + severity + noise * generator.standard_normal((n_items, n_raters))
    grades = 3 + np.clip(np.round(said), -2, 2).astype(int)
    item = np.arange(n_items)
    everybody = alpha(np.repeat(item, n_raters), grades.ravel()).number
    held, prompts_alone = 0, 0
    for _panel in range(300):
        chosen = generator.choice(n_raters, 5, replace=False)
        of_panel, rater = np.repeat(item, 5), np.tile(np.arange(5), n_items)
        figure = alpha_with_interval(of_panel, grades[:, chosen].ravel(), rater, of_panel)
        held += figure.bounds[0] <= everybody <= figure.bounds[1]
        table = value_counts(of_panel, grades[:, chosen].ravel() - 1, n_items, 5)
        alone = with_interval(figure, coincidence_columns(table), alpha_of_coincidences(np.arange(5)))
        prompts_alone += alone.bounds[0] <= everybody <= alone.bounds[1]
    assert held >= 0.9 * 300
    assert prompts_alone < 0.75 * 300


def test_eight_equal_judges_are_told_apart_in_one_study_in_twenty():
    """28 pairs: uncorrected, most studies of equal judges would name one."""
    generator, named, uncorrected, studies = np.random.default_rng(8), 0, 0, 1_000
    for _study in range(studies):
        prompt, quality = drawn(Design(30, 2, 0.3), generator)
        judges = [counted(quality, generator) for _judge in range(8)]
        pairs = [
            inference.paired_difference(one, other, spans.f1, cluster=prompt) for one, other in combinations(judges, 2)
        ]
        named += any(figure.number <= 0.05 for figure in corrected(pairs))
        uncorrected += any(pair.detail["p"] <= 0.05 for pair in pairs)
    assert named / studies <= 0.07
    assert uncorrected / studies > 0.3
