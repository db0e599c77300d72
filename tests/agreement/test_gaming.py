"""Answers made for the judge are flagged; honest ones, also weak ones, are not."""

import gzip
import json
from collections import defaultdict

import numpy as np
import pytest

from agreement.gaming import (
    empty_scored,
    near_duplicate_pairs,
    near_duplicates,
    one_text,
    options_repeated,
    padding,
    signatures,
)
from tests.real_data import published

LETTERS = np.array(list("abcdefghijklmnop"))


def prose(generator, words=60):
    return " ".join("".join(generator.choice(LETTERS, 6)) for _ in range(words))


def honest(seed=1, n=60):
    generator = np.random.default_rng(seed)
    return {question: prose(generator) for question in range(n)}


def test_one_text_for_many_questions():
    answers = honest()
    attack = prose(np.random.default_rng(9))
    assert not one_text(answers).detail["is_flagged"]
    figure = one_text({**answers, **dict.fromkeys(range(10), attack)})
    assert (figure.value, figure.n, figure.detail["is_flagged"]) == (10 / 60, 60, True)
    assert figure.detail["questions"] == list(range(10))
    assert not one_text({**answers, **dict.fromkeys(range(4), attack)}).detail["is_flagged"]
    assert not one_text({**answers, **dict.fromkeys(range(10), attack)}, refused=range(10)).detail["is_flagged"]


def test_changes_here_and_there_do_not_hide_it():
    attack = prose(np.random.default_rng(9)).split()
    varied = {
        question: " ".join([f"word{question}", *attack[:30], str(question), *attack[30:]]) for question in range(10)
    }
    assert one_text({**honest(), **varied}).value == 10 / 60


def test_short_answers_are_rightly_alike():
    assert not one_text({**honest(), **dict.fromkeys(range(50), "الإجابة: ب")}).detail["is_flagged"]


def test_padding():
    answers = honest()
    assert not padding(answers).detail["is_flagged"]
    looped = dict.fromkeys(range(6), "this is a very good and helpful answer " * 20)
    figure = padding({**answers, **looped})
    assert (figure.value, figure.detail["is_flagged"], figure.detail["questions"]) == (0.1, True, list(range(6)))
    blank = {question: answers[question] + "\u200b \n" * 200 for question in range(6)}
    assert padding({**answers, **blank}).detail["is_flagged"]
    assert not padding({**answers, **dict(list(looped.items())[:4])}).detail["is_flagged"]


def test_options_repeated():
    options = {question: ["القاهرة", "الرياض", "بغداد", "تونس"] for question in range(20)}
    lists = dict.fromkeys(range(20), "أ. القاهرة\nب. الرياض\nج. بغداد\nد. تونس")
    # of four lines the last three are read
    assert options_repeated(lists, options).value == 0
    in_a_line = dict.fromkeys(range(20), "القاهرة، الرياض، بغداد، تونس")
    figure = options_repeated(in_a_line, options)
    assert (figure.value, figure.n, figure.detail["is_flagged"]) == (1, 20, True)
    explained = dict.fromkeys(
        range(20),
        "القاهرة عاصمة مصر وليست المطلوبة، والرياض، أي الرياض، في السعودية، وبغداد ليست بغداد المقصودة، تونس هي",
    )
    assert options_repeated(explained, options).value == 0
    assert options_repeated(dict.fromkeys(range(20), "تونس"), options).value == 0
    assert options_repeated({0: "yes, no"}, {0: ["yes", "no"]}).undefined == "no items"


def test_near_duplicates_across_entries():
    first, other = honest(1), honest(2)
    copied = {question: text + " indeed" for question, text in first.items()}
    entries = {name: signatures(list(texts.values())) for name, texts in (("a", first), ("b", other), ("c", copied))}
    assert list(near_duplicate_pairs(entries)) == [("a", "c")]
    assert near_duplicates(entries["a"], entries["c"]).value > 0.95
    assert near_duplicates(entries["a"], entries["b"]).value == 0
    right = near_duplicates(entries["a"], entries["c"], reference=entries["a"])
    assert right.n <= 3, "where there is one right text, two that give it are no copies"
    with pytest.raises(ValueError, match="same questions"):
        near_duplicates(entries["a"], entries["a"][:3])


def test_a_signature_resembles_as_texts_do():
    generator = np.random.default_rng(3)
    words = prose(generator, 400).split()
    texts = [" ".join(words[:300]), " ".join(words[100:])]
    a, b = signatures(texts)
    assert (a == b).mean() == pytest.approx(196 / 396, abs=0.2)
    assert (signatures(texts) == signatures(texts)).all()
    short = signatures(["ب", None, ""])
    assert near_duplicates(short, short).undefined == "no items"


def test_empty_answers_that_were_scored():
    figure = empty_scored({1: "", 2: " \u200f\n", 3: "x", 4: ""}, scored={1, 2, 3})
    assert (figure.value, figure.n, figure.detail["is_noted"]) == (2, 3, True)
    assert figure.detail["questions"] == [1, 2]
    assert not empty_scored({3: "x"}, {3}).detail["is_noted"]
    assert empty_scored({}, []).undefined == one_text({}).undefined == padding({1: ""}).undefined == "no items"


@pytest.mark.real_data
def test_on_a_published_board_one_model_is_flagged_and_no_other():
    by_model = defaultdict(dict)
    with gzip.open(published("alpaca_eval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for output in map(json.loads, lines):
            by_model[output["model"]][output["question"]] = output["output"]
    flagged = {
        (name, figure.detail["flag"])
        for name, answers in by_model.items()
        for figure in (one_text(answers), padding(answers))
        if figure.detail["is_flagged"]
    }
    assert flagged == {("NullModel", "one text")}
    assert one_text(by_model["NullModel"]).value == 1
    questions = list(by_model["NullModel"])
    entries = {
        name: signatures([answers.get(question) for question in questions]) for name, answers in by_model.items()
    }
    assert near_duplicate_pairs(entries) == {}
    notes = {name: empty_scored(answers, answers).value for name, answers in by_model.items()}
    assert {name: count for name, count in notes.items() if count} == {"gemma-2b-it": 22}
