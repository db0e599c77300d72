"""The registry of judge kinds: one small file per kind of judging.

A kind says into which units a response falls, what is asked about each, what an answer must look like, and how
the answers of a response's units become rows. What a judge is shown is built here from projects alone (and the
project's taxonomy): a kind is given a `Material`, which holds no answer of anybody.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from judging.models import Judge
from judging.prompts import PromptText


@dataclass(frozen=True, slots=True)
class Material:
    """All that a judge may be shown of a response."""

    prompt: str
    response: str
    language: str


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

    def prompt_text(self, judge: Judge) -> PromptText:
        """The prompt as the files, the judge's settings and the project's taxonomy make it now."""

    def units(self, granularity: str, text: str) -> Sequence[int]:
        """Numbers of the units of a response: paragraphs from 0, or -1 for the whole."""

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        """The chat messages of one call."""

    def read(self, value: Mapping[str, Any], prompt: PromptText, text: str, unit: int, nonce: str) -> dict[str, Any]:
        """The answer as it is kept in `Call.parsed`, with `unlocatable` listing quotes that were not found.

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
