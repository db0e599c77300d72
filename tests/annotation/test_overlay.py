from hypothesis import given
from hypothesis import strategies as st

from annotation.overlay import Piece, pieces


def test_overlapping_spans_cut_the_text_where_they_begin_and_end():
    #                         0123456789
    assert pieces("Kopi luwak", [(1, 0, 8), (2, 5, 10), (3, None, None)]) == [
        Piece("Kopi ", (1,)),
        Piece("luw", (1, 2)),
        Piece("ak", (2,)),
    ]


@given(st.text(max_size=30).flatmap(lambda text: st.tuples(st.just(text), placed_in(text))))
def test_joined_the_pieces_are_the_text_and_each_character_lies_under_its_spans(made):
    text, spans = made
    cut = pieces(text, spans)
    assert "".join(piece.text for piece in cut) == text
    position = 0
    for piece in cut:
        for offset in range(position, position + len(piece.text)):
            assert set(piece.spans) == {number for number, start, end in spans if start <= offset < end}
        position += len(piece.text)


def placed_in(text: str):
    place = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda pair: pair[0] < pair[1])
    if not text:
        return st.just([])
    return st.lists(place, max_size=6).map(lambda found: [(n, start, end) for n, (start, end) in enumerate(found)])
