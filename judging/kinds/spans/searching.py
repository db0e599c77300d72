"""Where the quotes of a judge's reply stand in what it was asked about, within a bound on all of them together."""

from django.utils.translation import gettext as _

from projects.anchors import MAX_COUNTED, locate, locate_normalised, paragraphs
from projects.problems import Invalid, Problem

WHOLE = -1
# Characters of texts that are searched for the quotes of one reply; and of texts and quotes that are compared in other
# characters, which takes a hundred times as long. A quote beyond that is not looked for, and ends as unlocatable.
MAX_SEARCHED = 12_000_000
MAX_FOLDED = 100_000
# A quote of fewer different characters than these may stand almost everywhere, and takes that much longer.
FEW_CHARACTERS = 4
# How a span was located whose quote differs from the text in what is not seen or not told apart (`located`).
NORMALISED = "normalised"


def unit_bounds(text: str, unit: int) -> tuple[int, int]:
    """Half-open code-point offsets of a unit in its response."""
    return (0, len(text)) if unit == WHOLE else paragraphs(text)[unit]


class Search:
    """Where the quotes of one reply stand in one unit of a response, within a bound on all of them together."""

    def __init__(self, text: str, unit: int) -> None:
        self.offset, end = unit_bounds(text, unit)
        self.text = text[self.offset : end]
        self.searched, self.folded = 0, len(self.text)

    def find(self, quote: str, occurrence: int | None) -> tuple[int, int, dict[str, str]]:
        """Offsets in the response, and how the quote was found where that was not letter by letter.

        Raises Invalid where it has no certain place. A quote that stands there as it is, but not where it was said to
        be, is not looked for in any other way.
        """
        self.searched += len(self.text) * (min(len(quote), 100) if len(set(quote)) < FEW_CHARACTERS else 1)
        if self.searched > MAX_SEARCHED or (occurrence or 0) > MAX_COUNTED:
            raise not_searched()
        located = {}
        try:
            start, end = locate(self.text, quote, occurrence)
        except Invalid as invalid:
            # Of several places only an exact quote can name one: what is found otherwise must be the only one.
            if invalid.problems[0].code != "quote_absent" or occurrence not in (None, 1):
                raise
            self.folded += len(quote)
            if self.folded > MAX_FOLDED:
                raise not_searched() from None
            start, end = locate_normalised(self.text, quote)
            located = {"located": NORMALISED}
        return start + self.offset, end + self.offset, located


def not_searched() -> Invalid:
    message = _("The quote was not looked for: the answer has too many quotes for so long a text.")
    return Invalid(Problem("quote_not_searched", str(message), "quote"))
