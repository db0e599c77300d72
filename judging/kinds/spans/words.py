"""How the shipped prompt speaks of a project's words for errors.

Its text names those that projects of error spans begin with. Where a project has others, the lines about them are told
anew, each word by its name and definition as the project wrote them; of what the project has no words for they go, as
does its field of the answer.
"""

import re
from collections.abc import Iterable

from projects.models import Label
from projects.vocabularies import Vocabularies, Words

#: What the text of the prompt says by itself.
SHIPPED = {
    "type": ("cultural", "linguistic", "both", "logical"),
    "criticality": ("high", "medium", "low"),
}
KINDS = re.compile(rf"(?:^- (?:{'|'.join(SHIPPED['type'])}): .*\n)+", re.MULTILINE)


def asked_words(words: Vocabularies) -> dict[str, Words]:
    """By field of the answer, what the project has words for."""
    fields = {"type": words.error_types, "criticality": words.criticality}
    return {field: known for field, known in fields.items() if known}


def in_words(system: str, words: Vocabularies) -> str:
    """The system text of the shipped prompt, in any of its languages, for a project with these words."""
    asked = asked_words(words)
    for field, shipped in SHIPPED.items():
        known = asked.get(field)
        if known and _is_shipped(known, shipped):
            continue
        line = re.compile(rf"^- {field}: .*\n", re.MULTILINE)
        if known is None:
            told, kinds = "", ""
            system = system.replace(f', "{field}": "..."', "")
        elif field == "type":
            quoted = ", ".join(f'"{label.slug}"' for label in known.offered)
            told = f"- type: {quoted}.\n"
            kinds = "".join(f"- {label.slug}: {_meaning(label)}\n" for label in known.offered)
        else:
            told, kinds = f"- criticality: {_joined(known.offered)}\n", ""
        system = _put(line, told, system)
        if field == "type":
            system = _put(KINDS, kinds, system)
    return system


def _put(place: re.Pattern[str], told: str, system: str) -> str:
    """The text as it is: what a lead wrote is no replacement pattern."""
    return place.sub(lambda _found: told, system)


def _is_shipped(known: Words, shipped: tuple[str, ...]) -> bool:
    slugs = tuple(label.slug for label in known.offered)
    return slugs == shipped and not any(label.definition for label in known.offered)


def _joined(labels: Iterable[Label]) -> str:
    return "; ".join(f'"{label.slug}": {_meaning(label)}' for label in labels)


def _meaning(label: Label) -> str:
    """On one line, and with nothing that would be filled in: the text is a template."""
    told = f"{label.name}. {label.definition}" if label.definition else label.name
    return " ".join(told.split()).replace("{{", "{ {")
