"""The reward of marked errors: a table worked out by hand, what nobody gains by, and the product's own matcher."""

import json
import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import spans
from agreement.words import words
from judging.training.reward import (
    MOST_MARKS,
    WORD,
    compute_score,
    mark_of,
    mark_reward,
    matched,
    overlap,
    reward_of_marks,
)

#: Twelve words; "rice" stands twice.
TEXT = "Koshari is rice with lentils eaten on feasts and rice is white"
DISH, EATEN, ALL = (0, 7), (29, 44), (0, len(TEXT))
HIGH = {"category": "customs", "criticality": "high"}


def gold(*places: tuple[int, int], **labels: str) -> str:
    return json.dumps({"errors": [{"places": [place], **labels} for place in places]})


def answer(*errors: dict | str, thinking: str = "<think>x</think>") -> str:
    said = [{"anchor": "words", "quote": each} if isinstance(each, str) else each for each in errors]
    return thinking + json.dumps({"errors": said})


NOTHING = answer()
EATEN_WORDS = TEXT[slice(*EATEN)]
# (answer, gold, reward)
CASES = {
    "nothing to find, nothing marked": (NOTHING, gold(), 1),
    "nothing to find, one mark": (answer("rice with"), gold(), 0),
    "nothing marked, one to find": (NOTHING, gold(DISH), 0),
    "the very words": (answer("Koshari", EATEN_WORDS), gold(DISH, EATEN), 1),
    "one of two": (answer("Koshari"), gold(DISH, EATEN), 2 * 1 / 3),
    "one right, one wrong": (answer("Koshari", "white"), gold(DISH), 2 * 1 / 3),
    # "eaten on" of "eaten on feasts": two of three words.
    "a part of the words": (answer("eaten on"), gold(EATEN), 2 * (2 / 3) / 2),
    # IoU 2 / 12, above the threshold: it is found, and earns a sixth.
    "one huge mark": (answer(TEXT), gold((0, 10)), 2 * (2 / 12) / 2),
    # IoU 1 / 12, which is none.
    "a mark too huge": (answer(TEXT), gold(DISH), 0),
    "every word a mark": (
        answer(*({"quote": word, "occurrence": 1} for word in TEXT.split())),
        gold(EATEN),
        2 * (1 / 3) / 13,
    ),
    "the same quote three times": (answer("Koshari", "Koshari", "Koshari"), gold(DISH), 2 * 1 / 4),
    "several marks on one error": (answer("eaten on", "on feasts"), gold(EATEN), 2 * (2 / 3) / 3),
    # Labels: 0.6 of the place, and 0.2 for each of the two.
    "both labels": (answer({"quote": "Koshari", **HIGH}), gold(DISH, **HIGH), 1),
    "one label": (answer({"quote": "Koshari", "criticality": "high"}), gold(DISH, **HIGH), 0.8),
    "no label": (answer("Koshari"), gold(DISH, **HIGH), 0.6),
    "a label that the gold has not": (answer({"quote": "Koshari", **HIGH}), gold(DISH), 1),
    "the only label of the gold": (answer("Koshari"), gold(DISH, criticality="high"), 0.6 / 0.8),
    # Quotes: letter by letter, and which of several is meant.
    "a quote that stands nowhere": (answer("Kosharee"), gold(DISH), -0.2),
    "one beside the right one": (answer("Koshari", "Kosharee"), gold(DISH), 2 * 1 / 3 - 0.2),
    "two of them are taken off once": (answer("Kosharee", "Ful"), gold(DISH), -0.2),
    "which of two is not said": (answer("rice"), gold((49, 53)), -0.2),
    "the second of two": (answer({"quote": "rice", "occurrence": 2}), gold((49, 53)), 1),
    "the first of two": (answer({"quote": "rice", "occurrence": 1}), gold((49, 53)), 0),
    "a third of two": (answer({"quote": "rice", "occurrence": 3}), gold((49, 53)), -0.2),
    "several places": (
        answer({"quote": "Koshari", "more": [{"quote": "white"}]}),
        json.dumps({"errors": [{"places": [[0, 7], [57, 62]]}]}),
        1,
    ),
    # Omissions are no marks of words.
    "an omission": (answer({"anchor": "response", "explanation": "No onions."}), gold(), 1),
    "omissions beside a mark": (answer("Koshari", *[{"anchor": "paragraph"}] * 9), gold(DISH), 1),
    # The form.
    "no reasoning": (answer("Koshari", thinking=""), gold(DISH), 1 - 0.2),
    "two reasonings": (answer("Koshari", thinking="<think>x</think>" * 2), gold(DISH), 1 - 0.2),
    "fenced": ("<think>x</think>\n```json\n" + answer("Koshari", thinking="") + "\n```", gold(DISH), 1),
    "words around": (answer("Koshari") + " That is all.", gold(DISH), -1),
    "only thought of": (f"<think>{answer('Koshari', thinking='')}</think>", gold(DISH), -1),
    "empty": ("", gold(), -1),
    "prose": ("<think>x</think>Nothing is wrong.", gold(), -1),
    "cut short": (answer("Koshari")[:-2], gold(DISH), -1),
    "a bare list": ("<think>x</think>[]", gold(), -1),
    "no list": ('<think>x</think>{"errors": {}}', gold(), -1),
    "errors that are texts": ('<think>x</think>{"errors": ["Koshari"]}', gold(DISH), -1),
    "a quote that is a number": (answer({"quote": 7}), gold(), -1),
    "an occurrence that is true": (answer({"quote": "rice", "occurrence": True}), gold(), -1),
    "an anchor of its own": (answer({"quote": "rice", "anchor": "line"}), gold(), -1),
    "words without a quote": (answer({"anchor": "words"}), gold(), -1),
    "a label that is a list": (answer({"quote": "Koshari", "category": []}), gold(DISH), -1),
    "more marks than are read": (answer(*["Koshari"] * (MOST_MARKS + 1)), gold(DISH), -1),
    "nested": ("<think>x</think>" + "[" * 24_000 + "]" * 24_000, gold(), -1),
    "nested in an error": ('<think>x</think>{"errors": [{"more": ' + "[" * 24_000 + "]" * 24_000 + "}]}", gold(), -1),
}


