"""The registry of judge kinds: one small file per kind of judging.

A kind says into which units a response falls, what is asked about each, what an answer must look like, and how
the answers of a response's units become rows. What a judge is shown is built from a `Material` alone (and the
project's taxonomy). It holds no answer of anybody, except where errors themselves are what is asked about: then
it holds their words and explanations, and nothing of who marked them or what was said of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from judging.laboratories import Guard
from judging.models import Judge
from judging.prompts import PromptText


@dataclass(frozen=True, slots=True)
class ShownError:
    """All that a judge may be shown of an error that it is asked about; its id is never shown.

    `place` says in words where it lies: an occurrence of its words, or what something is missing from.
    """

    id: int
    words: str
    place: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Material:
    """All that a judge may be shown of a response, and of errors where those are asked about."""

    prompt: str
    response: str
    language: str
    errors: tuple[ShownError, ...] = ()


class Unit(NamedTuple):
    """What one call asks about: its number within the response, and the errors that the question is about.

    Numbers are the calls' key, so the same question has the same number whenever it is planned.
    """

    number: int
    spans: tuple[int, ...] = ()


class Units(NamedTuple):
    """Units by response id, and how many errors are left out because the judge's own laboratory marked them."""

    of_response: dict[int, list[Unit]]
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """The terminal state of one unit of a response, with what was read from it."""

    unit: int
    state: str
    parsed: dict[str, Any] | None


class WrongAnswer(Exception):
    """A judge's JSON is not the answer that was asked for. `code` names why; nothing of it is used."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code}: {detail}" if detail else code)


class JudgeKind(Protocol):
    kind: str
    name: Any  # lazy translation
    # Why there may be nothing to ask: a lazy translation, or empty where only responses can be wanting.
    idle: Any

    def prompt_text(self, judge: Judge) -> PromptText:
        """The prompt as the files, the judge's settings and the project's taxonomy make it now."""

    def answered(self, judge: Judge, round: int) -> set[int]:
        """Ids of responses that have the judge's answer of this round and are not asked about again."""

    def units(self, judge: Judge, guard: Guard, texts: Mapping[int, str]) -> Units:
        """What is to be asked about these responses, whose texts stand by id.

        Raises projects.problems.Invalid where the project lacks what the questions need.
        """

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        """The chat messages of one call."""

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        """The answer as it is kept in `Call.parsed`, with `unlocatable` listing quotes that were not found, if any.

        Raises WrongAnswer where keys, types or values are not those of the schema, or the ticket is another.
        """

    def store(self, judge: Judge, round: int, answered: Mapping[int, Sequence[UnitAnswer]], metadata: dict) -> int:
        """Write the answers of whole responses (by response id); return how many were new."""

    def withdraw(self, judge: Judge, round: int, responses: Collection[int]) -> set[int]:
        """Take back incomplete answers so that they can be given anew; return the responses where that is refused."""


_registry: dict[str, JudgeKind] = {}


def register(kind: JudgeKind) -> None:
    if kind.kind in _registry:
        raise ValueError(f"judge kind {kind.kind!r} is registered twice")
    _registry[kind.kind] = kind


def judge_kind(name: str) -> JudgeKind:
    return _registry[name]


def judge_kinds() -> dict[str, JudgeKind]:
    return dict(_registry)
