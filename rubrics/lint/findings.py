"""What the lint is given and what it finds: plain values, no database."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import regex
from django.utils.text import format_lazy

from rubrics.lint.principles import Principle

# Words are set apart from the sentence around them, so that Arabic words do not rearrange an English sentence.
# What the words themselves hold of such controls is left out of the sentence: it could undo that.
ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
BIDI_CONTROL = regex.compile(r"[\u202a-\u202e\u2066-\u2069]")
MAX_QUOTATION = 90


class Band(NamedTuple):
    """A weight band; both ends belong to it."""

    slug: str
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True)
class LintCriterion:
    """A criterion as far as its author has written it. `band` is (slug, lowest, highest)."""

    key: str
    text: str
    weight: int | None = None
    band: tuple[str, int, int] | None = None

    @property
    def is_error(self) -> bool:
        """Whether it names an error, which takes points away, and nothing that a good answer contains."""
        return self.weight is not None and self.weight < 0


@dataclass(frozen=True, slots=True)
class LintInput:
    """A rubric as far as its author has written it. `language` is a BCP 47 tag; any text may be empty."""

    language: str
    prompt: str = ""
    gold_answer: str = ""
    criteria: Sequence[LintCriterion] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at again. An author accepts it by `identity`, so it returns when the words change.

    `criterion` is the key, empty where the finding is about the gold answer. `start` and `end` are half-open code
    points of that text and slice to `words`; both are None where no words of it are meant (a weight). `other` is
    the key of the criterion that is overlapped. `message` is a lazy translation.
    """

    code: str
    principle: Principle
    criterion: str
    words: str
    start: int | None
    end: int | None
    message: Any = field(compare=False)
    other: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.code, self.criterion, self.words


def sentence(template: Any, **words: object) -> Any:
    """The lazy sentence of a finding: `template` with each value set apart and, where it is long, cut."""
    return format_lazy(template, **{name: _shown(value) for name, value in words.items()})


def _shown(value: object) -> str:
    text = BIDI_CONTROL.sub("", " ".join(str(value).split()))
    if len(text) > MAX_QUOTATION:
        text = text[: MAX_QUOTATION - 1].rstrip() + "…"
    return f"{ISOLATE}{text}{END_OF_ISOLATE}"
