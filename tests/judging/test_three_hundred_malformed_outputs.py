"""Outputs that are no answers, over every kind of judge: none of them counts. And none that is an answer is lost.

The last tests take one guard of the reading away at a time: the same search finds outputs that count wrongly then.
"""

from collections.abc import Sequence

import pytest
from json_repair import repair_json

from judging.engine import calling, parsing
from judging.engine.parsing import read_text
from judging.kinds import forms, ratings
from judging.kinds.categories import kind as categories
from judging.kinds.editing import kind as editing
from judging.kinds.groups import kind as groups
from judging.kinds.pairwise import kind as pairwise
from judging.kinds.pointwise import kind as pointwise
from judging.kinds.questionnaire import asking as questions_asked
from judging.kinds.questionnaire import kind as questionnaire
from judging.kinds.reference import kind as reference
from judging.kinds.refinement import kind as refinement
from judging.kinds.rubric import kind as rubric
from judging.kinds.same_issue import kind as same_issue
from judging.kinds.sentences import kind as sentences
from judging.kinds.spans import kind as spans
from judging.models import ANSWERED
from providers.client import replies
from providers.laboratories import Guard
from providers.problem_texts import in_words
from tests.judging.every_kind import FORMS, read_as
from tests.judging.malformed import DEFECTS, Case, never_answers, still_answers

CASES = never_answers()


def wrongly_scored(cases: Sequence[Case]) -> list[str]:
    """The cases that count as answers. One that breaks the reader does not count, but is no outcome either."""
    found = []
    for case in cases:
        try:
            outcome = read_as(FORMS[case.form], case.text, **case.fields)
        except (KeyError, TypeError, ValueError, AttributeError, AssertionError, RecursionError):
            continue
        if outcome.state in ANSWERED or outcome.parsed is not None:
            found.append(str(case))
    return found


def test_there_are_three_hundred_of_every_sort():
    assert len({(case.form, case.text, str(case.fields)) for case in CASES}) == len(CASES) >= 300
    assert {case.form for case in CASES} == set(FORMS)
    assert all(sum(case.form == form for case in CASES) >= 100 for form in FORMS)
    assert {case.state for case in CASES} == {"malformed", "truncated", "refused", "failed"}


def test_none_of_them_is_an_answer():
    assert wrongly_scored(CASES) == []


@pytest.mark.parametrize("form", FORMS)
def test_each_ends_in_its_own_state_and_says_why(form):
    ended = {}
    for case in CASES:
        if case.form == form:
            outcome = read_as(FORMS[form], case.text, **case.fields)
            ended[case.name] = outcome.state
            assert outcome.problem, case.name
            assert in_words(outcome.problem) != outcome.problem.partition(":")[0], case.name
    assert ended == {case.name: case.state for case in CASES if case.form == form}


def test_what_only_looks_malformed_is_read_and_means_the_same():
    """Fences, words around it, another order: read as it is. What has to be mended is marked as repaired."""
    states, other = {}, []
    for case in still_answers():
        outcome = read_as(FORMS[case.form], case.text, **case.fields)
        states[str(case)] = outcome.state
        if outcome.parsed != read_as(FORMS[case.form], FORMS[case.form].text).parsed:
            other.append(str(case))
    assert states == {str(case): case.state for case in still_answers()}
    assert other == ["spans: None as a program writes it"], "which says that there is no correction"


# --- The guards, one at a time taken away -------------------------------------------------------------

MODULES = (
    *(spans, sentences, rubric, pointwise, pairwise, groups, categories),
    *(refinement, same_issue, reference, editing, questionnaire),
)


def for_every_kind(monkeypatch, name: str, check) -> None:
    for module in (*MODULES, forms, questions_asked):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, check)


def without_ticket_check(monkeypatch):
    for_every_kind(monkeypatch, "check_ticket", lambda value, nonce: None)


def without_schema_check(monkeypatch):
    for_every_kind(monkeypatch, "check_keys", lambda value, keys, where="": None)
    for_every_kind(monkeypatch, "check_field", lambda name, value, asked: None)


def without_grade_check(monkeypatch):
    for_every_kind(monkeypatch, "check_grade", lambda name, value, form: value)


def without_check_of_verdicts(monkeypatch):
    monkeypatch.setattr(rubric, "check_verdict", lambda verdict, criteria: None)


def without_check_of_issues(monkeypatch):
    monkeypatch.setattr(groups, "check_issue", lambda issue: None)


def without_check_of_errors(monkeypatch):
    monkeypatch.setattr(spans, "check_fields", lambda error, fields: None)


def without_check_of_reasoning(monkeypatch):
    for_every_kind(monkeypatch, "check_reasoning", lambda value: str(value))


def without_check_of_the_reply_s_model(monkeypatch):
    monkeypatch.setattr(Guard, "accepts_reply", lambda self, model: True)


def without_looking_beside_the_text(monkeypatch):
    monkeypatch.setattr(calling, "read_reply", lambda reply: read_text(reply.text))


def with_whatever_mending_makes_of_it(monkeypatch):
    monkeypatch.setattr(parsing, "mend", lambda piece: repair_json(piece, return_objects=True))


def with_the_last_of_two_keys(monkeypatch):
    monkeypatch.setattr(replies, "_unique", dict)


def with_the_last_of_two_objects(monkeypatch):
    found = parsing.objects_in
    monkeypatch.setattr(parsing, "objects_in", lambda text: (found(text)[0][-1:], False))


def without_check_of_length(monkeypatch):
    monkeypatch.setattr(parsing, "MAX_CHARACTERS", 10**9)


def without_check_of_characters(monkeypatch):
    monkeypatch.setattr(parsing, "UNSTORABLE", parsing.re.compile("(?!)"))


GUARDS = [guard for name, guard in list(globals().items()) if name.startswith(("without_", "with_"))]


@pytest.mark.parametrize("take_away", GUARDS, ids=[guard.__name__ for guard in GUARDS])
def test_the_search_finds_what_a_missing_guard_lets_through(take_away, monkeypatch):
    take_away(monkeypatch)
    assert wrongly_scored(CASES)


def test_every_defect_is_caught_by_some_guard_that_is_tested_here():
    assert len(GUARDS) == 14
    assert len(DEFECTS) >= 80


# Pure names of modules that the guards above look into; kept so that a renamed check is noticed at once.
def test_the_checks_are_where_they_are_taken_away():
    of_fields = (categories, sentences, refinement, same_issue)
    assert all(module.check_answer is forms.check_answer for module in of_fields)
    others = [module for module in MODULES if module not in of_fields]
    assert all(hasattr(module, "check_ticket") and hasattr(module, "check_keys") for module in others)
    assert ratings.check_grade is pointwise.check_grade is pairwise.check_grade is reference.check_grade
