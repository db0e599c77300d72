"""A rubric read for checking, and what a check is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rubrics.lint.findings import Finding, LintCriterion, LintInput, sentence
from rubrics.lint.principles import Principle
from rubrics.lint.texts import Text, read


@dataclass(frozen=True, slots=True)
class Reading:
    """A rubric with each of its texts read; criteria without text are left out, their weights are not."""

    given: LintInput
    prompt: Text
    gold_answer: Text
    criteria: tuple[tuple[LintCriterion, Text], ...]

    @classmethod
    def of(cls, given: LintInput) -> "Reading":
        return cls(
            given,
            read(given.prompt, given.language),
            read(given.gold_answer, given.language),
            tuple((criterion, read(criterion.text, given.language)) for criterion in given.criteria),
        )


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its stable code, the principle it serves, its name for people and the function that finds.

    `needs_words`: it rests on word lists alone and finds nothing in a language without a file.
    """

    code: str
    principle: Principle
    name: Any  # lazy translation
    find: Callable[[Reading, "Check"], Iterator[Finding]]
    needs_words: bool = True

    def finding(
        self,
        criterion: LintCriterion,
        text: Text,
        place: tuple[int, int],
        message: Any,
        other: str = "",
        **named: object,
    ) -> Finding:
        """A finding about a half-open place (code points) of a criterion's text; `message` may name {words}."""
        start, end = place
        words = text.original[start:end]
        said = sentence(message, words=words, **named)
        return Finding(self.code, self.principle, criterion.key, words, start, end, said, other)
