"""A pilot is graded: how much more is needed, and what would a judge save?"""

import numpy as np
import pytest
import scipy

from agreement import planning
from agreement.alpha import alpha
from agreement.planning import Components, Design, components, effective_labels, prompts_for, width_of
from agreement.prediction_powered import prediction_powered_mean

TRUE = Components(prompts=0.5, responses=0.3, raters=0.2, residual=0.6)


def drawn(generator, design, true=TRUE, panels=None):
    """Grades of a design: responses, raters, grades and prompts; raters of a response by turns, from a random start."""
    n = design.prompts * design.responses
    prompt_of = np.repeat(np.arange(design.prompts), design.responses)
    each = design.each + (np.arange(n) < round(design.double * n))
    item = np.repeat(np.arange(n), each)
    first = np.repeat(np.cumsum(each) - each, each)
    start = np.repeat(generator.permutation(n), each)
    rater = (start + np.arange(len(item)) - first) % design.panel
    quality = generator.normal(0, np.sqrt(true.prompts), design.prompts)[prompt_of]
    quality += generator.normal(0, np.sqrt(true.responses), n)
    grade = quality[item] + generator.normal(0, np.sqrt(true.raters), design.panel)[rater]
    return item, rater, grade + generator.normal(0, np.sqrt(true.residual), len(item)), prompt_of[item]


def test_components_of_a_pilot_are_those_it_was_drawn_with():
    """Mean over 60 pilots of 40 prompts; a component is not negative, so small ones are a little high."""
    found = []
    for seed in range(60):
        pilot = drawn(np.random.default_rng(seed), Design(40, 3, panel=12, each=2))
        one = components(*pilot)
        found.append([one.prompts, one.responses, one.raters, one.residual])
    expected = [TRUE.prompts, TRUE.responses, TRUE.raters, TRUE.residual]
    np.testing.assert_allclose(np.mean(found, axis=0), expected, rtol=0.12)


def test_components_of_a_full_table_are_the_textbook_s_mean_squares():
    """Every rater grades every response, a prompt each: the two-way analysis of variance (Shrout and Fleiss)."""
    generator = np.random.default_rng(1)
    n, k = 60, 5
    table = generator.normal(size=(n, 1)) + 0.5 * generator.normal(size=k) + 0.7 * generator.normal(size=(n, k))
    rows, columns = table.mean(axis=1), table.mean(axis=0)
    rest = table - rows[:, None] - columns + table.mean()
    residual = (rest**2).sum() / ((n - 1) * (k - 1))
    raters = (n * columns.var(ddof=1) - residual) / n
    between = (k * rows.var(ddof=1) - residual) / k
    item, rater = np.repeat(np.arange(n), k), np.tile(np.arange(k), n)
    found = components(item, rater, table.ravel(), item)
    assert found.responses == 0.0
    assert (found.prompts, found.raters, found.residual) == pytest.approx((between, raters, residual))
    # And its agreement is close to alpha of the same grades.
    assert found.agreement == pytest.approx(alpha(item, table.ravel(), "interval").value, abs=0.02)


def test_what_a_pilot_cannot_tell_has_its_reason():
    assert components([], [], [], []).undefined == "no items"
    assert components([1, 2, 3], [1, 2, 1], [3.0, 4, 5], [1, 2, 3]).undefined == "nothing was rated twice"
    with pytest.raises(ValueError, match="grades a response once"):
        components([1, 1], [1, 1], [3.0, 4], [1, 1])
    with pytest.raises(ValueError, match="one prompt"):
        components([1, 1], [1, 2], [3.0, 4], [1, 2])


@pytest.mark.parametrize(
    ("design", "these_raters"),
    [
        (Design(30, 1, panel=3, each=1), False),
        (Design(30, 2, panel=6, each=2), False),
        (Design(50, 1, panel=10, each=1, double=0.4), False),
        (Design(20, 4, panel=4, each=1, double=0.5), True),
    ],
)
def test_the_standard_error_that_is_planned_is_the_one_that_comes(design, these_raters):
    """3,000 studies of the design: the spread of their means, each the mean of the responses' means."""
    generator, means = np.random.default_rng(2), []
    true = Components(TRUE.prompts, TRUE.responses, 0.0, TRUE.residual) if these_raters else TRUE
    for _ in range(3000):
        item, _, grade, _ = drawn(generator, design, true)
        means.append((np.bincount(item, grade) / np.bincount(item)).mean())
    planned, _ = planning.error_of_mean(TRUE, design, these_raters=these_raters)
    assert np.std(means) == pytest.approx(planned, rel=0.04)


def test_responses_of_two_raters_say_more_than_those_of_one():
    """Of 10 responses 4 are coded twice: the residual of 1 is 1 on six and 1/2 on four, 0.8 on average, over 10."""
    error, _ = planning.error_of_mean(Components(0, 0, 0, 1), Design(10, panel=3, each=1, double=0.4))
    assert error**2 == pytest.approx(0.8 / 10)


