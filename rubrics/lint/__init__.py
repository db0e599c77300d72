"""Lint of positive criteria: what an author may want to look at again, while typing and before the freeze.

Pure functions of what is written; no database. Every finding can be accepted with a reason, and a check that cannot
be sure stays silent: a lint that cries at everything is turned off.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from rubrics.lint.checks import CHECKS
from rubrics.lint.findings import Band, Finding, LintCriterion, LintInput
from rubrics.lint.languages import language_of
from rubrics.lint.principles import PRINCIPLES, Principle
from rubrics.lint.reading import Reading

__all__ = ["CHECKS", "PRINCIPLES", "Band", "Finding", "LintCriterion", "LintInput", "Principle", "find", "limits"]


def find(given: LintInput) -> list[Finding]:
    """Everything found, criterion by criterion in their order, then what concerns the gold answer.

    Within one criterion by the order of CHECKS, then by place. Never raises, whatever the texts hold.
    """
    reading = Reading.of(given)
    order = {criterion.key: number for number, criterion in reversed(list(enumerate(given.criteria)))}
    findings = [finding for check in CHECKS for finding in check.find(reading, check)]
    return sorted(findings, key=lambda finding: order.get(finding.criterion, len(order)))


def limits(language: str) -> Any:
    """A lazy sentence saying what is not checked in this language; empty where every check is made."""
    if language_of(language).known:
        return ""
    return _(
        "The words of this language are not known here. Only lists, semicolons, identical words, weights and parts of "
        "the gold answer without any criterion are checked."
    )
