"""Of a proposal, too, only a whole, lone object of the asked form is an answer; all else proposes nothing."""

import json

import pytest

from annotation.models import Classification, GroupProposal, Refinement
from judging.engine.calling import Question, Setup, outcome_of
from judging.kinds import Material, ShownError
from judging.kinds.categories.kind import Categories, schema
from judging.kinds.groups.kind import SCHEMA, Groups
from judging.prompts import PromptText
from providers.client.replies import Reply
from providers.laboratories import Guard
from providers.problem_texts import in_words
from tests.judging.proposing import add_categories, keep_touching_errors, proposer, run_through

TICKET = "0123456789abcdef"
ERRORS = (
    ShownError(11, "in May", "", "It opens in April."),
    ShownError(12, "opens in May", "", "April, not May."),
    ShownError(13, "The fair", "", "It is a market."),
)
GROUPS = {"issues": [{"errors": [1, 2], "reason": "The month."}, {"errors": [3], "reason": ""}]}
CATEGORY = {"category": "inaccuracy", "reason": "The month is wrong."}


def outcome(kind, prompt, errors, text: str, **fields):
    setup = Setup(kind, prompt, Guard("simulated-1", "simulated"), "simulated-1", "schema", 0.0, 100, "max_tokens")
    material = Material("?", "The fair opens in May.", "English", errors)
    reply = Reply(text=text, **{"model": "simulated-1", "finish_reason": "stop", **fields})
    return outcome_of(setup, Question(1, 1, 7, material, "Nile-7B", "delta-lab"), reply, TICKET)


def of_groups(told: str | dict, **fields):
    text = told if isinstance(told, str) else json.dumps({"ticket": TICKET, **told})
    return outcome(Groups(), PromptText("groups", "v1", {}, SCHEMA), ERRORS, text, **fields)


def of_category(told: str | dict, **fields):
    text = told if isinstance(told, str) else json.dumps({"ticket": TICKET, **told})
    prompt = PromptText("categories", "v1", {}, schema(["inaccuracy", "connotation"]))
    return outcome(Categories(), prompt, ERRORS[:1], text, **fields)


def issues(*numbers: object, reason: object = "Alike.") -> dict:
    return {"issues": [{"errors": each, "reason": reason} for each in numbers]}


def test_every_error_in_one_issue_each_is_an_answer():
    found = of_groups(GROUPS)
    assert found.state == "scored"
    assert [[error["span"] for error in issue["errors"]] for issue in found.parsed["issues"]] == [[11, 12], [13]]


