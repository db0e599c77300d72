"""Whatever a reply is made of, it is read or refused in time that grows as it does: never by waiting, never as empty.

Times are CPU times of this run, over that of reading a well-formed answer of 400,000 characters in this run.
"""

import json
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.engine import mending, parsing
from judging.engine.parsing import MAX_CHARACTERS, read_text
from judging.engine.refusals import is_refusal
from judging.kinds import Material
from judging.kinds.spans.kind import Spans, schema
from judging.kinds.spans.searching import WHOLE
from judging.models import ANSWERED
from judging.prompts import PromptText
from speed import reading_bench
from tests.judging.long_replies import (
    AROUND,
    ATOMS,
    ERROR,
    LENGTHS,
    TICKET,
    good_answer,
    reply_of,
    seconds,
)
from tests.judging.test_what_a_reply_says import outcome
from tests.preset_parts import words_of

MAX_TIMES = 6
PROMPT = PromptText("spans/response", "v1", {}, schema([], words_of("spans")))


@cache
def of_a_good_answer() -> float:
    return seconds(read_text, good_answer())


def is_soon_read(text: str) -> bool:
    """A machine may be half as fast a moment later: both are measured anew, one after the other."""
    return any(seconds(read_text, text) <= MAX_TIMES * seconds(read_text, good_answer()) for _time in range(20))


@pytest.mark.parametrize("atom", ATOMS, ids=[ascii(atom[:12]) for atom in ATOMS])
def test_no_shape_takes_many_times_as_long_as_a_good_answer(atom):
    for around in AROUND:
        for length in LENGTHS:
            text = reply_of([atom], around, length)
            began = time.thread_time()
            read_text(text)
            if time.thread_time() - began > MAX_TIMES * of_a_good_answer():
                assert is_soon_read(text), (around, length)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(ATOMS) | st.text(max_size=4), min_size=1, max_size=6).filter(any),
    st.sampled_from(AROUND),
    st.sampled_from(LENGTHS),
)
def test_no_mixture_does(atoms, around, length):
    assert is_soon_read(reply_of(atoms, around, length))


