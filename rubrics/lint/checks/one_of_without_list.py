"""A choice without its list: which answers count would have to be looked up."""

from collections.abc import Iterator

import regex
from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading
from rubrics.lint.texts import Text

COMMA = regex.compile(r"[,،、;؛/]\s*\S|\n")
LIST_FOLLOWS = regex.compile(r"[:：]\s*\S|[(\[（]\s*\S|\s[-–—]+\s+\S|—")


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    for criterion, text in reading.criteria:
        match = text.language.phrases("one_of").search(text.unquoted)
        if match is not None and not _has_list(text, *match.span()):
            yield check.finding(
                criterion,
                text,
                text.place_of(match),
                _(
                    "“{words}” offers a choice without its list. Verifiable without search: list every answer that "
                    "counts."
                ),
            )


def _has_list(text: Text, start: int, end: int) -> bool:
    """Whether the answers stand beside the words that offer the choice, before them or after.

    One comma may be any comma; two, or one beside an "or", or two quotations, are a list.
    """
    shown, phrases = text.unquoted, text.language.phrases
    if LIST_FOLLOWS.search(shown, end) or phrases("list_follows").search(shown, end) or len(text.quoted) >= 2:
        return True
    if phrases("list_before").search(shown, 0, start):
        return True
    return any(len(COMMA.findall(part)) >= 2 or phrases("or").search(part) for part in (shown[:start], shown[end:]))


CHECK = Check("one-of-without-list", Principle.VERIFIABLE, _("Choice without its list"), find)
