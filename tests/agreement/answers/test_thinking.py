"""What a model thought is taken off its answer, and said."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.answers.thinking import without_thinking

MAGISTRAL = ("[THINK]", "[/THINK]")


@pytest.mark.parametrize(
    ("text", "answer", "thinking"),
    [
        ("B", "B", "none"),
        ("<think>C</think> B", "B", "removed"),
        ("\n <THINK>\nC\n</Think>\n\nB\n", "B", "removed"),
        ("<thinking>C</thinking>B", "B", "removed"),
        ('<think effort="high">C</think>B', "B", "removed"),
        ("<think>C</thinking>B", "B", "removed"),
        ("<think>A</think><think>C</think>B", "B", "removed"),
        ("<think>C<think>D</think>E</think>B", "B", "removed"),
        # thinking that speaks of a tag closes nothing of its own
        ("<think>what is <think> for?</think>B", "B", "removed"),
        # the opening tag stood in the prompt
        ("It is C, or not.\n</think>\n\nB", "B", "removed"),
        ("<think></think></think>B", "B", "removed"),
        ("<think>C", "", "unclosed"),
        ("<think>C</thin", "", "unclosed"),
        ("<think>A</think><think>C", "", "unclosed"),
        ("<think>C</think>", "", "only thinking"),
        ("C</think>", "", "only thinking"),
        ("", "", "none"),
        # further down a tag is part of the answer
        ("B <think>C</think> D", "B <think>C</think> D", "none"),
        ("B: `</think>` ends it", "B: `</think>` ends it", "none"),
        ("<thinker>C</thinker> B", "<thinker>C</thinker> B", "none"),
    ],
)
def test_the_answer_is_what_follows_thinking(text, answer, thinking):
    read = without_thinking(text)
    assert (read.text, read.thinking) == (answer, thinking)


def test_reasoning_sent_apart_is_no_answer():
    assert without_thinking("", reasoning="So it is C.").thinking == "only thinking"
    read = without_thinking("B", reasoning="So it is C.")
    assert (read.text, read.thinking, read.words, read.characters) == ("B", "none", 4, 11)


def test_a_card_names_tags_of_its_own():
    assert without_thinking("[THINK]C[/THINK]B").text == "[THINK]C[/THINK]B"
    assert without_thinking("[think]C[/THINK]B", tags=[MAGISTRAL]).text == "B"
    assert without_thinking("<think>C</think>B", tags=[MAGISTRAL]).text == "B"
    channel = ("<|channel|>analysis<|message|>", "<|end|>")
    assert without_thinking("<|channel|>analysis<|message|>C<|end|>B", tags=[channel]).text == "B"


def test_what_was_removed_is_counted():
    read = without_thinking("<think>one two</think> <think>three</think> B")
    # 7 + 7 + 8, a space, 7 + 5 + 8, a space; "<think>one", "two</think>", "<think>three</think>"
    assert (read.blocks, read.characters, read.words) == (2, 44, 3)
    assert without_thinking("<think>one two").words == 2


@given(st.text(st.sampled_from("ab \n`<>/é\u0301😀ك"), max_size=30), st.text(st.sampled_from("ab \nك"), max_size=30))
def test_thinking_never_reaches_the_answer(thoughts, answer):
    thoughts, answer = thoughts.replace("<", ""), answer.strip()
    assert without_thinking(f"<think>{thoughts}</think>{answer}").text == answer
    assert without_thinking(answer).text == answer


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think>x</think>", "<", "<think ", "x</think>"])
def test_a_long_text_of_tags_is_read_in_a_moment(piece):
    text = piece * (48_000 // len(piece))
    began = time.process_time()
    without_thinking(text)
    assert time.process_time() - began < 1
