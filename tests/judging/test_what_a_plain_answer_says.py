"""Replies to published prompts: tags, bare numbers, True or False, lists. What is not certain is unreadable."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.engine.plain_answers import READERS, could_be_forged, read_plain, read_text
from judging.prompts.published import BRACKETS, FORMS, LIST, NUMBER, NUMBERS, TAGS, WORD
from providers.client.replies import Reply

ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
GOOD = {
    TAGS: ("<answer>4</answer>", "4"),
    BRACKETS: ("I prefer the first: [[A]]", "A"),
    NUMBER: ("4", 4),
    NUMBERS: ("[4, 2]", [4, 2]),
    WORD: ("True", "True"),
    LIST: (
        '[{"span": "a", "reason": "b", "error_type": "both"}]',
        [{"span": "a", "reason": "b", "error_type": "both"}],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_of_its_form_is_read_and_no_other_form_is(form):
    assert set(READERS) == set(FORMS) == set(GOOD)
    text, answer = GOOD[form]
    assert read_text(text, form).value == {"answer": answer}
    assert read_text(f" <think>[1] <answer>9</answer> 5</think>\n\ufeff{text}\r\n", form).value == {"answer": answer}
    for other, (foreign, _answer) in GOOD.items():
        if other != form:
            assert read_text(foreign, form).value is None, (form, other)


@pytest.mark.parametrize(
    ("form", "text", "problem"),
    [
        (TAGS, "<answer>4</answer> or <answer>5</answer>", "several_answers"),
        (TAGS, "<answer>4", "no_answer_in_tags"),
        (TAGS, "4</answer>", "no_answer_in_tags"),
        (TAGS, "</answer>4<answer>", "no_answer_in_tags"),
        (TAGS, "<answer><answer>4</answer></answer>", "several_answers"),
        (TAGS, "<answer>4</ answer>", "no_answer_in_tags"),
        (TAGS, "\uff1canswer\uff1e4\uff1c/answer\uff1e", "prose"),
        (TAGS, "Four.", "prose"),
        (BRACKETS, "[[A]] or [[B]]", "several_answers"),
        (BRACKETS, "[[[[A]]]]", "several_answers"),
        (BRACKETS, "[[A]", "no_answer_in_brackets"),
        (BRACKETS, "A]]", "no_answer_in_brackets"),
        (BRACKETS, "]]A[[", "no_answer_in_brackets"),
        (BRACKETS, "[[]]", "no_answer_in_brackets"),
        (BRACKETS, "[[A\nB]]", "no_answer_in_brackets"),
        (BRACKETS, f"[[{'A' * 41}]]", "no_answer_in_brackets"),
        (BRACKETS, "[A]", "prose"),
        (BRACKETS, "\uff3b\uff3bA\uff3d\uff3d", "prose"),
        (NUMBERS, "[]", "not_numbers"),
        (NUMBERS, "[4, 2.0]", "not_numbers"),
        (NUMBERS, "[4, true]", "not_numbers"),
        (NUMBERS, "[4,, 2]", "not_numbers"),
        (NUMBERS, "[4, ٢]", "not_numbers"),
        (NUMBERS, "[4,\n2]", "not_numbers"),
        (NUMBERS, "[4] [2]", "not_numbers"),
        (NUMBERS, "[[4, 2]]", "not_numbers"),
        (NUMBERS, "4, 2", "prose"),
        (NUMBERS, "Grades: [4, 2]", "prose"),
        (NUMBERS, f"[{', '.join(['1'] * 301)}]", "not_numbers"),
        (NUMBERS, f"[{', '.join(['1'] * 9000)}]", "prose"),
        (NUMBER, "4 of 5", "prose"),
        (NUMBER, "4.0", "prose"),
        (NUMBER, "4.", "prose"),
        (NUMBER, "04", "prose"),
        (NUMBER, "+4", "prose"),
        (NUMBER, "\u200f4", "prose"),
        (NUMBER, "4\n5", "prose"),
        (NUMBER, "Grade: 4", "prose"),
        (NUMBER, "4" * 48_000, "prose"),
        (WORD, "True or False", "prose"),
        (WORD, "True, because", "prose"),
        (WORD, "Tru\u0435", "prose"),
        (WORD, "Yes", "prose"),
        (LIST, '{"span": "a"}', "not_a_list"),
        (LIST, '[], "x": []', "not_a_list"),
        (LIST, '[1], "answer": [2]', "not_json"),
        (LIST, '["\\ud800"]', "not_json"),
        (LIST, '["\\u0000"]', "unstorable_characters"),
        (LIST, '[{"span": "a"}', "not_json"),
        (LIST, '[{"span": "a", "span": "b"}]', "not_json"),
        (LIST, "[1] and [2]", "not_json"),
        (LIST, "[" * 25_000, "reply_too_complex"),
        (LIST, json.dumps([1] * 301), "too_long"),
        (LIST, "[4, 2]", "not_objects"),
        (LIST, "[[]]", "not_objects"),
    ],
)
def test_what_is_not_certain_is_unreadable(form, text, problem):
    outcome = read_text(text, form)
    assert (outcome.state, outcome.value, outcome.problem) == ("malformed", None, problem)


@pytest.mark.parametrize("form", FORMS)
def test_what_no_form_changes(form):
    good = GOOD[form][0]
    assert read_text("", form).problem == "empty"
    assert read_text("<think>it is 4", form).state == "truncated"
    assert read_text(f"{good}\0", form).problem == "unstorable_characters"
    assert read_text(good + " " * 400_001, form).problem == "too_long"
    assert read_text("I'm sorry, but I can't help with that.", form).state == "refused"
    assert read_plain(Reply(text=good, finish_reason="length"), form).state == "truncated"
    assert read_plain(Reply(text=good, finish_reason="stop", refusal="No."), form).state == "refused"
    assert read_plain(Reply(text=good, finish_reason="stop", has_tool_call=True), form).problem == "tool_call"
    assert read_plain(Reply(failure="timeout"), form).state == "failed"


def test_digits_of_other_scripts_are_no_number():
    for form, text in ((NUMBER, "{}"), (TAGS, "<answer>{}</answer>")):
        outcome = read_text(text.format("14".translate(ARABIC_DIGITS)), form)
        assert outcome.value != {"answer": 14}
        assert form == TAGS or outcome.value is None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "piece",
    ["<answer>", "</answer>", "[", "]]", "[[4]]", "4,", '[{"span":"a"},', "4", "<think>", "`", "True", " ", "ا"],
)
def test_a_long_reply_takes_time_that_grows_as_it_does(form, piece):
    """48 kB, and twice that: not four times as long, and never an answer made of repetitions."""
    taken = []
    for size in (48_000, 96_000):
        text = piece * (size // len(piece))
        began = time.process_time()
        for _each in range(3):
            assert read_text(text, form).value is None
        taken.append(time.process_time() - began)
    assert taken[1] < 12 * taken[0] + 0.2


@given(st.text(max_size=200), st.sampled_from(sorted(FORMS)))
def test_any_text_ends_in_a_state_and_an_answer_says_what_stands_there(text, form):
    outcome = read_text(text, form)
    assert outcome.state in ("scored", "malformed", "truncated", "refused")
    assert (outcome.value is None) == (outcome.state != "scored")
    if outcome.value is not None and form in (TAGS, WORD):
        assert outcome.value["answer"] in text


@given(st.integers(-9999, 9999))
def test_a_number_is_read_as_it_is_written_and_in_no_other_way(number):
    assert read_text(str(number), NUMBER).value == {"answer": number}
    for written in (
        f"{number}.",
        f" {number} points",
        f"{number}/5",
        f'"{number}"',
        f"{number:+d}" if number >= 0 else "x",
    ):
        assert read_text(written, NUMBER).value is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_that_a_judge_could_answer_with_by_repeating_it_is_found(before, after):
    """Whatever stands around it: where repeating a line or the whole would be an answer, nobody is asked."""
    for form, (good, _answer) in GOOD.items():
        shown = f"{before}\n{good}\n{after}"
        assert could_be_forged(shown, form)
    for text in (before, after):
        for form in FORMS:
            if read_text(text, form).value is not None and form != LIST:
                assert could_be_forged(text, form)
