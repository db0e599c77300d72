"""Several names or parts in a row, as the reader's language writes them."""

from collections.abc import Iterable

from django.utils.translation import pgettext


def enumerated(names: Iterable[object]) -> str:
    """ "recall, F1"; in Arabic with its own comma."""
    return pgettext("between the names of a list", ", ").join(map(str, names))


def in_parts(parts: Iterable[object]) -> str:
    """ "precision 0.8, of 10; recall 0.5, of 4": what holds commas itself; in Arabic with its own semicolon."""
    return pgettext("between the parts of a line", "; ").join(map(str, parts))