def test_the_planned_number_of_prompts_is_the_fewest_and_covers():
    figure = prompts_for(TRUE, 0.8, panel=12, each=2)
    design = Design(int(figure.value), panel=12, each=2)
    assert width_of(TRUE, design).value <= 0.8 < width_of(TRUE, Design(design.prompts - 1, panel=12, each=2)).value
    assert (figure.n, figure.detail["width"]) == (design.gradings, width_of(TRUE, design).value)
    assert sum(figure.detail["shares"].values()) == pytest.approx(1)
    generator, inside = np.random.default_rng(3), 0
    for _ in range(2000):
        item, _, grade, _ = drawn(generator, design)
        inside += abs((np.bincount(item, grade) / np.bincount(item)).mean()) <= 0.4
    assert 0.95 <= inside / 2000 <= 0.99  # t quantiles are there for the study that must estimate its spread


def test_without_raters_and_responses_it_is_the_textbook_s_t_interval():
    figure = width_of(Components(1.0, 0, 0, 0), Design(25))
    assert figure.value == pytest.approx(2 * scipy.stats.t.ppf(0.975, 24) / 5)
    assert figure.detail["freedom"] == pytest.approx(24)


def test_no_number_of_prompts_makes_up_for_too_few_raters():
    assert prompts_for(TRUE, 0.2, panel=3).undefined == "so few raters alone make it wider"
    assert prompts_for(TRUE, 0.2, panel=3, these_raters=True).value > 0
    assert prompts_for(TRUE, 0.0001, panel=3, these_raters=True).undefined == "more than a million prompts"
    assert width_of(TRUE, Design(10, panel=1)).undefined == "n < 2"
    with pytest.raises(ValueError, match="above 0"):
        prompts_for(TRUE, 0)


def test_designs_come_cheapest_first_and_a_second_rater_is_seldom_worth_it():
    options = planning.designs_for(TRUE, 1.2)
    assert [figure.n for _, figure in options] == sorted(figure.n for _, figure in options)
    assert all(figure.detail["width"] <= 1.2 for _, figure in options)
    assert options[0][0].each == 1  # another response tells more of a mean than another grade of the same


def test_impossible_designs_are_refused():
    with pytest.raises(ValueError, match="panel is too small"):
        Design(10, panel=2, each=2, double=0.1)
    with pytest.raises(ValueError, match="at least one"):
        Design(0)
    with pytest.raises(ValueError, match="not negative"):
        Components(-1, 0, 0, 0)
    assert Design(10, 2, panel=3, double=0.25).gradings == 25


@pytest.mark.parametrize(("agreement", "width", "raters"), [(0.6, 0.2, 2), (0.8, 0.1, 3)])
def test_so_many_double_codings_give_an_interval_of_that_width(agreement, width, raters):
    """Alpha of many studies with that number of responses: 95 % of them within half the width of the true value."""
    n = planning.double_coded_for(agreement, width, raters)
    generator, values = np.random.default_rng(4), []
    item = np.repeat(np.arange(n), raters)
    for _ in range(800):
        quality = generator.normal(0, np.sqrt(agreement), n)[item]
        values.append(alpha(item, quality + generator.normal(0, np.sqrt(1 - agreement), len(item)), "interval").value)
    assert 4 * np.std(values) * 0.98 == pytest.approx(width, rel=0.08)


def test_bonett_s_example_for_double_codings():
    # 8 x 3.8415 x 0.4^2 x 1.6^2 / (2 x 0.04) + 1 = 158.3
    assert planning.double_coded_for(0.6, 0.2) == 159
    with pytest.raises(ValueError, match="below 1"):
        planning.double_coded_for(1.0, 0.2)


@pytest.mark.parametrize(("correlation", "labelled", "judged"), [(0.8, 60, 600), (0.5, 100, 400)])
def test_a_judge_saves_what_is_said_of_it(correlation, labelled, judged):
    """Variance of the prediction-powered mean over 1,500 studies against that of the labels alone."""
    generator, alone, powered = np.random.default_rng(5), [], []
    for _ in range(1500):
        people = generator.normal(size=judged)
        judge = 1 + correlation * people + np.sqrt(1 - correlation**2) * generator.normal(size=judged)
        seen = np.where(np.arange(judged) < labelled, people, np.nan)
        alone.append(people[:labelled].mean())
        powered.append(prediction_powered_mean(judge, seen, power_tuned=True).mean.value)
    effective = effective_labels(labelled, judged, correlation)
    assert labelled * np.var(alone) / np.var(powered) == pytest.approx(effective, rel=0.12)


def test_labels_for_is_effective_labels_turned_round():
    for correlation in (0.0, 0.5, 0.9):
        needed = planning.labels_for(300, 2000, correlation)
        assert effective_labels(needed, 2000, correlation) >= 300
        assert needed <= 2 or effective_labels(needed - 1, 2000, correlation) < 300
    assert planning.labels_for(300, float("inf"), 0.8) == 108  # 300 x (1 - 0.64)
    assert planning.labels_for(300, 300, 0.9) == 300
    assert planning.labels_for(300, 1000, 0.0) == 300
    assert planning.correlation_from_error(0.6, 1.0) == pytest.approx(0.8)
    assert planning.correlation_from_error(2.0, 1.0) == 0.0
    with pytest.raises(ValueError, match="at least what people"):
        effective_labels(10, 5, 0.5)
