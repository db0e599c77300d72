"""Is this sentence erroneous? Sentence by sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import sentences, spans
from agreement.words import words


def pieces_of(text):
    found = sentences.sentences(text)
    return [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('She said "Hi." Then 3.14! Yes?', ['She said "Hi."', "Then 3.14!", "Yes?"]),
        ("هل هذا صحيح؟ نعم. شكرا", ["هل هذا صحيح؟", "نعم.", "شكرا"]),
        ("এটি ভুল। ওটি ঠিক।", ["এটি ভুল।", "ওটি ঠিক।"]),
        ("这是对的。那是错的！", ["这是对的。", "那是错的！"]),
        ("(One.) Two...\nthree\n\n four", ["(One.)", "Two...", "three", "four"]),
        (" \n ", []),
        ("", []),
    ],
)
def test_sentences_of_many_scripts(text, expected):
    assert pieces_of(text) == expected


@given(st.text(alphabet=st.sampled_from('ab .!?\n"。)؟।'), max_size=30))
def test_sentences_lose_nothing_but_spaces(text):
    assert "".join("".join(pieces_of(text)).split()) == "".join(text.split())


@given(st.lists(st.text(alphabet=st.sampled_from('ab .!?\n\r"。)؟।'), max_size=12), max_size=5), st.integers(1, 9))
def test_texts_cut_together_have_the_sentences_of_each(texts, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement.words._CHARACTERS_AT_ONCE", at_once)
        found = sentences.sentences_in(texts)
    for number, text in enumerate(texts):
        one, alone = found.of(number), sentences.sentences(text)
        assert (one.starts.tolist(), one.ends.tolist()) == (alone.starts.tolist(), alone.ends.tolist())


def test_a_sentence_ends_with_its_text_whatever_the_next_begins_with():
    found = sentences.sentences_in(["One. Two\n", "\n) three", "", ". four"])
    assert [len(found.of(number)) for number in range(4)] == [2, 1, 0, 2]


TEXT = "One a. Two b. Three c. Four d."
#       sentences at 0-6, 7-13, 14-22, 23-30


def marked(*at):
    return spans.marked([words(TEXT)], [0] * len(at), [start for start, _ in at], [end for _, end in at])


def test_a_sentence_counts_once_however_many_spans_touch_it():
    # gold: sentence 0 twice, and one span over sentences 1 and 2; predicted: sentence 1 and 3
    gold, predicted = marked((0, 3), (4, 5), (11, 16)), marked((7, 10), (23, 27))
    counts = sentences.sentence_counts(predicted, gold, [sentences.sentences(TEXT)])
    assert counts.tolist() == [[1, 1, 2, 0]]
    assert sentences.figure(counts, sentences.accuracy).value == pytest.approx(1 / 4)
    assert sentences.figure(counts, sentences.precision).value == pytest.approx(1 / 2)
    assert sentences.figure(counts, sentences.recall).value == pytest.approx(1 / 3)
    assert sentences.figure(counts, sentences.f1).value == pytest.approx(2 * 1 / (2 * 1 + 1 + 2))


def test_recall_by_category():
    gold, predicted = marked((0, 3), (4, 5), (11, 16)), marked((7, 10), (23, 27))
    counts = sentences.sentence_class_counts(predicted, gold, [sentences.sentences(TEXT)], [0, 1, 1], 2)
    assert counts.tolist() == [[[0, 1], [1, 3]]]


def test_omissions_touch_no_sentence():
    omission = spans.marked([words(TEXT)], [0], [0], [6], omission=[True])
    counts = sentences.sentence_counts(omission, marked(), [sentences.sentences(TEXT)])
    assert counts.tolist() == [[0, 0, 0, 4]]


@pytest.mark.parametrize(
    ("counts", "statistic", "reason"),
    [
        ([0, 0, 0, 0], sentences.accuracy, "no items"),
        ([0, 0, 2, 1], sentences.precision, "no predicted sentences"),
        ([0, 0, 2, 1], sentences.f1, "no predicted sentences"),
        ([0, 2, 0, 1], sentences.recall, "no erroneous sentences"),
        ([0, 2, 0, 1], sentences.f1, "no erroneous sentences"),
        ([0, 0, 0, 1], sentences.recall, "no erroneous sentences"),
    ],
)
def test_what_cannot_be_said_has_its_reason(counts, statistic, reason):
    assert sentences.figure([counts], statistic).undefined == reason
