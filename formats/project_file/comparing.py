"""In what two projects differ, a line for each difference: of lists whose entries have a short name, entry by entry."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

#: What tells the entries of a list apart, the first that all of them have.
NAMES = ("slug", "name", "tag", "grade", "stage", "key", "number")
SHOWN = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is another one there. `before` or `after` None: it is on one side alone."""

    place: str
    before: Any
    after: Any

    def __str__(self) -> str:
        if self.before is None:
            return f"+ {self.place}: {shortened(self.after)}"
        if self.after is None:
            return f"- {self.place}: {shortened(self.before)}"
        return f"~ {self.place}: {shortened(self.before)} → {shortened(self.after)}"

    @property
    def before_shown(self) -> str:
        return "–" if self.before is None else shortened(self.before)

    @property
    def after_shown(self) -> str:
        return "–" if self.after is None else shortened(self.after)

    def as_json(self) -> dict[str, Any]:
        return {"place": self.place, "before": self.before, "after": self.after}


def shortened(value: Any) -> str:
    """On one line, as much of it as can be read at a glance."""
    if isinstance(value, dict):
        text = ", ".join(f"{key}: {shortened(inner)}" for key, inner in value.items())
    elif isinstance(value, list):
        text = ", ".join(map(shortened, value))
    elif isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = " ".join(str(value).split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def differences(before: Any, after: Any, place: str = "") -> Iterator[Difference]:
    """All of them, in the order of the file."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            yield from differences(before.get(key), after.get(key), f"{place}.{key}" if place else str(key))
        return
    named = (_named(before or []), _named(after or []))
    if isinstance(before or [], list) and isinstance(after or [], list) and None not in named:
        yield from _of_lists(named[0] or {}, named[1] or {}, place)
        return
    yield Difference(place, before, after)


def _of_lists(before: dict[str, Any], after: dict[str, Any], place: str) -> Iterator[Difference]:
    for name in dict.fromkeys([*before, *after]):
        yield from differences(before.get(name), after.get(name), f"{place}[{name}]")
    kept = [[name for name in side if name in before and name in after] for side in (before, after)]
    if kept[0] != kept[1]:
        yield Difference(_("%(place)s, in order") % {"place": place}, kept[0], kept[1])


def _named(entries: Any) -> dict[str, Any] | None:
    """The entries of a list by what tells them apart; None where nothing does."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return None
    for name in NAMES:
        found = {str(entry[name]): entry for entry in entries if name in entry}
        if len(found) == len(entries):
            return found
    return None
