"""Words that send a grader elsewhere, or leave the verdict to taste."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading

SEARCH = _(
    "“{words}” sends the grader to look something up. Verifiable without search: write down what would be found there."
)
VAGUE = _(
    "“{words}” leaves the verdict to taste. Verifiable without search: write what a response that passes says or does."
)


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    for criterion, text in reading.criteria:
        for phrases, message in (("search", SEARCH), ("vague", VAGUE)):
            match = text.language.phrases(phrases).search(text.unquoted)
            if match is not None:
                yield check.finding(criterion, text, text.place_of(match), message)


CHECK = Check("unverifiable", Principle.VERIFIABLE, _("Cannot be decided from the words"), find)