def test_fences_and_a_trailing_comma_are_mended_as_for_spans():
    fenced = "```json\n" + json.dumps({"ticket": TICKET, **GROUPS}) + "\n```"
    assert of_groups(fenced).parsed == of_groups(GROUPS).parsed
    assert of_groups(json.dumps({"ticket": TICKET, **GROUPS})[:-1] + ",}").state == "repaired"


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        (issues([1, 2]), "error_left_out"),
        (issues(), "error_left_out"),
        (issues([1, 2], [2, 3]), "error_twice"),
        (issues([1, 1], [2], [3]), "error_twice"),
        (issues([1, 2], [3], [4]), "unknown_error"),
        (issues([0, 1, 2], [3]), "unknown_error"),
        (issues([1, 2, 3], [-1]), "unknown_error"),
        (issues([1, 2, 3], []), "issue_without_errors"),
        (issues([1, 2], [3], reason=" "), "reason_missing"),
        (issues([1, 2], [3], reason=None), "wrong_type"),
        (issues([1, 2], [3], reason="x" * 4001), "too_long"),
        (issues(["1", "2"], [3]), "wrong_type"),
        (issues([True, 2], [3]), "wrong_type"),
        (issues([1.0, 2], [3]), "wrong_type"),
        (issues("12", [3]), "wrong_type"),
        ({"issues": None}, "wrong_type"),
        ({"issues": {"1": [1, 2, 3]}}, "wrong_type"),
        ({"issues": [[1, 2], [3]]}, "wrong_keys"),
        ({"issues": [{"errors": [1, 2, 3]}]}, "wrong_keys"),
        ({**GROUPS, "verdict": "keep"}, "wrong_keys"),
        ({"groups": GROUPS["issues"]}, "wrong_keys"),
        ({**GROUPS, "ticket": "f" * 16}, "wrong_ticket"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_groups_nothing(told, problem):
    found = of_groups(told)
    assert (found.state, found.parsed) == ("malformed", None)
    assert found.problem.startswith(problem)
    assert in_words(found.problem) != found.problem


def test_one_of_the_categories_with_its_reason_is_an_answer():
    found = of_category(CATEGORY)
    assert found.state == "scored"
    assert (found.parsed["error"]["span"], found.parsed["category"]) == (11, "inaccuracy")


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({**CATEGORY, "category": "Cultural Inaccuracy"}, "unknown_value"),
        ({**CATEGORY, "category": "inaccuracy "}, "unknown_value"),
        ({**CATEGORY, "category": "inac\u200bcuracy"}, "unknown_value"),
        ({**CATEGORY, "category": None}, "wrong_type"),
        ({**CATEGORY, "category": 1}, "wrong_type"),
        ({**CATEGORY, "category": ["inaccuracy"]}, "wrong_type"),
        ({**CATEGORY, "reason": ""}, "reason_missing"),
        ({**CATEGORY, "reason": "x" * 4001}, "too_long"),
        ({"category": "inaccuracy"}, "wrong_keys"),
        ({**CATEGORY, "confidence": 1}, "wrong_keys"),
        ({**CATEGORY, "ticket": "f" * 16}, "wrong_ticket"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_classifies_nothing(told, problem):
    found = of_category(told)
    assert (found.state, found.parsed) == ("malformed", None)
    assert found.problem.startswith(problem)


@pytest.mark.parametrize("read", [of_groups, of_category])
@pytest.mark.parametrize(
    ("text", "fields", "state"),
    [
        ("", {}, "malformed"),
        ("null", {}, "malformed"),
        ("They are all the same.", {}, "malformed"),
        ("I'm sorry, but I can't help with that.", {}, "refused"),
        ("", {"refusal": "No."}, "refused"),
        ('{"ticket": "0123456789abcdef", "iss', {}, "truncated"),
        ("{}", {"finish_reason": "length"}, "truncated"),
        ("{}", {"has_tool_call": True}, "malformed"),
        ("", {"failure": "timeout"}, "failed"),
        ("{}", {"model": "gpt-4o"}, "failed"),
    ],
)
def test_every_other_reply_is_its_own_state(read, text, fields, state):
    found = read(text, **fields)
    assert (found.state, found.parsed) == (state, None)


STATES = {
    "refuse": "refused",
    "filter": "refused",
    "truncate": "truncated",
    "cut": "truncated",
    "malformed": "malformed",
    "astray": "malformed",
    "prose": "malformed",
    "empty": "malformed",
    "null": "malformed",
    "echo": "malformed",
    "toolcall": "malformed",
    "errorbody": "failed",
    "othermodel": "failed",
    "badrequest": "failed",
}


@pytest.mark.parametrize("kind", ["groups", "categories", "refinement"])
@pytest.mark.parametrize("fault", STATES)
def test_whatever_the_provider_does_proposes_nothing(kind, fault, project, provider, koshari, mona, karim):
    add_categories(project)
    keep_touching_errors(koshari, mona, karim)
    run = run_through(proposer(project, provider, kind, f"simulated-1:{fault}"))
    assert run.state == "done"
    assert set(run.calls.values_list("state", flat=True)) == {STATES[fault]}
    assert not GroupProposal.objects.exists()
    assert not Classification.objects.exists()
    assert not Refinement.objects.exists()
