"""Scores calibrated on people's sample by skill: without the judge's bias, and as sure as they say."""

import numpy as np
import pytest

from agreement.calibrated_scores import calibrated_score
from agreement.prediction_powered import prediction_powered_mean
from agreement.ranks import mean_score

NOTHING = np.nan
SKILLS = ["MMLU"] * 160 + ["Generation"] * 120 + ["Dialects"] * 60 + ["Coding"] * 6 + ["Structuring"] * 4
BIAS = {"MMLU": 0.0, "Generation": 1.5, "Dialects": 3.0, "Coding": -1.0, "Structuring": -1.0}
LEVEL = {"MMLU": 6.0, "Generation": 5.0, "Dialects": 3.0, "Coding": 5.0, "Structuring": 5.0}
TRUTH = np.mean([LEVEL[skill] for skill in SKILLS])


def study(generator, per_cluster=1, labels=16, skills=SKILLS):
    """A judge that is lenient where people are strict; people labelled some of each skill."""
    n = len(skills)
    shared = generator.normal(0, 1, n).repeat(per_cluster)[:n]
    level, bias = (np.array([by[skill] for skill in skills]) for by in (LEVEL, BIAS))
    quality = level + shared + generator.normal(0, 1, n)
    human = np.full(n, NOTHING)
    for skill in (skill for skill in BIAS if skill in skills):
        rows = [row for row, name in enumerate(skills) if name == skill]
        chosen = generator.choice(rows, min(labels, len(rows), max(2, len(rows) // 2)), replace=False)
        human[chosen] = quality[chosen]
    return quality + bias + generator.normal(0, 0.7, n), human, np.arange(n) // per_cluster


@pytest.mark.parametrize("per_cluster", [1, 5])
@pytest.mark.parametrize("power_tuned", [False, True])
def test_its_interval_covers_the_truth_as_often_as_it_says(per_cluster, power_tuned):
    """Sets of 350 questions, or 70 passages, drawn at random with their skills."""
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(250):
        skills = generator.choice(SKILLS, 350 // per_cluster).repeat(per_cluster).tolist()
        judge, human, cluster = study(generator, per_cluster, skills=skills)
        score = calibrated_score(judge, human, skills, cluster, power_tuned=power_tuned)
        covered += score.mean.low <= TRUTH <= score.mean.high
    assert covered / 250 == pytest.approx(0.95, abs=0.03)


def test_it_takes_the_judges_bias_out_and_is_surer_than_people_alone():
    judge, human, _ = study(np.random.default_rng(4))
    score = calibrated_score(judge, human, SKILLS)
    assert abs(score.mean.value - TRUTH) < 0.5 < judge.mean() - TRUTH
    assert score.correction.value == pytest.approx(score.mean.value - judge.mean())
    assert score.correction.high < 0
    assert np.ptp(score.mean.bounds) < 0.8 * np.ptp(score.people.bounds)
    assert (score.mean.n, score.people.n, score.mean.detail["labelled"]) == (350, 53, 53)


def test_small_skills_are_pooled_and_have_no_score_of_their_own():
    judge, human, _ = study(np.random.default_rng(5))
    score = calibrated_score(judge, human, SKILLS)
    assert (score.mean.detail["strata"], score.mean.detail["pooled"]) == (4, 2)
    assert score.by_stratum["Coding"].undefined == score.by_stratum["Structuring"].undefined == "too few labels"
    assert score.by_stratum["Dialects"].low < 3 < score.by_stratum["Dialects"].high
    assert score.by_stratum["Dialects"].n == 60
    assert list(score.by_stratum) == list(BIAS)


def test_a_pool_that_is_too_small_itself_takes_the_next_smallest():
    judge, human, _ = study(np.random.default_rng(5))
    human[-10:-4] = NOTHING
    score = calibrated_score(judge, human, SKILLS)
    assert score.mean.detail["pooled"] == 3
    assert sum(figure.value is not None for figure in score.by_stratum.values()) == 2


def test_one_stratum_without_clusters_is_the_plain_mean():
    generator = np.random.default_rng(6)
    judge, human = generator.normal(5, 2, 4000), np.full(4000, NOTHING)
    human[:1000] = judge[:1000] + generator.normal(-1, 1, 1000)
    score = calibrated_score(judge, human, ["x"] * 4000, power_tuned=False)
    plain = prediction_powered_mean(judge, human)
    assert score.mean.value == pytest.approx(plain.mean.value)
    assert np.ptp(score.mean.bounds) == pytest.approx(np.ptp(plain.mean.bounds), rel=0.01)
    assert np.ptp(score.people.bounds) == pytest.approx(np.ptp(plain.classical.bounds), rel=0.01)


def test_where_people_labelled_all_it_is_their_mean():
    generator = np.random.default_rng(7)
    human, skills = generator.normal(5, 2, 200), ["a", "b"] * 100
    score = calibrated_score(human + generator.normal(1, 1, 200), human, skills)
    plain = mean_score(human)
    assert score.mean.value == score.people.value == pytest.approx(human.mean())
    assert np.ptp(score.mean.bounds) == pytest.approx(np.ptp(plain.bounds), rel=0.02)
    assert score.mean.detail["lambda"] == 0


def test_a_judge_that_knows_nothing_is_not_listened_to():
    generator = np.random.default_rng(8)
    _, human, _ = study(generator)
    score = calibrated_score(generator.normal(5, 3, 350), human, SKILLS)
    assert score.mean.detail["lambda"] < 0.15
    assert np.ptp(score.mean.bounds) < 1.05 * np.ptp(score.people.bounds)


def test_what_cannot_be_said_has_its_reason():
    assert calibrated_score([], [], []).mean.undefined == "no items"
    few = calibrated_score([1.0] * 9, [1.0] * 4 + [NOTHING] * 5, ["x"] * 9)
    assert (few.mean.undefined, few.people.undefined, few.correction.undefined) == ("too few labels",) * 3
    assert calibrated_score([1.0] * 9, [1.0] * 9, ["x"] * 9, [0] * 9).mean.undefined == "too few labels"
    alike = calibrated_score([2.0] * 9, [3.0] * 5 + [NOTHING] * 4, ["x"] * 9).mean
    assert (alike.value, alike.low, alike.detail["interval"]) == (3, None, "no variation")
    beside = calibrated_score([NOTHING, *range(9)], [5.0, *range(9)], ["x"] * 10)
    assert (beside.mean.n, beside.mean.detail["without_judge"]) == (9, 1)
    with pytest.raises(ValueError, match="stratum"):
        calibrated_score([1.0], [1.0], [])
    with pytest.raises(ValueError, match="finite"):
        calibrated_score([np.inf], [1.0], ["x"])
