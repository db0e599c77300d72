"""What a scoring rule declares, and what it is given."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

TOP = 10.0

TABLE = "ABBL, table 6"


class NotApplicable(ValueError):
    """A rule cannot score answers to this question, whatever they say."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a question compares answers with.

    reference  the reference answer.
    original   the text a question gives to work on (to correct, to rewrite); "" where there is none.
    language   of the reference: ISO 639, "" where any or unknown.
    """

    reference: str
    original: str = ""
    language: str = ""


class Score(NamedTuple):
    """A score from 0 to 10 and what explains it, in JSON types."""

    value: float
    detail: Mapping[str, Any]

    @classmethod
    def of_share(cls, share: float, detail: Mapping[str, Any]) -> "Score":
        """All points for a share of 1 or more, none for one of 0 or less."""
        return cls(scaled(share), detail)


#: Scores one answer to the question it was prepared for.
Scorer = Callable[[str], Score]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One setting of a rule that a question may state.

    kind  "number", "integer", "text", "flag" or "texts" (a list of one or more texts that are not empty).
    default  None where each question has to state it.
    """

    name: str
    kind: str
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def read(self, value: Any) -> Any:
        """The value as the rule takes it. Raises ValueError for another type, choice or range."""
        if self.kind == "texts":
            if not isinstance(value, list | tuple) or not value or not all(map(_is_text, value)):
                raise ValueError(f"{self.name}: a list of texts is needed, not {value!r}")
            return tuple(value)
        fits = {
            "number": isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value),
            "integer": isinstance(value, int) and not isinstance(value, bool),
            "text": _is_text(value),
            "flag": isinstance(value, bool),
        }[self.kind]
        if not fits:
            raise ValueError(f"{self.name}: {self.kind} is needed, not {value!r}")
        if self.choices and value not in self.choices:
            raise ValueError(f"{self.name}: one of {', '.join(self.choices)} is needed, not {value!r}")
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"{self.name}: at least {self.minimum:g} is needed, not {value!r}")
        if self.maximum is not None and value > self.maximum:
            raise ValueError(f"{self.name}: at most {self.maximum:g} is possible, not {value!r}")
        return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


@dataclass(frozen=True, kw_only=True)
class Case:
    """One worked example of a rule. `refused` is part of the message where the rule cannot apply."""

    reference: str
    answer: str = ""
    score: float | None = None
    original: str = ""
    language: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""

    @property
    def target(self) -> Target:
        return Target(self.reference, self.original, self.language)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of a question.

    name        its name in files, in the database and in the registry; never changes.
    definition  what it measures, in plain words.
    version     raised with every change by which an answer would score otherwise.
    published   its name in table 6 of the paper.
    prepare     takes the target and all parameters, keeps of the reference what every answer needs, and returns the
                scorer. Raises NotApplicable. None: a judge scores it.
    """

    name: str
    title: str
    definition: str
    version: int
    published: str
    source: str = TABLE
    parameters: tuple[Parameter, ...] = ()
    prepare: Callable[..., Scorer] | None = None
    cases: tuple[Case, ...] = ()

    @property
    def is_judged(self) -> bool:
        return self.prepare is None

    def read_parameters(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters: the stated ones, read, and the defaults of the others.

        Raises ValueError for one that is unknown, missing, of another type or out of range.
        """
        known = {parameter.name for parameter in self.parameters}
        if unknown := sorted(set(stated) - known):
            raise ValueError(f"{self.name} has no parameter {', '.join(unknown)}")
        values = {}
        for parameter in self.parameters:
            if parameter.name in stated:
                values[parameter.name] = parameter.read(stated[parameter.name])
            elif parameter.default is None:
                raise ValueError(f"{self.name} needs the parameter {parameter.name}")
            else:
                values[parameter.name] = parameter.default
        return values

    def scorer(self, target: Target, stated: Mapping[str, Any] | None = None) -> Scorer:
        """What scores answers to one question by this rule: prepare it once, use it for every answer.

        Raises NotApplicable (a ValueError) where the rule cannot apply to the question, ValueError for parameters.
        """
        if self.prepare is None:
            raise NotApplicable(f"{self.name} is scored by a judge")
        return self.prepare(target, **self.read_parameters(stated or {}))


def scaled(share: float) -> float:
    """A share of 0 to 1 as a score; outside of that, the nearer bound."""
    return TOP * min(max(share, 0.0), 1.0)
