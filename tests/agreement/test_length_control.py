"""Length and format are taken out by what is frozen; a newcomer moves nobody."""

import gzip
import json

import numpy as np
import pytest

from agreement.length_control import FEATURES, LengthControl, controlled, features, fit
from tests.real_data import published

NOTHING = np.nan
QUESTIONS = [f"q{number}" for number in range(120)]


def study(generator, slope=1.5, n=4):
    """Scores and lengths (in doublings) of n configurations; better ones are longer, and length itself adds."""
    asked = generator.normal(9, 1, (120, 1))
    lengths = asked + np.linspace(-1, 1, n) + generator.normal(0, 0.6, (120, n))
    quality = np.linspace(4, 7, n) + generator.normal(0, 1, (120, 1)) + generator.normal(0, 0.5, (120, n))
    away = lengths - lengths.mean(axis=1, keepdims=True)
    scale = np.sqrt((away**2).mean())
    return quality + slope * np.tanh(away / scale), lengths[:, :, None], quality


def fitted(scores, answers, **options):
    names = [f"model {number}" for number in range(np.shape(scores)[1])]
    return fit(scores, answers, version="v", questions=QUESTIONS, references=names, names=("doublings",), **options)


def test_what_length_adds_is_found_and_taken_out():
    generator = np.random.default_rng(1)
    scores, answers, quality = study(generator)
    control = fitted(scores, answers)
    assert control.coefficients[0] == pytest.approx(1.5, abs=0.15)
    assert control.covariance[0][0] < 0.01
    for column in range(4):
        alone = controlled(control, QUESTIONS, scores[:, column], answers[:, column])
        assert alone.mean() == pytest.approx(quality[:, column].mean(), abs=0.15)


def test_its_standard_error_is_that_of_repeated_fits():
    generator = np.random.default_rng(2)
    fits = [fitted(*study(generator)[:2]) for _ in range(200)]
    errors = np.mean([np.sqrt(control.covariance[0][0]) for control in fits])
    assert np.std([control.coefficients[0] for control in fits]) == pytest.approx(errors, rel=0.2)


def test_it_is_the_regression_with_an_effect_of_each_question_and_configuration():
    generator = np.random.default_rng(3)
    scores, answers, _ = study(generator)
    scores[generator.random(scores.shape) < 0.1] = NOTHING
    answers[5, 2] = NOTHING
    control = fitted(scores, answers)
    used = ~(np.isnan(scores) | np.isnan(answers[:, :, 0]))
    question, configuration = np.nonzero(used)
    centre = np.array([answers[row, used[row], 0].mean() for row in range(120)])
    away = answers[used][:, 0] - centre[question]
    bent = np.tanh(away / np.sqrt((away**2).mean()))
    design = np.column_stack((bent, np.eye(120)[question], np.eye(4)[configuration]))
    assert control.coefficients[0] == pytest.approx(np.linalg.lstsq(design, scores[used], rcond=None)[0][0])
    assert control.answers == used.sum()


def test_a_newcomer_moves_nobody_and_depends_on_nobody():
    generator = np.random.default_rng(4)
    scores, answers, _ = study(generator)
    control = fitted(scores, answers)
    stored = LengthControl.from_json(json.loads(json.dumps(control.as_json())))
    assert stored == control
    before = controlled(control, QUESTIONS, scores[:, 0], answers[:, 0])
    controlled(stored, QUESTIONS, scores[:, 3] + 3, answers[:, 3] + 5)
    assert (controlled(stored, QUESTIONS, scores[:, 0], answers[:, 0]) == before).all()
    some = controlled(stored, QUESTIONS[9:4:-1], scores[9:4:-1, 0], answers[9:4:-1, 0])
    assert (some == before[9:4:-1]).all()


