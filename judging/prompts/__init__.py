"""Prompts as versioned files, and the rows that pin a run to the exact text it used.

A prompt's row holds everything that decides what a judge is asked: its texts, the taxonomy as it was, and the
schema of the answer. Another text is another row, so a changed prompt or taxonomy is asked anew.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judging.models import PromptVersion
from projects.anchors import sha256

FOLDER = Path(__file__).parent
VARIABLE = re.compile(r"\{\{([a-z_]+)\}\}")


def read(name: str, version: str, part: str) -> str:
    return (FOLDER / name / version / f"{part}.txt").read_text(encoding="utf-8")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in place of {{names}}, in one pass: what a value contains is never looked at again.

    Raises KeyError for a name without a value: a prompt with a hole in it must not be sent.
    """
    return VARIABLE.sub(lambda match: values[match[1]], template)


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt as a run uses it: `parts` are templates by name, `schema` the JSON Schema of the answer."""

    name: str
    version: str
    parts: dict[str, str]
    schema: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps({"parts": self.parts, "schema": self.schema}, ensure_ascii=False, indent=1)

    @property
    def sha256(self) -> str:
        return sha256(self.text)

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
