"""Several conditions in one criterion: it could be half met, and PASS or FAIL would then say nothing sure."""

from collections.abc import Iterator

import regex
from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading
from rubrics.lint.texts import Text

# In any language: a semicolon between clauses, and items numbered or bulleted line by line.
SEMICOLON = regex.compile(r"[;؛；]\s{0,4}(?P<words>\w{1,60}\s{1,4}\S{1,60})")
NEXT_ITEM = regex.compile(r"(?:\n[^\S\n]{0,20}(?:[-*•–]|\d{1,2}[.)])|(?<!\w)2[.)](?=\s))\s{0,4}(?P<words>\w{1,60})")
FIRST_ITEM = regex.compile(r"(?:^[^\S\n]{0,20}(?:[-*•–]|\d{1,2}[.)])|(?<!\w)1[.)](?=\s))", regex.MULTILINE)


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    for criterion, text in reading.criteria:
        place = _second_condition(text)
        if place is not None:
            yield check.finding(
                criterion,
                text,
                place,
                _(
                    "“{words}” adds a second condition. Atomic: a criterion asks for one thing; "
                    "write a criterion of its own for each."
                ),
            )


def _second_condition(text: Text) -> tuple[int, int] | None:
    """Where the first further condition stands, its joining word included."""
    shown = text.unquoted
    match = text.language.phrases("stacked").search(shown)
    if match is None and not _offers_choice(text):
        match = SEMICOLON.search(shown) or (NEXT_ITEM.search(shown) if FIRST_ITEM.search(shown) else None)
    return text.place_of(match) if match is not None else None


def _offers_choice(text: Text) -> bool:
    """A list that a criterion chooses from is no list of conditions."""
    shown = text.unquoted
    return bool(text.language.phrases("one_of").search(shown) or text.language.phrases("or").search(shown))


CHECK = Check("stacked", Principle.ATOMIC, _("Several conditions in one"), find, needs_words=False)
