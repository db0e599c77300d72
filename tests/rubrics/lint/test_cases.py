"""What the lint finds and what it leaves in peace, as data per language: cases/<language>.json.

Criteria that are found name the words; those that are not must be silent under every check, not only their own.
"""

import json
from pathlib import Path

import pytest

from rubrics.lint import CHECKS, LintCriterion, LintInput, find

CASES = Path(__file__).parent / "cases"
LANGUAGES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))}
OF_ONE_CRITERION = ("stacked", "fact-not-given", "one-of-without-list", "unverifiable")


def cases(checks, side):
    return [
        pytest.param(language, check, case, id=f"{language}-{check}-{number}")
        for language, groups in LANGUAGES.items()
        for check in checks
        for number, case in enumerate(groups[check][side])
    ]


def lint(language, criteria, **rest):
    return find(LintInput(language, criteria=[LintCriterion(str(n), text) for n, text in enumerate(criteria)], **rest))


@pytest.mark.parametrize(("language", "check", "case"), cases(OF_ONE_CRITERION, "bad"))
def test_a_faulty_criterion_is_found_with_its_words(language, check, case):
    found = {finding.code: finding.words for finding in lint(language, [case["text"]])}
    assert found.get(check) == case["words"]


@pytest.mark.parametrize(("language", "check", "text"), cases(OF_ONE_CRITERION, "good"))
def test_a_sound_criterion_is_left_in_peace(language, check, text):
    assert [(finding.code, finding.words) for finding in lint(language, [text])] == []


@pytest.mark.parametrize(("language", "check", "case"), cases(["overlap"], "bad"))
def test_two_criteria_that_say_the_same_are_found_at_the_later_one(language, check, case):
    findings = lint(language, case["criteria"], prompt=case.get("prompt", ""))
    found = [(finding.criterion, finding.other, finding.words) for finding in findings if finding.code == check]
    assert found == [("1", "0", case["words"])]


@pytest.mark.parametrize(("language", "check", "case"), cases(["overlap"], "good"))
def test_criteria_built_alike_around_another_fact_do_not_overlap(language, check, case):
    findings = lint(language, case["criteria"], prompt=case.get("prompt", ""))
    assert [(finding.code, finding.words) for finding in findings] == []


@pytest.mark.parametrize(("language", "check", "case"), cases(["coverage"], "bad"))
def test_a_part_of_the_gold_answer_without_criterion_is_found(language, check, case):
    findings = lint(language, case["criteria"], gold_answer=case["gold_answer"], prompt=case.get("prompt", ""))
    assert [finding.words for finding in findings if finding.code == check] == case["words"]


@pytest.mark.parametrize(("language", "check", "case"), cases(["coverage"], "good"))
def test_a_gold_answer_whose_parts_are_asked_for_is_covered(language, check, case):
    findings = lint(language, case["criteria"], gold_answer=case["gold_answer"], prompt=case.get("prompt", ""))
    assert [(finding.code, finding.words) for finding in findings] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_cases_for_every_check_that_rests_on_its_words(language):
    groups = LANGUAGES[language]
    assert set(groups) == {check.code for check in CHECKS} - {"band-weight"}
    for check in groups:
        assert len(groups[check]["bad"]) >= 8, check
        assert len(groups[check]["good"]) >= 8, check
