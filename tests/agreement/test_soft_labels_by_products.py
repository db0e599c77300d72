"""The sums over characters come from pieces that nobody's span cuts, and are those of each pair of soft labels."""

import numpy as np
import pytest
import scipy

from agreement.distributions import soft_label_columns
from agreement.soft_labels import pieces, products
from agreement.spans import Spans


def drawn(generator, lengths, text_of_answer):
    """Up to three spans of each answer, some of which overlap, touch or are omissions; and what each marked."""
    rows, marked = [], [np.zeros(lengths[text]) for text in text_of_answer]
    for answer, text in enumerate(text_of_answer):
        for _span in range(int(generator.integers(0, 4))):
            start, end = sorted(generator.integers(0, lengths[text] + 1, 2).tolist())
            anchored = start < end and bool(generator.random() < 0.9)
            rows.append((text, start, end, anchored, answer))
            marked[answer][start : end if anchored else start] = 1
    generator.shuffle(rows)
    response, start, end, anchored, answer = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    return Spans(response, start, end, start, end, anchored.astype(bool), len(lengths)), answer, marked


@pytest.mark.parametrize("seed", range(8))
def test_sums_of_pieces_are_those_of_each_text(seed):
    """Two texts with three people and with two, each of them with a judge and with two judges as one share."""
    generator = np.random.default_rng(seed)
    lengths = generator.integers(1, 60, 2)
    person_text, judge_text = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1])
    places, answer, marked = drawn(generator, lengths, [0, 0, 0, 1, 1, 0, 0, 0, 1])
    shares = scipy.sparse.csr_array(
        (np.array([1, 0.5, 0.5, 1]), (np.array([0, 1, 1, 2]), np.array([5, 6, 7, 8]))), shape=(3, 9)
    )
    made = products(pieces(places, answer, 9), lengths, np.arange(5), person_text, shares, judge_text)
    said = [marked[5], (marked[6] + marked[7]) / 2, marked[8]]
    assert made.judge.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    assert made.person.tolist() == [0, 1, 2, 0, 1, 2, 3, 4]
    for judge, text in enumerate(judge_text):
        people = np.array([marked[one] for one in np.flatnonzero(person_text == text)])
        others = [(people.sum(axis=0) - own) / (len(people) - 1) for own in people]
        of_judge, of_person = (side[made.judge == judge] for side in (made.of_judge, made.of_person))
        assert made.of_all[judge] == pytest.approx(soft_label_columns([people.mean(axis=0)], [said[judge]])[0])
        assert of_judge == pytest.approx(soft_label_columns(others, [said[judge]] * len(people)))
        assert of_person == pytest.approx(soft_label_columns(others, list(people)))


def test_nobody_marked_anything():
    places = Spans(*(np.zeros(0, dtype=np.int64) for _ in range(5)), np.zeros(0, dtype=bool), 1)
    found = pieces(places, np.zeros(0, dtype=np.int64), 3)
    judges = scipy.sparse.csr_array((np.ones(1), ([0], [2])), shape=(1, 3))
    made = products(found, np.array([7]), np.array([0, 1]), np.array([0, 0]), judges, np.array([0]))
    assert made.of_all.tolist() == [[7, 0, 0, 0, 0, 0]]
    assert made.of_judge.tolist() == made.of_person.tolist() == [[7, 0, 0, 0, 0, 0]] * 2