def test_an_answer_that_is_none_keeps_its_score():
    generator = np.random.default_rng(5)
    scores, answers, _ = study(generator)
    control = fitted(scores, answers)
    assert controlled(control, ["q3", "q4"], [0.0, NOTHING], [[NOTHING], [9.0]]).tolist() == pytest.approx(
        [0.0, NOTHING], nan_ok=True
    )


def test_an_answer_beyond_all_lengths_is_corrected_by_the_coefficient_at_most():
    generator = np.random.default_rng(6)
    control = fitted(*study(generator)[:2])
    change = controlled(control, ["q0"], [5.0], [[40.0]])[0] - 5
    assert change == pytest.approx(-control.coefficients[0])


def test_a_feature_that_does_not_vary_has_no_effect():
    generator = np.random.default_rng(7)
    scores, answers, _ = study(generator)
    both = np.concatenate((answers, np.zeros_like(answers)), axis=2)
    names = list("abcd")
    control = fit(scores, both, version="v", questions=QUESTIONS, references=names, names=("doublings", "bold"))
    assert (control.coefficients[1], control.scales[1]) == (0, 0)
    assert control.coefficients[0] == pytest.approx(fitted(scores, answers).coefficients[0])


def test_features_of_a_text():
    text = "# Title\n\nSome **bold** words\n- one\n* two\n١. ثلاثة\n"
    doublings, *marks = features(text)
    assert doublings == pytest.approx(np.log2(1 + len(text)))
    assert marks == [1, 3, 1]
    assert features("") == (0, 0, 0, 0)
    assert features("a - b * c # d 1) e" * 3)[1:] == (0, 0, 0)
    assert features("- x\n" * 500)[2] == pytest.approx(250)
    assert len(FEATURES) == len(features("x"))


def test_what_does_not_fit_is_refused():
    generator = np.random.default_rng(8)
    scores, answers, _ = study(generator)
    control = fitted(scores, answers)
    with pytest.raises(ValueError, match="2 reference"):
        fitted(scores[:, :1], answers[:, :1])
    with pytest.raises(ValueError, match="2 reference"):
        fitted(np.where(np.arange(120)[:, None] < 20, scores, NOTHING), answers)
    with pytest.raises(ValueError, match="features"):
        fitted(scores, answers[:100])
    with pytest.raises(ValueError, match="features"):
        controlled(control, ["q1"], [1.0], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="has not"):
        controlled(control, ["other"], [1.0], [[1.0]])
    stored = control.as_json()
    with pytest.raises(ValueError, match="centre"):
        LengthControl.from_json({**stored, "scales": []})
    with pytest.raises(TypeError):
        LengthControl.from_json({"version": "v"})


@pytest.mark.real_data
def test_a_published_board_the_same_model_told_to_be_brief_or_wordy_comes_closer_together():
    expected = list(json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8")))
    names = [name for name in expected if name != "NullModel"]
    with open(published("alpaca_eval/questions.jsonl"), encoding="utf-8") as lines:
        keys = [json.loads(line)["id"] for line in lines]
    row = {key: place for place, key in enumerate(keys)}
    scores, answers = np.full((len(keys), len(names)), NOTHING), np.full((len(keys), len(names), 4), NOTHING)
    with gzip.open(published("alpaca_eval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for output in map(json.loads, lines):
            if output["model"] in names:
                at = row[output["question"]], names.index(output["model"])
                scores[at] = 10 * output["preference"]
                answers[at] = features(output["output"]) if output["output"].strip() else NOTHING
    control = fit(scores, answers, version="v", questions=keys, references=names)
    means = {
        name: (np.nanmean(scores[:, at]), np.nanmean(controlled(control, keys, scores[:, at], answers[:, at])))
        for at, name in enumerate(names)
    }
    plain, wordy = means["gpt-3.5-turbo-1106"], means["gpt-3.5-turbo-1106_verbose"]
    assert control.coefficients[0] > 0
    assert 0 < abs(wordy[1] - plain[1]) < wordy[0] - plain[0]
