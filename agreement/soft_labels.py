"""Sums over the characters of texts, of who marked them, without a look at any single character.

All characters between two neighbouring edges of a text's spans were marked by the same answers. So an answer is a row
of such pieces, and a sum over characters is one over pieces, each as often as it is long.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from agreement.numbering import distinct
from agreement.spans import Spans

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pieces:
    """marked   whether each answer marked each piece, 1 or nothing, a sparse array of shape (A, P).
    lengths     of the pieces in characters, shape (P,). A piece lies in one text.
    """

    marked: Any
    lengths: Floats


def pieces(places: Spans, answer: Integers, n_answers: int) -> Pieces:
    """What answers marked; answer  whose each span is, shape (S,), in [0, n_answers). Omissions mark nothing."""
    kept = places.anchored
    own, text = answer[kept], places.response[kept]
    width = int(places.end.max(initial=0)) + 1
    start, end = text * width + places.start[kept], text * width + places.end[kept]
    edges = distinct(np.append(start, end))
    first = np.searchsorted(edges, start)
    many = np.searchsorted(edges, end) - first
    piece = np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
    once = distinct(np.repeat(own, many) * max(1, len(edges)) + piece)
    row, column = np.divmod(once, max(1, len(edges)))
    shape = (n_answers, len(edges))
    marked = scipy.sparse.csr_array((np.ones(len(once)), (row, column)), shape=shape)
    return Pieces(marked, np.diff(edges, append=edges[-1:]).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Products:
    """Columns as `distributions.soft_label_columns`: the share of people who marked a character, against what another
    side did.

    of_all     all people of a text against each judge's share, shape (J, 6).
    judge      which judge, and person  which person of its text, each row of the following is of, shape (M,): judge by
               judge, and of one the people in their order.
    of_judge   the text's other people against the judge's share, of_person  against the person left out, shape (M, 6).
    """

    of_all: Floats
    judge: Integers
    person: Integers
    of_judge: Floats
    of_person: Floats


def products(
    found: Pieces, lengths: Integers, person: Integers, person_text: Integers, judges: Any, judge_text: Integers
) -> Products:
    """The sums of texts that people and judges marked.

    found        of all answers.
    lengths      of the texts in characters, shape (T,).
    person       the answers of people, shape (N,), two or more to a text; person_text  the text of each, ascending.
    judges       what each judge's share of a text is made of: weights of answers, a sparse array of shape (J, A).
                 judge_text  the text of each, shape (J,), one that people answered.
    """
    weight = found.lengths
    of_people, of_judges = found.marked[person], judges @ found.marked
    marked_by = of_people.sum(axis=0)  # how many people marked each piece
    n = np.bincount(person_text, minlength=len(lengths))
    ones, with_all = of_people @ weight, of_people @ (weight * marked_by)
    all_ones, everybody = (np.bincount(person_text, column, minlength=len(lengths)) for column in (ones, with_all))
    sums, squares = of_judges @ weight, of_judges.power(2) @ weight
    with_people = of_judges @ (weight * marked_by)
    count, text = n[judge_text], judge_text
    columns = (lengths[text], all_ones[text] / count, sums, everybody[text] / count**2, squares, with_people / count)
    of_all = np.column_stack(columns)

    judge = np.repeat(np.arange(len(judge_text)), count)
    first = (np.cumsum(n) - n)[judge_text]
    begin = np.cumsum(count) - count
    row = np.arange(len(judge)) + np.repeat(first - begin, count)
    both = (of_judges.multiply(weight[None, :]) @ of_people.T).tocoo()
    across = np.zeros(len(judge))
    across[(begin - first)[both.coords[0]] + both.coords[1]] = both.data
    text, rest = person_text[row], (n - 1)[person_text[row]]
    own, beside = ones[row], with_all[row]
    others = (all_ones[text] - own) / rest, (everybody[text] - 2 * beside + own) / rest**2
    of_judge = (lengths[text], others[0], sums[judge], others[1], squares[judge], (with_people[judge] - across) / rest)
    of_person = (lengths[text], others[0], own, others[1], own, (beside - own) / rest)
    return Products(of_all, judge, person[row], np.column_stack(of_judge), np.column_stack(of_person))
