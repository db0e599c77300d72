"""Only a whole, lone object of the asked form is an answer. Everything else is a state, and none of it scores."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judging.engine.calling import Question, Setup, outcome_of
from judging.engine.parsing import read_text
from judging.engine.refusals import is_refusal
from judging.kinds import Material
from judging.kinds.spans.kind import Spans, schema
from judging.models import ANSWERED
from judging.prompts import PromptText
from providers.client.replies import Reply
from providers.laboratories import Guard
from tests.judging.long_replies import ERROR, GOOD, TEXT, TICKET
from tests.preset_parts import words_of

NOTHING_WRONG = json.dumps({"ticket": TICKET, "errors": []})
SETUP = Setup(
    kind=Spans(),
    prompt=PromptText("spans/response", "v1", {}, schema([], words_of("spans"))),
    guard=Guard("simulated-1", "simulated"),
    model="simulated-1",
    structured="schema",
    temperature=0.0,
    max_output_tokens=100,
    token_limit_name="max_tokens",
)


def outcome(text: str = "", **fields):
    reply = Reply(text=text, **{"model": "simulated-1", "finish_reason": "stop", **fields})
    question = Question(1, 1, -1, Material("?", TEXT, "English"), "Nile-7B", "delta-lab")
    return outcome_of(SETUP, question, reply, TICKET)


def with_error(**changes) -> str:
    return json.dumps({"ticket": TICKET, "errors": [{**ERROR, **changes}]}, ensure_ascii=False)


def without(name: str) -> str:
    error = {key: value for key, value in ERROR.items() if key != name}
    return json.dumps({"ticket": TICKET, "errors": [error]})


NEVER_SCORES = [
    ("empty", "", "malformed"),
    ("blank", " \n ", "malformed"),
    ("null", "null", "malformed"),
    ("a list", f"[{GOOD}]", "malformed"),
    ("a number", "4/5", "malformed"),
    ("prose", "The answer reads well.", "malformed"),
    ("two objects", GOOD + "\n" + GOOD, "malformed"),
    ("two answers that differ", f"{GOOD} On reflection: {NOTHING_WRONG}", "malformed"),
    ("the response's own JSON", 'Its cook said: {"errors": []}', "malformed"),
    ("the response echoed", TEXT, "malformed"),
    ("another ticket", NOTHING_WRONG.replace(TICKET, "f" * 16), "malformed"),
    ("the ticket as a number", '{"ticket": 123, "errors": []}', "malformed"),
    ("no ticket", '{"errors": []}', "malformed"),
    ("no errors key", f'{{"ticket": "{TICKET}"}}', "malformed"),
    ("a further key", NOTHING_WRONG[:-1] + ', "score": 10}', "malformed"),
    ("translated keys", NOTHING_WRONG.replace("errors", "أخطاء"), "malformed"),
    ("a key twice", NOTHING_WRONG[:-1] + ', "errors": []}', "malformed"),
    ("errors null", f'{{"ticket": "{TICKET}", "errors": null}}', "malformed"),
    ("errors a string", f'{{"ticket": "{TICKET}", "errors": "none"}}', "malformed"),
    ("errors an object", f'{{"ticket": "{TICKET}", "errors": {{}}}}', "malformed"),
    ("errors left out", f'{{"ticket": "{TICKET}", "errors": }}', "malformed"),
    ("an ellipsis", f'{{"ticket": "{TICKET}", "errors": [...]}}', "malformed"),
    ("an error that is a string", f'{{"ticket": "{TICKET}", "errors": ["in May"]}}', "malformed"),
    *[(f"an error without {name}", without(name), "malformed") for name in ERROR],
    ("an error with one field more", with_error(score=1), "malformed"),
    ("Arabic digits", with_error(occurrence="١"), "malformed"),
    ("a fraction", with_error(occurrence=1.5), "malformed"),
    ("a truth value for a number", with_error(occurrence=True), "malformed"),
    ("a string for null", with_error(correction=False), "malformed"),
    ("an unknown type", with_error(type="grave"), "malformed"),
    ("a type with a character nobody sees", with_error(type="cul\u200btural"), "malformed"),
    ("no explanation", with_error(explanation="  "), "malformed"),
    ("no quote", with_error(quote=""), "malformed"),
    ("an omission with a quote", with_error(anchor="missing"), "malformed"),
    ("NaN", GOOD.replace('"occurrence": 1', '"occurrence": NaN'), "malformed"),
    ("five thousand digits", GOOD.replace('"occurrence": 1', '"occurrence": ' + "9" * 5000), "malformed"),
    ("a null character", with_error(explanation="a\0b"), "malformed"),
    ("half a surrogate pair", GOOD.replace("in April", "\\ud800"), "malformed"),
    ("deep nesting", '{"a":' * 100_000 + "1" + "}" * 100_000, "malformed"),
    ("half a megabyte", GOOD + " " * 500_000, "malformed"),
    ("cut in a string", GOOD[: GOOD.index("opens in")], "truncated"),
    ("cut after a value", GOOD[:-2], "truncated"),
    ("cut before the first error", f'{{"ticket": "{TICKET}", "errors": [', "truncated"),
    ("cut in a fence", "```json\n" + GOOD[:-1] + "\n```", "truncated"),
    ("thinking that does not end", "<think>" + GOOD, "truncated"),
]


@pytest.mark.parametrize(("text", "state"), [case[1:] for case in NEVER_SCORES], ids=[case[0] for case in NEVER_SCORES])
def test_none_of_these_scores(text, state):
    found = outcome(text)
    assert found.state == state
    assert found.parsed is None
    assert found.problem


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"finish_reason": "length"}, "truncated"),
        ({"finish_reason": "content_filter"}, "refused"),
        ({"refusal": "I must decline."}, "refused"),
        ({"has_tool_call": True}, "malformed"),
        ({"failure": "error_body"}, "failed"),
        ({"failure": "timeout"}, "failed"),
        ({"model": "gpt-4o"}, "failed"),
        ({"model": "simulated-2"}, "failed"),
        ({"model": ""}, "failed"),
    ],
)
def test_a_good_text_does_not_score_under_a_bad_sign(fields, state):
    found = outcome(GOOD, **fields)
    assert (found.state, found.parsed) == (state, None)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can’t help with that.",
        "I cannot assist with this request.",
        "عذراً، لا أستطيع المساعدة في هذا الطلب.",
        "দুঃখিত, আমি এই অনুরোধে সাহায্য করতে পারব না।",
        "죄송합니다. 이 요청은 도와드릴 수 없습니다.",
        "Maaf, saya tidak dapat membantu permintaan ini.",
        "Lo siento, no puedo ayudar con eso.",
        "Désolé, je ne peux pas répondre à cette demande.",
        "Es tut mir leid, dabei kann ich nicht helfen.",
        "抱歉，我无法协助处理这个请求。",
        "申し訳ありませんが、お手伝いできません。",
        "I'm so\u200brry, I can\u200bnot help.",
    ],
)
def test_refusals_in_ten_languages_are_refusals(text):
    assert is_refusal(text)
    assert outcome(text).state == "refused"


def test_a_long_text_is_no_refusal():
    assert not is_refusal("I cannot believe how good this is. " * 40)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (GOOD, "scored"),
        (NOTHING_WRONG, "scored"),
        (f"```json\n{GOOD}\n```", "scored"),
        (f"Here is my answer:\n{GOOD}\nI hope it helps.", "scored"),
        (f'<think>Maybe {{"errors": 1}}?</think>\n{GOOD}', "scored"),
        ("\ufeff" + GOOD, "scored"),
        (GOOD[:-1] + ",}", "repaired"),
        (GOOD.replace("null", "None").replace("]}", "],}"), "repaired"),
        (NOTHING_WRONG.replace('"', "'"), "repaired"),
    ],
)
def test_what_is_whole_is_read(text, state):
    found = outcome(text)
    assert found.state == state
    assert found.parsed is not None


@given(st.integers(0, len(GOOD) - 1))
def test_no_cut_answer_ever_scores(length):
    assert outcome(GOOD[:length]).state not in ANSWERED


@settings(max_examples=300)
@example(GOOD.index('[{"') + 3, '"}]}')
@given(st.integers(0, len(GOOD) - 1), st.sampled_from(['"}]}', "]}", "}", '"', "}]}", ""]))
def test_closing_a_cut_answer_does_not_make_it_say_less(length, ending):
    """Mending never turns found errors into none. (A text that is strict JSON as it stands is what was said.)"""
    found = outcome(GOOD[:length] + ending)
    if found.state == "repaired" or (found.parsed is not None and length > GOOD.index("anchor")):
        assert found.parsed is not None
        assert found.parsed["spans"] or found.parsed["unlocatable"]


@given(st.text(max_size=300))
def test_no_text_at_all_breaks_the_reader(text):
    assert read_text(text).state in {"scored", "repaired", "malformed", "truncated", "refused"}


def spans_of(*errors: dict) -> dict:
    found = outcome(json.dumps({"ticket": TICKET, "errors": list(errors)}, ensure_ascii=False))
    assert found.parsed is not None
    return {"state": found.state, **found.parsed}


def test_a_quote_is_located_by_its_occurrence():
    found = spans_of({**ERROR, "quote": "The fair", "occurrence": 2})
    assert found["state"] == "scored"
    # the second sentence begins after "The fair opens in May. ", 23 characters
    assert (found["spans"][0]["start"], found["spans"][0]["end"]) == (23, 31)


@pytest.mark.parametrize(
    ("quote", "occurrence", "reason"),
    [
        ("The fair", None, "quote_ambiguous"),
        ("The fair", 3, "occurrence_absent"),
        ("in may", 1, "quote_absent"),
        ("in\u200b may", 1, "quote_absent"),
        # Found in other characters only where nothing says that another place was meant.
        ("in\u200b May", 2, "quote_absent"),
        ("The\u200b fair", 1, "quote_ambiguous"),
    ],
)
def test_a_quote_without_a_certain_place_is_kept_beside(quote, occurrence, reason):
    found = spans_of({**ERROR, "quote": quote, "occurrence": occurrence}, ERROR)
    assert found["state"] == "unlocatable"
    assert [span["quote"] for span in found["spans"]] == ["in May"]
    assert [span["reason"] for span in found["unlocatable"]] == [reason]


def test_a_quote_in_other_characters_is_marked_and_stands_as_the_text_has_it():
    found = spans_of({**ERROR, "quote": "opens\u00a0in\u200b  May", "occurrence": 1})
    assert found["state"] == "scored"
    [span] = found["spans"]
    # after "The fair ", 9 characters
    assert (span["start"], span["end"], span["quote"]) == (9, 21, "opens in May")
    assert span["located"] == "normalised"
    [exact] = spans_of(ERROR)["spans"]
    assert "located" not in exact


def test_the_same_error_twice_counts_once():
    found = spans_of(ERROR, {**ERROR, "explanation": "Said again."})
    assert len(found["spans"]) == 1
    assert found["repeated"] == 1
