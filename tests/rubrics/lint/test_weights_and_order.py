"""Weights in their bands, the order of findings, and what accepting one rests on."""

import pytest
from django.utils import translation

from rubrics.lint import PRINCIPLES, LintCriterion, LintInput, Principle, find

CORE = ("core-term", 8, 10)


@pytest.mark.parametrize("weight", [8, 9, 10, -8, None])
def test_a_weight_inside_its_band_or_not_yet_given_is_no_finding(weight):
    assert find(LintInput("en", criteria=[LintCriterion("a", "", weight, CORE)])) == []


@pytest.mark.parametrize("weight", [7, 11, 0, -7])
def test_a_weight_outside_its_band_is_found(weight):
    [finding] = find(LintInput("en", criteria=[LintCriterion("a", "", weight, CORE)]))
    assert finding.identity == ("band-weight", "a", f"core-term {weight}")
    assert (finding.start, finding.end, finding.principle) == (None, None, Principle.COMPLETE)
    assert str(weight) in str(finding.message)


def test_a_weight_without_a_band_is_no_finding():
    assert find(LintInput("en", criteria=[LintCriterion("a", "", 99, None)])) == []


def test_findings_come_in_the_order_of_the_criteria_and_the_gold_answer_last():
    given = LintInput(
        "en",
        gold_answer="The red note is called hamra. Traders in Basra say khadra for the green one.",
        criteria=[
            LintCriterion("z", "Mentions that the red note is called hamra; names the green note.", 3, CORE),
            LintCriterion("a", "Explains the proverb well."),
        ],
    )
    assert [(finding.criterion, finding.code) for finding in find(given)] == [
        ("z", "stacked"),
        ("z", "band-weight"),
        ("a", "unverifiable"),
        ("", "coverage"),
    ]


def test_a_finding_names_the_words_set_apart_and_its_principle():
    [finding] = find(LintInput("ar", criteria=[LintCriterion("a", "يذكر الأكلة ويشرح")]))
    with translation.override("en"):
        message = str(finding.message)
    assert "\u2068ويشرح\u2069" in message
    assert str(PRINCIPLES[finding.principle].name) in message


def test_controls_of_direction_in_the_words_do_not_reach_the_sentence_and_long_words_are_cut():
    gold = "Guests bring \u202edates\u2069 to the bride " + "gladly " * 40
    criteria = [LintCriterion("a", "Mentions that the groom wears blue cloth.")]
    [finding] = find(LintInput("en", gold_answer=gold, criteria=criteria))
    message = str(finding.message)
    assert "\u202e" in finding.words
    assert "\u202e" not in message
    assert message.count("\u2069") == 1
    assert len(message) < 300


def test_every_principle_is_explained():
    assert set(PRINCIPLES) == set(Principle)
    assert all(str(explained.name) and str(explained.explanation) for explained in PRINCIPLES.values())
