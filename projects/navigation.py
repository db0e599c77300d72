"""The entries of a project's menu. Each room registers its own, so that no template knows all rooms."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Entry:
    position: int
    label: Any  # lazy translation
    url_name: str  # takes the project's slug
    permission: str


_entries: list[Entry] = []


def register(*entries: Entry) -> None:
    _entries.extend(entries)
    _entries.sort(key=lambda entry: entry.position)


def entries() -> list[Entry]:
    return list(_entries)
