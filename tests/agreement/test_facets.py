"""Severity told apart from ability, on simulated grades whose severities are known."""

import numpy as np
import pytest
from scipy.special import expit

from agreement import facets

THRESHOLDS = np.linspace(-2, 2, 4)
EGYPTIAN, IRAQI = 0, 1


def graded(generator, ability, severity, pairs):
    """A grade from 0 to 4 for each (response, rater) of the pairs, drawn as the model has it."""
    response, rater = np.asarray(pairs).T
    reached = expit((ability[response] - severity[rater])[:, None] - THRESHOLDS)
    return response, rater, (generator.random(len(response))[:, None] < reached).sum(axis=1)


def some_raters(generator, n_responses: int, n_raters: int, each: int) -> list[tuple[int, int]]:
    return [
        (response, rater)
        for response in range(n_responses)
        for rater in generator.choice(n_raters, each, replace=False)
    ]


def standardised(found: facets.Severities, truth) -> np.ndarray:
    return np.array(
        [(figure.number - true) / figure.detail["se"] for figure, true in zip(found.figures, truth, strict=True)]
    )


def test_severities_of_forty_raters_on_three_hundred_responses_are_recovered():
    generator = np.random.default_rng(2026)
    severity = generator.normal(0, 0.8, 40)
    severity -= severity.mean()
    design = some_raters(generator, 300, 40, each=12)
    found = facets.severities(*graded(generator, generator.normal(0, 1.5, 300), severity, design))
    values = [figure.number for figure in found.figures]
    assert np.corrcoef(values, severity)[0, 1] > 0.95
    assert sum(values) == pytest.approx(0, abs=1e-9)
    # Errors are of the size that the standard errors say, and the scale is not stretched.
    assert 0.6 < standardised(found, severity).std() < 1.4
    assert np.polyfit(severity, values, 1)[0] == pytest.approx(1, abs=0.12)


def test_a_gap_between_communities_is_leniency_where_their_raters_met():
    """Iraqi responses are worse and Iraqi graders are stricter; thirty responses were graded by both."""
    generator = np.random.default_rng(11)
    severity = np.array([-0.5] * 6 + [0.5] * 6) + generator.normal(0, 0.1, 12)
    severity -= severity.mean()
    ability = np.concatenate((generator.normal(1, 1, 150), generator.normal(-1, 1, 150)))
    own = [
        (response, int(rater) + 6 * (response >= 150))
        for response in range(300)
        for rater in generator.choice(6, 2, replace=False)
    ]
    shared = [(response, int(rater)) for response in range(135, 165) for rater in range(12)]
    response, rater, grade = graded(generator, ability, severity, sorted({*own, *shared}))
    found = facets.severities(response, rater, grade, population=response >= 150)
    community = np.array([EGYPTIAN] * 6 + [IRAQI] * 6)
    gap = facets.severity_gap(found, community == IRAQI, community == EGYPTIAN)
    truth = severity[6:].mean() - severity[:6].mean()
    assert gap.number == pytest.approx(truth, abs=2.5 * gap.detail["se"])
    assert gap.detail["se"] < 0.2
    # What is left is in the responses: drawn one logit above and below zero.
    left = facets.ability_gap(found, EGYPTIAN, IRAQI)
    drawn = ability[:150].mean() - ability[150:].mean()
    assert left.number == pytest.approx(drawn, abs=2.5 * left.detail["se"])
    assert (left.n, facets.ability_gap(found, EGYPTIAN, 7).undefined) == (300, "not linked")
    egyptian, iraqi = facets.rater_group_severities(found, community, 2)
    assert iraqi.number - egyptian.number == pytest.approx(gap.number)
    assert (iraqi.n, iraqi.detail["group"]) == (6, 0)


def test_communities_that_share_no_response_are_not_compared():
    generator = np.random.default_rng(5)
    pairs = [(response, 2 * (response % 2) + rater) for response in range(80) for rater in (0, 1)]
    found = facets.severities(*graded(generator, generator.normal(0, 1, 80), np.zeros(4), pairs))
    assert found.group.tolist() == [0, 0, 1, 1]
    assert all(figure.value is not None for figure in found.figures), "within a community raters are linked"
    both = facets.rater_group_severities(found, [EGYPTIAN, EGYPTIAN, IRAQI, IRAQI], 2)
    assert [figure.undefined for figure in both] == ["not linked", "not linked"]
    gap = facets.severity_gap(found, np.array([1, 1, 0, 0]), np.array([0, 0, 1, 1]))
    assert gap.undefined == "not linked"


def test_a_person_who_always_worked_alone_has_no_severity():
    found = facets.severities([1, 1, 2, 2, 3], [7, 8, 7, 8, 9], [0, 1, 1, 0, 1])
    assert [figure.undefined for figure in found.figures] == [None, None, "not linked"]
    assert found.by_rater()[9].n == 1


def test_one_grade_throughout_tells_nothing():
    found = facets.severities([1, 1, 2, 2], [7, 8, 7, 8], [3, 3, 3, 3])
    assert [figure.undefined for figure in found.figures] == ["no variation", "no variation"]


def test_a_rater_who_gave_the_lowest_grade_alone_stays_finite():
    found = facets.severities([1, 1, 2, 2, 3, 3], [7, 8, 7, 8, 7, 8], [0, 1, 0, 2, 0, 1])
    strict = found.by_rater()[7]
    assert 0 < strict.number < 10
    assert strict.low < strict.number


def test_chains_of_shared_responses_link():
    raters, group = facets.linked_groups([1, 1, 2, 2, 3, 4], [5, 6, 6, 7, 8, 8])
    assert dict(zip(raters.tolist(), group.tolist(), strict=True)) == {5: 0, 6: 0, 7: 0, 8: 1}
    assert facets.linked_groups([], [])[0].tolist() == []


def test_the_gradient_is_that_of_the_likelihood():
    generator = np.random.default_rng(3)
    response, rater, grade = graded(
        generator, generator.normal(0, 1, 30), generator.normal(0, 1, 4), some_raters(generator, 30, 4, each=2)
    )
    model = facets._Likelihood(response, rater, grade, response % 2)
    at = model.start() + generator.normal(0, 0.2, len(model.start()))
    steps = 1e-6 * np.eye(len(at))
    numeric = [(model.loss(at + step)[0] - model.loss(at - step)[0]) / 2e-6 for step in steps]
    assert model.loss(at)[1] == pytest.approx(numeric, abs=1e-4)


def test_scores_become_ordered_categories():
    cuts = facets.quantile_cuts([-50, -50, 0, 20, 40, 60, 80, 100], 4)
    assert cuts.tolist() == [-12.5, 30, 65]
    assert facets.categories([-60, 30, 29.9, 100], cuts).tolist() == [0, 2, 1, 3]
    assert facets.quantile_cuts([5, 5, 5], 5).tolist() == []
    assert facets.quantile_cuts([], 5).tolist() == []


def test_a_design_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="once"):
        facets.severities([1, 1], [2, 2], [0, 1])
    with pytest.raises(ValueError, match="population"):
        facets.severities([1], [2, 3], [0, 1])
