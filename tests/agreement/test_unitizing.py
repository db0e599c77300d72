"""Krippendorff's alpha for unitizing: where are errors at all?"""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agreement.parts import stretches
from agreement.spans import marked
from agreement.unitizing import unitizing_alpha
from agreement.words import words


def test_three_raters_by_hand():
    # 60 characters. A: 1-5; B: 1-5, 9-20; C: 1-5, 14-20. Units 4 + 4 + 11 + 4 + 6 = 29, gaps 180 - 29 = 151.
    # One of three sees a unit on 9-14: 5 * 2 * 1 * 2 / 2 = 10; two of three on 14-20: 6 * 2 * 2 * 1 / 2 = 12.
    # Expected: 180 * 2 * 29 * 151 / (180^2 - (3 * 4^2 + 11^2 + 6^2) - 151) = 1576440 / 32044.
    figure = unitizing_alpha([60], [0, 0, 0], [0, 1, 1, 2, 2], [1, 1, 9, 1, 14], [5, 5, 20, 5, 20])
    assert figure.value == pytest.approx(1 - 22 / (1576440 / 32044))
    assert figure.n == 3


def naive(length, raters):
    """The formulas of the paper with loops over raters and segments."""
    m = len(raters)

    def segments(units):
        found, cursor = [], 0
        for start, end in [*units, (length, length)]:
            if start > cursor:
                found.append((cursor, start, 0))
            if end > start:
                found.append((start, end, 1))
            cursor = end
        return found

    cut = [segments(units) for units in raters]
    observed = [[0.0, 0.0], [0.0, 0.0]]
    for i, one in enumerate(cut):
        for j, other in enumerate(cut):
            if i != j:
                for a, b, c in one:
                    for x, y, k in other:
                        observed[c][k] += max(0, min(b, y) - max(a, x)) / (m - 1)
    margin = [sum(row) for row in observed]
    total = sum(margin)
    own = [0.0, 0.0]
    for one in cut:
        for a, b, c in one:
            own[c] += (b - a) ** 2 if c else b - a
    scale = total / (total**2 - sum(own))
    agreed = sum((margin[c] ** 2 - own[c]) * scale for c in (0, 1))
    return 1 - (total - observed[0][0] - observed[1][1]) / (total - agreed)


UNITS = st.lists(st.integers(0, 12), max_size=6, unique=True).map(
    lambda cuts: list(zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False))
)


@given(st.lists(UNITS, min_size=2, max_size=4))
def test_it_equals_the_formulas_of_the_paper(raters):
    marks = [(rater, *unit) for rater, units in enumerate(raters) for unit in units]
    covered = sum(end - start for _, start, end in marks)
    assume(0 < covered < 12 * len(raters))
    answer, start, end = zip(*marks, strict=True)
    figure = unitizing_alpha([12], [0] * len(raters), answer, start, end)
    assert figure.value == pytest.approx(naive(12, raters))


def test_full_agreement_is_1_over_several_texts():
    figure = unitizing_alpha([20, 9], [0, 0, 1, 1], [0, 1, 2, 3], [2, 2, 1, 1], [7, 7, 4, 4])
    assert (figure.value, figure.detail["texts"]) == (1.0, 2)


def test_overlapping_spans_of_one_rater_are_one_unit():
    split = unitizing_alpha([20], [0, 0], [0, 0, 1], [2, 4, 2], [6, 9, 9])
    assert split.value == 1.0
    assert split.detail["units"] == 2


def test_a_text_with_one_rater_says_nothing():
    alone = unitizing_alpha([20, 9], [0, 0, 1], [0, 1, 2], [2, 2, 1], [7, 8, 4])
    assert alone.value == unitizing_alpha([20], [0, 0], [0, 1], [2, 2], [7, 8]).value


def test_what_cannot_be_said_has_its_reason():
    assert unitizing_alpha([20], [0], [0], [2], [7]).undefined == "no pairable values"
    assert unitizing_alpha([20], [0, 0], [], [], []).undefined == "no variation"
    assert unitizing_alpha([5], [0, 0], [0, 1], [0, 0], [5, 5]).undefined == "no variation"
    with pytest.raises(ValueError, match="leaves its text"):
        unitizing_alpha([5], [0, 0], [0], [0], [6])


def test_each_part_of_a_span_in_several_places_is_a_stretch_by_hand():
    # "aaaa bbbb cccc", 14 characters. One marks aaaa and cccc as one error, the other aaaa alone.
    # Units 4 + 4 + 4 = 12, gaps 28 - 12 = 16; the two differ on cccc: mixed = 2 * 4 * 1 * (2 - 1) / (2 - 1) = 8.
    # Expected: 28 * 2 * 12 * 16 / (28^2 - 3 * 4^2 - 16) = 10752 / 720.
    text = words("aaaa bbbb cccc")
    places = marked([text], [0, 0], [0, 0], [4, 4], more=([0], [10], [14]))
    span, start, end = stretches(places)
    figure = unitizing_alpha([14], [0, 0], span, start, end)
    assert figure.value == pytest.approx(1 - 8 / (10752 / 720))
    assert figure.detail["units"] == 3
    alone = unitizing_alpha([14], [0, 0], [0, 1], places.start, places.end)
    assert alone.value == 1.0, "the first places alone would agree"
