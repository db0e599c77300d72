"""A boundary found from the word around it is the boundary found from the start of the text."""

from hypothesis import given
from hypothesis import strategies as st

from projects.anchors import FAR_FROM_SPACE, grapheme_boundaries, on_grapheme_boundary

# What clusters are made of: marks, joiners, flags, emoji with skin tones, conjuncts, prepended signs, line ends.
PIECES = [
    " ",
    " ",
    "a",
    "\n",
    "\r",
    "é",
    "\u0301",
    "\u200d",
    "\ufe0f",
    "🇪",
    "🇬",
    "👩",
    "🏽",
    "❤",
    "ক",
    "্",
    "ষ",
    "ी",
    "\u0600",
    "각",
    "ᄀ",
    "ᅡ",
    "ส",
    "า",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_every_offset_is_judged_as_by_the_whole_text(text):
    boundaries = grapheme_boundaries(text)
    assert [offset for offset in range(len(text) + 1) if on_grapheme_boundary(text, offset)] == sorted(boundaries)


def test_a_text_without_spaces_is_judged_by_its_kept_boundaries():
    text = "ক্ষ" * FAR_FROM_SPACE
    assert on_grapheme_boundary(text, 3 * 90)
    assert not on_grapheme_boundary(text, 3 * 90 + 1)
