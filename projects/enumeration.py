"""Several names in a row, as the reader's language writes them."""

from collections.abc import Iterable

from django.utils.translation import pgettext


def enumerated(names: Iterable[object]) -> str:
    """ "recall, F1"; in Arabic with its own comma."""
    return pgettext("between the names of a list", ", ").join(map(str, names))