@pytest.mark.parametrize(("text", "truth", "earned"), CASES.values(), ids=CASES)
def test_the_reward_is_what_the_formula_says(text, truth, earned):
    assert reward_of_marks(text, TEXT, truth) == pytest.approx(earned)


def test_marking_everything_never_pays():
    """Of one error of three words: the whole, each word, each pair of words, and the very words beside all of these."""
    every = TEXT.split()
    each = [{"quote": word, "occurrence": 1} for word in every]
    pairs = [f"{one} {other}" for one, other in pairwise(every)]
    honest = reward_of_marks(answer(EATEN_WORDS), TEXT, gold(EATEN))
    for errors in ([TEXT], each, pairs, [TEXT, *each, *pairs], [EATEN_WORDS, *each, *pairs]):
        assert reward_of_marks(answer(*errors), TEXT, gold(EATEN)) < honest / 3


def test_long_answers_and_long_texts_take_no_long_time():
    """48 kB of reply: few quotes that stand everywhere, many that stand nowhere, and marks that all meet."""
    long, began = "a" * 20_000, time.monotonic()
    for errors in (
        [{"quote": "a" * 150, "occurrence": 100}] * 290,
        ["b" * 150] * 290,
        [{"quote": "a" * (100 + number), "occurrence": 1} for number in range(290)],
    ):
        assert -1 <= reward_of_marks(answer(*errors), long, gold((0, 100))) < 0.1
    text = " ".join(["ab"] * 200)
    whole = json.dumps({"errors": [{"places": [[0, len(text)]]}] * 60})
    assert reward_of_marks(answer(*[text] * 290), text, whole) == pytest.approx(2 * 60 / 350)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("rest", ["\nx", "\n" + answer("Koshari", thinking=""), "\n`" * 2 + "x"])
def test_a_model_that_writes_nothing_but_newlines_does_not_hold_up_the_training(rest):
    """A fence that is opened and never closed, and 48 kB of newlines behind it."""
    began = time.monotonic()
    assert reward_of_marks("<think>x</think>```" + "\n" * 48_000 + rest, TEXT, gold(DISH)) == -1
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("fence", ["```", "```json", "```json  ", "```\n\n"])
def test_a_fence_may_have_empty_lines_within(fence):
    text = f"<think>x</think>\n{fence}\n{answer('Koshari', thinking='')}\n\n  ```\n"
    assert reward_of_marks(text, TEXT, gold(DISH)) == 1


# --- Properties -----------------------------------------------------------------------------------------

LABEL = st.sampled_from(["", "high", "low"])


@st.composite
def marked(draw, most: int = 6):
    """A text of some words, and marks of it by place, with labels."""
    text = " ".join(draw(st.lists(st.sampled_from(["a", "bb", "ccc", "عيد", "\u2003"]), min_size=1, max_size=14)))
    at = st.integers(0, len(text))
    place = st.tuples(at, at).map(sorted).filter(lambda ends: ends[0] < ends[1])
    errors: Any = st.lists(
        st.builds(dict, places=st.lists(place, min_size=1, max_size=2), criticality=LABEL), max_size=most
    )
    return text, draw(errors), draw(errors)


def written(text: str, errors: list[dict]) -> str:
    """The answer that names these places."""

    def quoted(start: int, end: int) -> dict:
        quote = text[start:end]
        return {"quote": quote, "occurrence": sum(text.startswith(quote, at) for at in range(start + 1))}

    said = []
    for error in errors:
        first, *more = (quoted(*place) for place in error["places"])
        said.append({**first, "more": more, "criticality": error["criticality"]})
    return answer(*said)


