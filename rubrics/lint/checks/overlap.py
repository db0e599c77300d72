"""Two criteria that say largely the same: one mistake would cost points twice."""

from collections.abc import Iterator
from itertools import combinations

import regex
from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading
from rubrics.lint.texts import Text

# Shares of the words that two criteria have between them. Criteria of one rubric are often built alike around one
# differing word ("the red note is called ...", "the green note is called ..."): where each has a word the other lacks,
# nearly all the rest must agree; where one only adds words to the other, three fifths.
BOTH_DIFFER, ONE_ADDS = 0.85, 0.6
# Where one adds to the other, all that the shorter one asks for is in the longer one: two words of it are enough.
MIN_SHARED, MIN_CONTAINED = 3, 2
DIGIT = regex.compile(r"\p{Nd}")


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    for (earlier, first), (later, second) in combinations(reading.criteria, 2):
        # An error is often the wrong form of what another criterion asks for.
        if earlier.is_error != later.is_error:
            continue
        shared = first.stems & second.stems
        if not _says_the_same(first, second, shared, reading.prompt.stems):
            continue
        begins, ends = _extent(first, shared)
        yield check.finding(
            later,
            second,
            _extent(second, shared),
            _(
                "“{words}” says largely the same as “{others}” in another criterion. Non-overlapping: each fact stands "
                "in one criterion only."
            ),
            other=earlier.key,
            others=first.original[begins:ends],
        )


def _says_the_same(first: Text, second: Text, shared: frozenset[str], topic: frozenset[str]) -> bool:
    if first.stems == second.stems:
        return len(shared) >= 2 or (bool(shared) and first.folded.split() == second.folded.split())
    only_first, only_second = first.stems - shared, second.stems - shared
    least = MIN_SHARED if only_first and only_second else MIN_CONTAINED
    if len(shared) < least or shared <= topic:
        return False
    share = len(shared) / len(first.stems | second.stems)
    if not only_first or not only_second:
        return share >= ONE_ADDS
    return share >= BOTH_DIFFER and not (_tells_apart(first, only_first) or _tells_apart(second, only_second))


def _tells_apart(text: Text, own: frozenset[str]) -> bool:
    """A number or a quoted word that the other criterion lacks is another fact."""
    if any(DIGIT.search(stem) for stem in own):
        return True
    return any(word.stem in own and start <= word.start < end for word in text.words for start, end in text.quoted)


def _extent(text: Text, shared: frozenset[str]) -> tuple[int, int]:
    return text.extent([word for word in text.words if word.stem in shared])


CHECK = Check("overlap", Principle.NON_OVERLAPPING, _("Overlap of two criteria"), find, needs_words=False)
