"""A fact that is named but not said: a grader who does not know it cannot decide."""

from collections.abc import Iterator

import regex
from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading
from rubrics.lint.texts import Text

# Signs that the fact follows, in any language: a colon, an equals sign, a dash or an arrow before a word, or a bracket.
SIGN = regex.compile(r"[:：=→]\s*\S|\s[-–—]+\s+\S|[—–]\w|[(\[（]\s*\S")
# A name set beside what it names: "the mother in the song, Amina".
APPOSITION = regex.compile(r"[,،]\s{0,4}\S{1,60}(?:\s{1,4}\S{1,60}){0,2}\s*$")
DIGIT = regex.compile(r"\p{Nd}")


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    for criterion, text in reading.criteria:
        place = _fact_without_content(text)
        if place is not None:
            yield check.finding(
                criterion,
                text,
                place,
                _(
                    "“{words}” names a fact without giving it. Self-contained: write the fact itself into the "
                    "criterion, so that a grader need not know it."
                ),
            )


def _fact_without_content(text: Text) -> tuple[int, int] | None:
    """The first phrase that asks for a fact which the rest of the criterion does not give.

    What is explained may be quoted ("the meaning of 'dibs'") without being given; where a name, a word or a number
    is asked for, a quotation or a digit is the fact. Where there is a choice, its list is another check's matter.
    """
    shown, phrases = text.unquoted, text.language.phrases
    # What stands above or in another criterion is not before a grader, whatever else this one says.
    if elsewhere := phrases("elsewhere").search(shown):
        return text.place_of(elsewhere)
    if phrases("one_of").search(shown):
        return None
    given = phrases("given")
    candidates = [(match, False) for match in phrases("explanations").finditer(shown)]
    candidates += [(match, True) for match in phrases("names").finditer(shown)]
    for match, is_name in sorted(candidates, key=lambda pair: (pair[0].start(), -pair[0].end())):
        if SIGN.search(shown, match.end()) or given.search(shown, match.end()):
            continue
        if phrases("given_before").search(shown, 0, match.end()):
            continue
        if is_name and (DIGIT.search(shown) or text.quoted or APPOSITION.search(shown, match.end())):
            continue
        return text.place_of(match)
    return None


CHECK = Check("fact-not-given", Principle.SELF_CONTAINED, _("Fact not given"), find)
