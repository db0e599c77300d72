"""A prompt of a project's own is asked only where variables, marks and the form of the answer are whole."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.kinds import judge_kinds
from judging.prompts import VARIABLE, fill
from judging.prompts.checking import MARKED, OPTIONAL, Rule, problems_of_part, tidied
from judging.prompts.comparing import compare
from judging.prompts.shipped import shipped

KINDS = (
    *("spans", "sentences", "rubric", "pointwise", "pairwise"),
    *("groups", "categories", "refinement", "same_issue", "reference", "editing", "questionnaire"),
)
PARTS = [(kind, part) for kind in KINDS for part in shipped(kind, "v1")]
QUESTION = shipped("pointwise", "v1")["question"]


def codes(text: str, english: str = QUESTION) -> set[str]:
    return {problem.code for problem in problems_of_part("question", text, english)}


def test_every_kind_is_looked_at():
    assert set(KINDS) == set(judge_kinds())


@pytest.mark.parametrize(("kind", "part"), PARTS)
def test_the_shipped_parts_are_in_order(kind, part):
    text = shipped(kind, "v1")[part]
    assert problems_of_part(part, text, text) == []


def test_other_words_around_the_same_variables_are_a_prompt():
    assert codes(QUESTION.replace("The question that was asked", "السؤال الذي طُرح")) == set()


def test_a_variable_that_is_missing_is_named():
    [problem] = problems_of_part("system", "Rate it. {{how_to_use_examples}}", "{{aspect}} {{how_to_use_examples}}")
    assert (problem.code, problem.line) == ("variable_missing", 0)
    assert "{{aspect}}" in problem.message


def test_a_variable_that_nobody_fills_is_found_where_it_stands():
    text = QUESTION.replace("The answer to rate.", "The answer to rate,\nby {{author}}.")
    [problem] = problems_of_part("question", text, QUESTION)
    line = text[: text.index("{{author}}")].count("\n") + 1
    assert (problem.code, problem.line, problem.column) == ("unknown_variable", line, 4)


def test_language_may_be_left_out():
    assert problems_of_part("system", "Grade. {{aspect}}", "Grade {{language}}. {{aspect}}") == []


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        ("{{response}", "not_a_variable"),
        ("{response}}", "brace_closes"),
        ("{{ response }}", "not_a_variable"),
        ("{{Response}}", "not_a_variable"),
        ("{response}", "single_braces"),
        ("{{response", "not_a_variable"),
    ],
)
def test_braces_are_balanced(slip, code):
    assert code in codes(QUESTION.replace("{{response}}", slip))


def test_json_with_braces_of_its_own_is_left_alone():
    english = 'Answer: {"errors": [{"quote": "..."{{category_field}}}]}'
    assert problems_of_part("system", english, english) == []
    nested = 'Answer: {"errors": [{"quote": "..."{{category_field}}, "at": {"start": {"line": 1}}}]}'
    assert problems_of_part("system", nested, english) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<<<answer {{nonce}}>>>\n", ""),
        lambda text: text.replace("<<<end of answer {{nonce}}>>>", ""),
        lambda text: text.replace("<<<answer {{nonce}}>>>", "<<<answer>>>"),
        lambda text: text.replace("<<<answer {{nonce}}>>>", "<<<answer 123>>>"),
        lambda text: text.replace("<<<end of answer {{nonce}}>>>", "<<<end of answer 123>>>"),
        lambda text: text.replace("answer {{nonce}}>>>", "reply {{nonce}}>>>"),
        lambda text: text.replace("{{response}}", "Mind: {{response}}"),
        lambda text: text.replace("{{response}}", "{{response}}\nEnd."),
        lambda text: text.replace("{{response}}", "{{prompt}}"),
        lambda text: text + "\nOnce more: {{response}}",
        lambda text: text.replace("<<<answer {{nonce}}>>>\n", "<<<answer {{nonce}}>>> "),
        lambda text: text.replace("{{examples}}", "<<<note {{nonce}}>>>\n{{examples}}\n<<<end of note {{nonce}}>>>\n"),
    ],
)
def test_the_marks_around_what_others_wrote_stay_whole(change):
    changed = change(QUESTION)
    assert changed != QUESTION
    assert codes(changed)


def test_the_form_of_the_answer_stays():
    english = shipped("rubric", "v1")["system"]
    assert codes(english.replace('"verdict"', '"opinion"'), english) == {"form_word_missing"}
    assert codes(english.replace('"NO_ERROR"', "NO_ERROR"), english) == {"form_word_missing"}


def test_an_empty_part_is_no_part():
    assert codes(" \n") == {"empty"}


def test_line_ends_and_empty_lines_around_are_as_the_parts_are_put_together():
    program = shipped("rubric", "v1")["program"]
    assert tidied(program.strip("\n").replace("\n", "\r\n") + "\r\n\r\n\r\n\r\n", program) == program
    assert tidied(QUESTION.strip(), QUESTION) == QUESTION


whole_text = st.sampled_from(PARTS)


@given(whole_text, st.data())
def test_whatever_is_cut_out_of_a_variable_or_a_mark_is_noticed(which, data):
    """No single character of a must-have variable, or of a line of marks, can go without a problem being told."""
    kind, part = which
    text = shipped(kind, "v1")[part]
    rule = Rule.of(text)
    inside = [at for m in VARIABLE.finditer(text) if m[1] not in OPTIONAL for at in range(m.start(), m.end())]
    inside += [at for m in re.finditer(r"<<<.*?>>>", text) for at in range(m.start(), m.end())]
    if not inside:
        assert not rule.required
        return
    at = data.draw(st.sampled_from(sorted(set(inside))))
    assert problems_of_part(part, text[:at] + text[at + 1 :], text)


@given(whole_text, st.data())
def test_a_prompt_without_problems_has_no_hole_and_no_text_outside_its_marks(which, data):
    """Any line may be put in, taken out or doubled: what passes fills without a hole and keeps what others wrote in."""
    kind, part = which
    text = shipped(kind, "v1")[part]
    lines = text.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.sampled_from(lines) | st.text(st.sampled_from('ab {}<>\n"'), max_size=12))
    edit = data.draw(st.sampled_from(["insert", "remove", "replace"]))
    changed = "\n".join([*lines[:at], *([other] if edit != "remove" else []), *lines[at + (edit != "insert") :]])
    if problems_of_part(part, changed, text):
        return
    rule = Rule.of(text)
    assert "{{" not in fill(changed, dict.fromkeys(rule.allowed, "value"))
    outside = MARKED.sub("", changed)
    assert not set(VARIABLE.findall(outside)) & set(rule.marked)
    assert "<<<" not in outside


lines = st.lists(st.text(st.sampled_from("ab c\n"), max_size=12) | st.sampled_from(QUESTION.split("\n")), max_size=8)


@given(lines, lines)
def test_both_texts_can_be_read_off_what_differs(before, after):
    """What is the same and what was removed is the first text, what is the same and what was added the second."""
    one, other = "\n".join(before), "\n".join(after)
    found = compare(one, other)
    assert [line.text for line in found if line.change != "added"] == one.splitlines()
    assert [line.text for line in found if line.change != "removed"] == other.splitlines()
    assert all(piece.change in ("same", line.change) for line in found for piece in line.pieces)