@given(marked())
def test_the_gold_itself_earns_the_most_and_nothing_earns_more(case):
    text, errors, other = case
    truth = json.dumps({"errors": errors})
    assert reward_of_marks(written(text, errors), text, truth) == 1
    assert 0 <= reward_of_marks(written(text, other), text, truth) <= 1


@given(marked(), st.randoms())
def test_in_which_order_marks_are_named_changes_nothing(case, random):
    text, errors, other = case
    truth = json.dumps({"errors": errors})
    turned, mixed = random.sample(errors, len(errors)), random.sample(other, len(other))
    earned = reward_of_marks(written(text, other), text, truth)
    assert reward_of_marks(written(text, mixed), text, json.dumps({"errors": turned})) == pytest.approx(
        earned, abs=1e-8
    )


@given(marked(), st.integers(0, 3))
def test_a_wrong_mark_more_never_raises_it(case, at):
    """One that matches no error of the gold, or has no place."""
    text, errors, other = case
    text += " wrong"
    truth = json.dumps({"errors": errors})
    earned = reward_of_marks(written(text, other), text, truth)
    wrong = {"places": [[len(text) - 5, len(text)]], "criticality": "high"}
    assert reward_of_marks(written(text, [*other[:at], wrong, *other[at:]]), text, truth) <= earned
    said = json.loads(written(text, other).rpartition("</think>")[2])["errors"]
    assert reward_of_marks(answer(*said, "stands nowhere"), text, truth) <= earned


def columns(text: str, errors: list[dict]) -> spans.Spans:
    """The same marks as the product has them."""
    pieces, first = [words(text)], [error["places"][0] for error in errors]
    starts, ends = ([place[side] for place in first] for side in (0, 1))
    more = [(number, *place) for number, error in enumerate(errors) for place in error["places"][1:]]
    parts: Any = tuple(np.array(column, dtype=int) for column in zip(*more, strict=True)) if more else None
    return spans.marked(pieces, np.zeros(len(errors), dtype=int), starts, ends, more=parts)


@given(marked())
def test_it_matches_as_the_figures_do(case):
    """The same overlaps, as many pairs, and the same sum of IoU as the one-to-one matching of `agreement/spans.py`."""
    text, errors, other = case
    plain = [match.span() for match in WORD.finditer(text)]
    mine, theirs = ([mark_of(each["places"], plain, {}) for each in side] for side in (other, errors))
    predicted, truth = columns(text, other), columns(text, errors)
    for number, mark in enumerate(mine):
        for at, error in enumerate(theirs):
            iou = spans.word_iou(predicted.taken([number]), truth.taken([at]))[0]
            assert overlap(mark, error) == pytest.approx(iou)
    pairs = matched(mine, theirs)
    own, _other, iou = spans.assignment(predicted, truth)
    assert len(pairs) == len(own)
    assert sum(worth for _mark, _error, worth in pairs) == pytest.approx(iou.sum())


def test_words_of_a_script_without_spaces_come_with_the_gold():
    """Eight characters of Japanese, of which the gold has two and the mark three."""
    text = "お正月に餅を食べ"
    pieces = words(text, "uax29")
    cut = list(zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True))
    truth = {"words": cut, "errors": [{"places": [[4, 6]]}]}
    assert reward_of_marks(answer("に餅を"), text, truth) == pytest.approx(2 / 3)
    assert reward_of_marks(answer("に餅を"), text, {"errors": truth["errors"]}) == 1, (
        "without them the text is one word"
    )


# --- The two trainers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("is_conversation", [True, False])
def test_trl_calls_it_with_columns_by_name(is_conversation):
    texts = [answer("Koshari"), NOTHING, ""]
    completions = [[{"role": "assistant", "content": text}] for text in texts] if is_conversation else texts
    rewards = mark_reward(
        prompts=[[{"role": "user", "content": "?"}]] * 3,
        completions=completions,
        completion_ids=[[1], [2], [3]],
        trainer_state=object(),
        response_text=[TEXT] * 3,
        gold=[gold(DISH)] * 3,
        template=["t1", "t2", "t3"],
    )
    assert rewards == [1.0, 0.0, -1.0]
    assert all(isinstance(each, float) for each in rewards)
    with pytest.raises(ValueError):
        mark_reward([], texts, response_text=[TEXT], gold=[gold()])


def test_verl_tells_marks_from_pairs_by_their_source():
    truth = {"response_text": TEXT, "gold": gold(DISH)}
    assert compute_score("mizan/feasts/marks", answer("Koshari"), truth, extra_info={"index": 1}) == 1
    of_pair = "<think>x</think><grade_a>4</grade_a><grade_b>2</grade_b>"
    assert compute_score("mizan/feasts", of_pair, {"gold_a": 4, "gold_b": 2}) == 3
