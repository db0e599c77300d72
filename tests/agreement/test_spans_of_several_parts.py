"""A span in several places is one span that covers the words of all its parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import characters, sentences, spans
from agreement.words import words

TEXT = "He gave the idea up at once. She did too."
#: Of each word, where it begins and ends.
PLACES = {
    word: (TEXT.index(word), TEXT.index(word) + len(word)) for word in ["He", "gave", "the", "idea", "up", "at", "once"]
}


def marked(*each: list[str]) -> spans.Spans:
    """Spans of words by their parts, each "word" or "word to word"."""
    parts = []
    for number, of_span in enumerate(each):
        for part in of_span:
            first, _, last = part.partition(" to ")
            parts.append((number, PLACES[first][0], PLACES[last or first][1]))
    heads = {}
    more = []
    for number, start, end in parts:
        if number in heads:
            more.append((number, start, end))
        else:
            heads[number] = (start, end)
    begins, ends = ([place[at] for place in heads.values()] for at in (0, 1))
    whose, starts, stops = zip(*more, strict=True) if more else ((), (), ())
    return spans.marked([words(TEXT)], [0] * len(heads), begins, ends, more=(whose, starts, stops))


GAVE_UP = ["gave", "up"]


@pytest.mark.parametrize(
    ("one", "other", "iou"),
    [
        (GAVE_UP, GAVE_UP, 1.0),
        (GAVE_UP, ["gave to up"], 2 / 4),  # gave, the, idea, up: two of the four
        (GAVE_UP, ["gave"], 1 / 2),
        (GAVE_UP, ["up"], 1 / 2),
        (GAVE_UP, ["up to once"], 1 / 4),  # of gave, up, at, once
        (GAVE_UP, ["gave", "at"], 1 / 3),
        (GAVE_UP, ["the to idea"], 0.0),  # between its parts there is nothing of it
    ],
)
def test_word_iou_is_that_of_the_union_of_parts(one, other, iou):
    assert spans.word_iou(marked(one), marked(other)) == pytest.approx([iou])
    assert spans.word_iou(marked(other), marked(one)) == pytest.approx([iou])
    found = spans.overlap(marked(one), marked(other))
    assert (found.best_predicted.tolist(), found.best_gold.tolist()) == ([pytest.approx(iou)], [pytest.approx(iou)])


def test_it_counts_as_one_and_matches_where_any_part_of_it_is_found_enough():
    counts = spans.match_counts(spans.overlap(marked(["up"], ["the"]), marked(GAVE_UP)))
    assert counts.tolist() == [[1, 2, 1, 1]]
    assert spans.one_to_one_counts(marked(["up"], ["gave"]), marked(GAVE_UP)).tolist() == [[1, 2, 1, 1]]


def test_characters_of_all_parts_are_covered_once():
    # "gave" and "up" are 6 characters, "gave the idea up" 16, and all of the first are in the second.
    counts = characters.character_counts(marked(GAVE_UP), marked(["gave to up"]))
    assert counts.tolist() == [[6, 6, 16]]
    assert characters.character_f1(counts[0]) == pytest.approx(12 / 22)
    # Of two marks on "up" it counts once.
    assert characters.character_counts(marked(GAVE_UP, ["up"]), marked(["up"])).tolist() == [[2, 6, 2]]


def test_a_sentence_is_touched_by_any_part():
    end = TEXT.index("too")
    both = spans.marked([words(TEXT)], [0], [0], [2], more=([0], [end], [end + 3]))
    alone = spans.marked([words(TEXT)], [0], [0], [2])
    assert sentences.sentence_counts(both, alone, [sentences.sentences(TEXT)]).tolist() == [[1, 1, 0, 0]]
    assert sentences.sentence_counts(alone, both, [sentences.sentences(TEXT)]).tolist() == [[1, 0, 1, 0]]


def test_two_stray_spaces_are_compared_by_their_characters():
    spaces = [at for at, letter in enumerate(TEXT) if letter == " "]
    both = spans.marked([words(TEXT)], [0], [spaces[0]], [spaces[0] + 1], more=([0], [spaces[2]], [spaces[2] + 1]))
    one = spans.marked([words(TEXT)], [0], [spaces[2]], [spaces[2] + 1])
    assert spans.word_iou(both, one) == pytest.approx([1 / 2])
    assert spans.word_iou(both, marked(["gave"])) == pytest.approx([0.0])


PARTS = st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True).map(sorted)
WORDS = list(PLACES)


@given(st.lists(PARTS, max_size=5), st.lists(PARTS, max_size=5), st.randoms())
def test_as_sets_of_words_and_taken_in_any_order(one, other, chance):
    """Each span is some words, each word a part of its own: the overlap is that of the sets."""
    mine, theirs = (marked(*[[WORDS[at] for at in span] for span in side]) for side in (one, other))
    found = spans.overlap(mine, theirs)
    for number, span in enumerate(one):
        ious = [len(set(span) & set(each)) / len(set(span) | set(each)) for each in other]
        assert found.best_predicted[number] == pytest.approx(max(ious, default=0))
    index = [chance.randrange(len(one)) for _ in range(4)] if one else []
    taken = mine.taken(np.array(index, dtype=np.int64))
    again = spans.overlap(taken, theirs)
    assert again.best_predicted == pytest.approx(found.best_predicted[index])
    mask = np.array([chance.random() < 0.5 for _ in one], dtype=bool)
    assert spans.overlap(mine.taken(mask), theirs).best_predicted == pytest.approx(found.best_predicted[mask])
