"""Probes for questions that a model has seen: clean models are left alone, and knowledge is found."""

import numpy as np
import pytest

from agreement import contamination
from agreement.contamination import canary, guided_completion, paired_power, quiz, quiz_power, twin_gap, verdict

PROBED = 100
OPTIONS = 4
PLACES = np.array([0.7, 0.15, 0.1, 0.05])


class Model:
    """A model that knows a share of the questions and likes the first place of a quiz."""

    def __init__(self, generator, share):
        self.generator = generator
        self.knows = generator.random(PROBED) < share

    def completion(self):
        # overlaps of a clean model: skewed, of a spread that differs by question, alike for both wordings
        ease = self.generator.beta(1.5, 4, PROBED)
        exact, paraphrase = (np.clip(ease * self.generator.gamma(4, 0.25, PROBED), 0, 1) for _ in range(2))
        return guided_completion(np.where(self.knows, np.maximum(exact, 0.95), exact), paraphrase)

    def quiz(self):
        original = self.generator.integers(0, OPTIONS, PROBED)
        liked = self.generator.choice(OPTIONS, PROBED, p=PLACES)
        return quiz(original, np.where(self.knows, original, liked), OPTIONS)

    def twins(self):
        # judged 0 to 10; scores of 0 or 10 alone would need some 300 pairs
        ease = self.generator.uniform(1, 9, PROBED)
        public, twin = (np.clip(ease + self.generator.normal(0, 2, PROBED), 0, 10) for _ in range(2))
        return twin_gap(np.where(self.knows, 10.0, public), twin)

    def probes(self):
        return {"completion": self.completion(), "quiz": self.quiz(), "twins": self.twins()}


def test_of_two_thousand_clean_models_at_most_one_in_four_hundred_is_accused():
    generator = np.random.default_rng(23)
    accused = [
        {name for name, figure in Model(generator, 0).probes().items() if figure.detail["found"]} for _ in range(2000)
    ]
    for probe in ("completion", "quiz", "twins"):
        assert np.mean([probe in names for names in accused]) <= contamination.LEVEL
    assert np.mean([bool(names) for names in accused]) <= contamination.LEVEL


def test_p_values_of_clean_models_are_as_small_as_they_say():
    generator = np.random.default_rng(24)
    models = [Model(generator, 0).probes() for _ in range(500)]
    for probe in ("completion", "quiz", "twins"):
        p = np.array([probes[probe].detail["p"] for probes in models])
        for level in (0.05, 0.2):
            assert (p <= level).mean() <= level + 3 * np.sqrt(level * (1 - level) / 500)


def test_more_knowledge_shows_more_and_thirty_percent_are_found():
    generator = np.random.default_rng(25)
    by_share = [Model(generator, share).probes() for share in (0, 0.1, 0.3, 1)]
    for probe in ("completion", "quiz", "twins"):
        values = [probes[probe].value for probes in by_share]
        assert values == sorted(values), probe
        assert all(probes[probe].detail["p"] < 0.01 for probes in by_share[2:]), probe
    assert [verdict(probes) for probes in by_share][::3] == ["not found", "clear"]
    assert by_share[3]["quiz"].value == 1


def test_stated_power_is_that_of_simulated_models():
    generator = np.random.default_rng(26)
    quizzes = np.mean([Model(generator, 0.15).quiz().detail["found"] for _ in range(400)])
    # the correction for places costs a little
    assert quiz_power(PROBED, 0.15, OPTIONS) - 0.12 < quizzes <= quiz_power(PROBED, 0.15, OPTIONS) + 0.05
    normal = [
        contamination.paired_probe(generator.normal(0, 1, 60) + 2 * (generator.random(60) < 0.3), np.zeros(60))
        for _ in range(400)
    ]
    assert np.mean([figure.detail["found"] for figure in normal]) == pytest.approx(paired_power(60, 0.3, 2, 1), abs=0.1)
    assert [paired_power(10, 1, 1, 1), quiz_power(3, 1, 4)] == [0, 0]
    assert quiz_power(100, 0.3, 4) > 0.94


def test_a_liked_place_is_no_knowledge():
    """Originals stand mostly where the model likes to choose."""
    generator = np.random.default_rng(27)
    original = generator.choice(4, 200, p=[0.7, 0.1, 0.1, 0.1])
    first = quiz(original, np.zeros(200, dtype=int), 4)
    assert first.detail["chance"] == pytest.approx((original == 0).mean())
    assert first.value == 0
    assert not first.detail["found"]
    assert quiz(original, original, 4).detail["found"]


