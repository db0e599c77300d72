"""Kinds of settled cases: an area declares what is settled in its answers, by which words it is found, and how it is
shown. Search, what is hidden from whom, notes of leads and the index are the same for all."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from annotation.casebook.filters import Filter
from annotation.said import Said
from projects.models import Project, Prompt, Response

if TYPE_CHECKING:
    from annotation.casebook.finding import Found, Reader
    from annotation.models import CaseNote


@dataclass(slots=True)
class Side:
    """A text that a case is about, in words of its own; `title` says which of several it is, `outcome` what it got."""

    title: str
    about: Response | Prompt
    text: str
    outcome: str


@dataclass(slots=True)
class Point:
    """One of the things that a case consists of, such as a criterion, and what is to be said beside it."""

    text: str
    beside: str


@dataclass(slots=True)
class Shown:
    """One settled case in words. `is_excluded` and `why` are the lead's.

    An error has its quote in its text (`before`, `after`); other kinds have a `title`, an `outcome`, and their `sides`.
    """

    pk: int
    about: Response | Prompt
    kind: str = ""
    is_kept: bool = True
    quote: str = ""
    before: str = ""
    after: str = ""
    error_type: str = ""
    criticality: str = ""
    category: str = ""
    explanation: str = ""
    correction: str = ""
    varies_by_region: bool = False
    title: str = ""
    outcome: str = ""
    sides: list[Side] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    why: str = ""
    is_excluded: bool = False
    said: list[Said] = field(default_factory=list)
    last_words: list[str] = field(default_factory=list)

    @property
    def labels(self) -> list[str]:
        return [label for label in (self.error_type, self.criticality, self.category) if label]

    def note(self, note: "CaseNote | None") -> "Shown":
        """With what the lead says of it."""
        if note is not None:
            self.why, self.is_excluded = note.why, note.is_excluded
        return self


class CaseKind(ABC):
    """What cases of one kind are made of. All questions are of one project.

    name  stands in `SettledCase.kind`. area  is given where an area declares the kind. The ids of `waiting` and `index`
    are those of responses, or of prompts where cases are about these.
    """

    name: ClassVar[str]
    area = ""

    @abstractmethod
    def has_news(self, project: Project) -> bool:
        """Whether the book lacks something that was said lately; cheap, for the clock asks it."""

    @abstractmethod
    def waiting(self, project: Project) -> Sequence[int]:
        """The ids to look at; those of one call of `index` are a chunk of them."""

    @abstractmethod
    def index(self, project: Project, ids: Sequence[int]) -> int:
        """Put the cases of these into the book as they stand; returns how many there are."""

    def filters(self, reader: "Reader") -> Sequence[Filter]:
        """By what this reader can narrow cases of this kind."""
        return ()

    def state(self, project: Project) -> str:
        """Read before `waiting`, and given to `finish`."""
        return ""

    def finish(self, project: Project, state: str) -> None:
        """After all that waited was put in."""

    @abstractmethod
    def show(self, reader: "Reader", found: "Sequence[Found]") -> list[Shown]:
        """Those of the found cases of this kind that are still settled; a number of queries that does not hang on how
        many they are."""


_kinds: dict[str, CaseKind] = {}


def register(*kinds: CaseKind) -> None:
    for kind in kinds:
        if kind.name in _kinds:
            raise ValueError(f"kind of case {kind.name!r} is registered twice")
        _kinds[kind.name] = kind


def case_kinds(project: Project) -> list[CaseKind]:
    """The kinds of the project's areas, in the order of declaration."""
    return [kind for kind in _kinds.values() if kind.area in project.areas]
