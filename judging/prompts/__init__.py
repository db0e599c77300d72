"""Prompts: the templates that a judge is asked by, and the rows that pin a run to the exact text it used.

Templates are a project's own (`JudgePrompt`) or come with the product (`shipped.py`). A prompt's row holds everything
that decides what a judge is asked: its texts, the taxonomy as it was, and the schema of the answer. Another text is
another row, so a changed prompt or taxonomy is asked anew.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judging.models import Judge, PromptVersion
from judging.prompts.shipped import ENGLISH, LANGUAGES, PHRASE, SLOT, WITH_SLOT, has_slot, shipped, version_name
from projects.anchors import sha256
from projects.explanations import OF_RESPONSE
from projects.languages.names import name as name_of_language

VARIABLE = re.compile(r"\{\{([a-z_]+)\}\}")


def chat(system: str, question: str) -> list[dict[str, str]]:
    """The messages of a call: what is the same for all calls of a run, then what is asked."""
    return [{"role": "system", "content": system}, {"role": "user", "content": question}]


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in place of {{names}}, in one pass: what a value contains is never looked at again.

    Raises KeyError for a name without a value: a prompt with a hole in it must not be sent.
    """
    return VARIABLE.sub(lambda match: values[match[1]], template)


class Templates(Mapping[str, str]):
    """The templates of a judge by part. `version` is how figures name them: `v1`, `v2-ar`, `own-3`.

    `explained` is the part that says what fills the slot for the language of explanations: its name in English, or
    nothing, which is the language of each response. Templates without the slot have no such part.
    """

    def __init__(
        self, version: str, parts: Mapping[str, str], has_phrases: bool = True, explained: str | None = None
    ) -> None:
        self.version, self._parts, self._has_phrases = version, parts, has_phrases
        self.explained = {} if explained is None else {SLOT: explained}

    def __getitem__(self, part: str) -> str:
        return self._parts[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def published(self) -> dict[str, str]:
        """The text asked word for word and the form of its answer (`published.py`); of other prompts nothing."""
        return {part: self._parts[part] for part in ("published", "answer_form") if "answer_form" in self._parts}

    def phrase(self, name: str) -> str:
        return self._parts[PHRASE + name]

    def phrases(self, *names: str) -> dict[str, str]:
        """The phrases that a run is pinned to beside its parts, by part.

        None of the shipped English prompt: runs were pinned to it before prompts could say them in another way, and
        it stays the text that it was.
        """
        return {PHRASE + name: self.phrase(name) for name in names} if self._has_phrases else {}


def templates_of(judge: Judge, kind: str, version: str) -> Templates:
    """The judge's own prompt, else the shipped one in its language of instruction.

    A part that an own prompt does not have, because it came later, is the shipped one of the prompt's language.
    """
    chosen = judge.options.get(SLOT, "")
    explained = "" if chosen == OF_RESPONSE else name_of_language(chosen or ENGLISH)
    if own := judge.prompt:
        language = own.language if own.language in LANGUAGES else ENGLISH
        parts = {**shipped(kind, version, language), **own.parts}
        return Templates(f"own-{own.number}", parts, explained=explained if asks_language(own.parts) else None)
    language = judge.instruction_language
    if chosen and has_slot(kind):
        slotted = shipped(kind, WITH_SLOT, language)
        return Templates(version_name(WITH_SLOT, language), slotted, language != ENGLISH, explained)
    return Templates(version_name(version, language), shipped(kind, version, language), language != ENGLISH)


def asks_language(parts: Mapping[str, str]) -> bool:
    """Whether templates have the slot for the language of explanations."""
    return any(SLOT in VARIABLE.findall(text) for text in parts.values())


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt as a run uses it: `parts` are templates by name, `schema` the JSON Schema of the answer.

    `name` is the kind and how the judge is set up, `version` that of its templates.
    """

    name: str
    version: str
    parts: dict[str, str]
    schema: dict[str, Any]

    @property
    def answer_form(self) -> str:
        """The form that answers have where it is no object: of a prompt that is asked word for word; else empty."""
        return self.parts.get("answer_form", "")

    def languages(self, of_response: str) -> dict[str, str]:
        """What fills the variables that name languages, in English: that of the response, and of explanations."""
        return {"language": of_response, SLOT: self.parts.get(SLOT) or of_response}

    def word_for_word(self, values: Mapping[str, str]) -> list[dict[str, str]]:
        """The message of a published prompt."""
        return [{"role": "user", "content": fill(self.parts["published"], values)}]

    @property
    def text(self) -> str:
        return json.dumps({"parts": self.parts, "schema": self.schema}, ensure_ascii=False, indent=1)

    @property
    def sha256(self) -> str:
        return sha256(self.text)

    def phrase(self, name: str) -> str:
        """A phrase as this prompt says it: in English where the run is pinned to a text without phrases."""
        part = PHRASE + name
        return self.parts[part] if part in self.parts else shipped(self.name.partition("/")[0], "v1")[part]

    def row(self) -> PromptVersion:
        """Its row, made on first use."""
        row, _created = PromptVersion.objects.get_or_create(
            name=self.name, version=self.version, text_sha256=self.sha256, defaults={"text": self.text}
        )
        return row

    def existing_row(self) -> PromptVersion | None:
        return PromptVersion.objects.filter(name=self.name, version=self.version, text_sha256=self.sha256).first()

    @classmethod
    def of(cls, row: PromptVersion) -> "PromptText":
        stored = json.loads(row.text)
        return cls(row.name, row.version, stored["parts"], stored["schema"])