def test_a_quiz_by_hand():
    figure = quiz([0, 1, 2, 3], [0, 1, 2, -1], 4)
    # 3 of 4 hit, chance 1/4: P(3 or 4 hits) = 4 * 3 / 256 + 1 / 256
    assert figure.value == pytest.approx((3 / 4 - 1 / 4) / (3 / 4))
    assert figure.detail["p"] == pytest.approx(13 / 256)
    assert figure.low < figure.value < figure.high
    assert quiz([0, 1], [1, 0], 2).detail["p"] == 1
    assert quiz([0, 1, 2, 3], [0, 1, 2, -1], 4, chance=0.75).value == 0


def test_clean_models_that_prefer_originals_are_the_measure():
    generator = np.random.default_rng(28)
    exact, paraphrase = generator.normal(0.5, 0.05, 80), generator.normal(0.4, 0.05, 80)
    assert guided_completion(exact, paraphrase).detail["found"]
    against = guided_completion(exact, paraphrase, expected=0.1)
    assert not against.detail["found"]
    assert against.value == pytest.approx((exact - paraphrase).mean() - 0.1)


def test_questions_of_one_passage_are_one_unit():
    generator = np.random.default_rng(29)
    passage = np.arange(120) // 10
    gap = generator.normal(0, 1, 12)[passage]
    figure = twin_gap(gap, np.zeros(120), passage)
    assert (figure.n, figure.detail["units"], figure.detail["unit"]) == (120, 12, "cluster")
    assert figure.detail["p"] > twin_gap(gap, np.zeros(120)).detail["p"] or gap.mean() < 0


def test_a_canary():
    guid = "b3c4e1f0-9d2a-4c57-8f11-2e6a7b90cd34"
    remainder = guid[9:]
    whole = canary(["the rest is 9D2A-4C57-8F11-2E6A7B90CD34."], remainder)
    assert (whole.value, whole.n, whole.detail["found"]) == (24, 1, True)
    some = canary(["9d2a0000", "cafe"], remainder)
    assert (some.value, some.n) == (4, 2)
    assert some.detail["p"] == pytest.approx(12 / 16**4)
    assert not some.detail["found"]
    none = canary(["I do not know"], "9d2a")
    assert (none.value, none.detail["p"]) == (0, 1)
    assert canary([], "9d2a").undefined == "no items"
    with pytest.raises(ValueError, match="hexadecimal"):
        canary(["x"], "")


def test_clean_models_do_not_guess_a_canary():
    generator = np.random.default_rng(30)
    digits = np.array(list("0123456789abcdef"))
    for _ in range(500):
        written = ["".join(generator.choice(digits, 24)) for _ in range(3)]
        assert not canary(written, "9d2a4c578f112e6a7b90cd34").detail["found"]


def test_a_verdict():
    generator = np.random.default_rng(31)
    clean, known = Model(generator, 0).probes(), Model(generator, 1).probes()
    assert verdict(clean) == "not found"
    assert verdict({**clean, "quiz": known["quiz"]}) == "warning"
    assert verdict({**clean, "quiz": known["quiz"], "twins": known["twins"]}) == "clear"
    assert verdict({"canary": canary(["9d2a4c578f11"], "9d2a4c578f11")}) == "clear"
    assert verdict({"quiz": quiz([], [], 4)}) == verdict({}) == "unknown"
    with pytest.raises(ValueError, match="unknown"):
        verdict({"other": known["quiz"]})


def test_what_cannot_be_said_has_its_reason():
    assert guided_completion([], []).undefined == "no items"
    assert guided_completion([1.0] * 10, [0.0] * 10).undefined == "too few units"
    assert quiz([0, 0], [0, 0], 2).undefined == "every place is the original's"
    for wrong in (([1], [1, 2]), ([np.inf], [1])):
        with pytest.raises(ValueError):
            guided_completion(*wrong)
    for wrong in (([1], [1, 1], 2), ([2], [1], 2), ([0], [0], 1), ([0], [-2], 2)):
        with pytest.raises(ValueError):
            quiz(*wrong)
    for power, arguments in ((quiz_power, (9, 2, 4)), (quiz_power, (9, 0.5, 1)), (paired_power, (20, 0.5, 1, 0))):
        with pytest.raises(ValueError):
            power(*arguments)
