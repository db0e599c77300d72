"""Numbers and dates within sentences that run from right to left.

Behind an Arabic letter the parts of "2026-11-23" change places, and so do a sign or a unit and their number.
"""

import re
from unicodedata import bidirectional

from django.utils.translation import get_language_bidi

LEFT_TO_RIGHT, OWN_DIRECTION, END_OF_DIRECTION = "\u2066", "\u2068", "\u2069"

#: What an answer may begin with that says nothing of how it runs: "A", "(b)", "1." or "C)".
_LABEL = re.compile(r"\s*[(\[]?\w[)\].:\-]*(?=\s|$)")


def direction(words: str, otherwise: str) -> str:
    """ "rtl" or "ltr" by the first letter behind a label, `otherwise` where there is none."""
    for letter in words[label.end() :] if (label := _LABEL.match(words)) else words:
        kind = bidirectional(letter)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return otherwise


def isolated(words: str) -> str:
    """A number with its sign or unit, or a date, so that it keeps its order in the reader's language."""
    return f"{LEFT_TO_RIGHT}{words}{END_OF_DIRECTION}" if words and get_language_bidi() else words


def set_apart(words: str) -> str:
    """Words that may run in any direction and hold others, so that they draw nothing of their neighbours to them."""
    return f"{OWN_DIRECTION}{words}{END_OF_DIRECTION}" if get_language_bidi() else words
