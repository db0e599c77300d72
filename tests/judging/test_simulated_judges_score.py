"""The simulated provider scores by a reference in a way that can be foreseen, so that figures can be checked by it."""

import json

import pytest

from judging.prompts import fill
from judging.prompts.shipped import LANGUAGES, shipped
from providers.fake.answers import answer
from providers.fake.rating import FAIR, Leaning
from providers.fake.scoring import worth

TICKET = "0123456789abcdef"
REFERENCE = "one two three four"


def said(rule: str, text: str, language: str = "en", leaning: Leaning = FAIR) -> int:
    """What is given to an answer by a rule, asked as a judge is."""
    parts = shipped("reference", "v1", language)
    shown = {"nonce": TICKET, "prompt": "?", "beside": "", "reference": REFERENCE, "response": text}
    messages = [
        {"role": "system", "content": fill(parts["system"], {"rule": parts[rule], "language": "English"})},
        {"role": "user", "content": fill(parts["question"], shown)},
    ]
    told = json.loads(answer("0", messages, "simulated-1", leaning=leaning))
    assert told.pop("ticket") == TICKET
    assert list(told) == ["reason", "score"]
    return told["score"]


def test_an_answer_is_worth_the_words_of_the_reference_or_what_it_says():
    assert worth("one, two", REFERENCE) == 5.0
    assert worth("one simulated quality 7.5", REFERENCE) == 7.5
    assert worth("anything", "!") == 0.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language_a_choice_is_0_or_10_and_the_rest_has_points_between(language):
    assert said("judge_generation", "one two three", language) == 8  # 7.5, to the even one
    assert said("judge_choice", "one two three", language) == 10
    assert said("judge_choice", "one two", language) == 0


def test_a_model_leans_in_points():
    assert said("judge_generation", "one two", leaning=Leaning(lenient=1)) == 6
    assert said("judge_generation", "nothing of it", leaning=Leaning(lenient=10)) == 10
    assert said("judge_choice", "nothing of it", leaning=Leaning(lenient=10)) == 10