@pytest.mark.parametrize("atom", ["'a\\", '"', "'", "“", "{", '"\\"', "[[]]", "\u0301\u0315", "it's ", "'a':'b',"])
def test_twice_the_length_takes_about_twice_the_time(atom):
    short, long = (reply_of([atom], ("{", "}"), length) for length in (MAX_CHARACTERS // 2, MAX_CHARACTERS))
    # Below a tenth of a good answer's time there is nothing but noise to compare.
    least = of_a_good_answer() / 10
    assert any(seconds(read_text, long) <= 2.5 * max(seconds(read_text, short), least) for _time in range(20))


def test_the_reply_that_held_up_a_worker_says_why_it_was_not_read():
    read = read_text("{" + "'a\\" * 14_000 + "}")
    assert (read.state, read.value, read.problem) == ("malformed", None, "not_json")
    read = read_text("{" + "a 'b' " * 10_000 + "}")
    assert (read.state, read.value, read.problem) == ("malformed", None, "reply_too_complex")


@pytest.mark.parametrize("n", [0, 1, 40, 250])
def test_a_long_answer_that_is_nearly_json_is_mended(n):
    """Within the bounds, length alone refuses nothing."""
    answer = {"ticket": TICKET, "errors": [{**ERROR, "quote": f"in {number}"} for number in range(n)]}
    written = json.dumps(answer)
    for text in (written[:-1] + ",}", written.replace('"', "'"), written.replace("]", ",\n]") if n else written):
        read = read_text(text)
        assert read.state in ANSWERED
        assert read.value == answer


@pytest.mark.parametrize("left_out", ["[,]", "[{},,]", "{,}", '[{"a":,}]'])
def test_a_comma_behind_nothing_is_not_dropped(left_out):
    assert mending.made_regular(left_out) is None


@given(st.text(alphabet="\"'“”\\a{}[],: ", max_size=60))
def test_strings_are_left_out_as_if_each_mark_was_tried_by_itself(piece):
    """Or what remains holds a sign by which the text is refused in either way."""
    by_itself = mending.re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|“[^”]*”', mending.re.DOTALL)
    bare = mending.without_strings(piece)
    slow = by_itself.sub('""', piece)
    assert bare == slow or (mending.FOREIGN.search(bare) and mending.FOREIGN.search(slow))


@given(st.text(alphabet='"\\a{}[] ', max_size=40))
def test_objects_are_those_that_counting_brackets_one_by_one_gives(text):
    assert parsing.objects_in(text) == counted_one_by_one(text)


def counted_one_by_one(text: str) -> tuple[list[str], bool]:
    pieces: list[str] = []
    stack: list[str] = []
    start, in_string, escaped = 0, False, False
    for position, character in enumerate(text):
        if in_string:
            in_string = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif not stack:
            if character == "{":
                stack, start = ["{"], position
        elif character == '"':
            in_string = True
        elif character in "{[":
            stack.append(character)
        elif character in "}]":
            if stack.pop() + character not in ("{}", "[]"):
                return pieces, True
            if not stack:
                pieces.append(text[start : position + 1])
    return pieces, bool(stack)


# --- Quotes in long texts --------------------------------------------------------------------------------------


def reading(text: str, quotes: list[str], occurrence: int | None = None) -> dict:
    errors = [{**ERROR, "quote": quote, "occurrence": occurrence} for quote in quotes]
    value = {"ticket": TICKET, "errors": errors}
    return Spans().read(value, PROMPT, Material("?", text, "English"), WHOLE, TICKET)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("a" * 20_000, ["a" * (1000 + n) for n in range(300)]),
        ("a" * 20_000, ["a" * (n % 90) + "b" for n in range(300)]),
        ("ab" * 10_000, ["ab " * (1 + n) for n in range(300)]),
        ("The fair opens in May. " * 17_000, [f"in June {n}" for n in range(300)]),
        ("ا\u0301\u0315" * 10_000, ["ا" + "\u0315\u0301" * (1500 + n) for n in range(300)]),
    ],
    ids=["everywhere", "almost everywhere", "spaces between", "nowhere", "marks"],
)
def test_many_quotes_of_a_long_text_are_located_within_bounds(text, quotes):
    read = reading(text, quotes)
    assert not read["spans"]
    assert len(read["unlocatable"]) == 300
    assert seconds(reading, text, quotes) <= 2 * MAX_TIMES * of_a_good_answer()


def test_a_quote_that_was_not_looked_for_says_so():
    read = reading("The fair opens in May. " * 17_000, ["opens in May"] + [f"in June {n}" for n in range(40)])
    assert {span["reason"] for span in read["unlocatable"]} >= {"quote_ambiguous", "quote_not_searched"}


def test_usual_quotes_of_a_usual_text_are_all_looked_for():
    text = " ".join(f"On day {n} the fair shows its {n}th dish." for n in range(600))
    quotes = [f"day {n}  the" for n in range(300)]
    assert len(reading(text, quotes)["spans"]) == 300


def test_a_refusal_under_a_hundred_thousand_marks_is_none():
    assert not is_refusal("I'm sorry, I cannot help." + "\u0301\u0315" * 100_000)
    assert outcome("I'm sorry, I cannot help." + "\u200b" * 500).state == "refused"


def test_the_bench_prints_the_longest_of_them_beside_its_bar(capsys, monkeypatch):
    """Of all shapes, in all their places and lengths; here of two atoms."""
    monkeypatch.setattr(reading_bench, "ATOMS", ["{", '{"a":1},'])
    reading_bench.main()
    row = capsys.readouterr().out
    assert f"worst of {2 * len(AROUND) * len(LENGTHS)} replies" in row
    assert row.rstrip().endswith(" 50 ms")
