"""The entries of a project's menu. Each room registers its own, so that no template knows all rooms.

The menu has two rows: the parts of a project, in the order in which a project goes through them, and the pages of
the part one is in. A page that is no part of its own names the one it stands under.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from projects.access import PERMISSIONS


@dataclass(frozen=True)
class Entry:
    position: int
    label: Any  # lazy translation
    url_name: str  # takes the project's slug
    permission: str
    under: str = ""  # the url_name of the part it stands under; empty: a part of its own
    first: Any = ""  # how a part's own page is called among the pages of the part; empty: as the part
    area: str = ""  # the preset whose work it belongs to; empty: every project's


@dataclass(slots=True)
class Link:
    """`current` is the value of aria-current: the page itself, a page below it ("true"), or neither."""

    label: Any
    url: str
    current: str = ""


@dataclass(slots=True)
class Menu:
    parts: list[Link] = field(default_factory=list)
    pages: list[Link] = field(default_factory=list)
    part: Entry | None = None  # the one the page belongs to


_entries: list[Entry] = []


def register(*entries: Entry) -> None:
    _entries.extend(entries)
    _entries.sort(key=lambda entry: entry.position)


def menu(slug: str, roles: frozenset[str], path: str, areas: Collection[str]) -> Menu:
    """What these roles may open in a project of these areas, with the places of the page at `path` in both rows."""
    allowed = {
        entry: reverse(entry.url_name, args=[slug])
        for entry in _of_areas(areas)
        if roles & PERMISSIONS[entry.permission]
    }
    here = _nearest(allowed, path, front=reverse("project", args=[slug]))
    current = "page" if here and allowed[here] == path else "true"
    parts = [entry for entry in allowed if not entry.under]
    part = next((entry for entry in parts if here and entry.url_name in (here.url_name, here.under)), None)
    below = [entry for entry in allowed if part and entry.under == part.url_name]
    made = Menu(part=part)
    for entry in parts:
        made.parts.append(Link(entry.label, allowed[entry], "" if entry is not part else "true" if below else current))
    if part and below:
        made.pages.append(Link(part.first or part.label, allowed[part], current if part is here else ""))
        made.pages += [Link(entry.label, allowed[entry], current if entry is here else "") for entry in below]
    return made


def _of_areas(areas: Collection[str]) -> list[Entry]:
    """A page that several areas name stands where the first of them has it."""
    first: dict[str, Entry] = {}
    for entry in _entries:
        if not entry.area or entry.area in areas:
            first.setdefault(entry.url_name, entry)
    return list(first.values())


def _nearest(allowed: dict[Entry, str], path: str, front: str) -> Entry | None:
    """The entry whose address begins the path with the most of it. The front page begins all and counts for itself."""
    entries = [entry for entry, url in allowed.items() if path == url or (url != front and path.startswith(url))]
    return max(entries, key=lambda entry: len(allowed[entry]), default=None)
