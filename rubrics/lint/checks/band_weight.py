"""A weight outside the range of its band: one of the two was chosen by mistake."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Band, Finding, sentence
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading

MESSAGE = _(
    "The weight {weight} lies outside the range of its band, {lowest} to {highest}. Complete: weights in their bands "
    "make the score say how good an answer is."
)


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    """`words` are band and weight ("core-term 3"), so that an accepted finding returns when either changes."""
    for criterion in reading.given.criteria:
        if criterion.band is None or criterion.weight is None:
            continue
        band = Band(*criterion.band)
        # What an error costs is measured by the same bands.
        if not band.lowest <= abs(criterion.weight) <= band.highest:
            message = sentence(MESSAGE, weight=criterion.weight, lowest=band.lowest, highest=band.highest)
            words = f"{band.slug} {criterion.weight}"
            yield Finding(check.code, check.principle, criterion.key, words, None, None, message)


CHECK = Check("band-weight", Principle.COMPLETE, _("Weight outside its band"), find, needs_words=False)
