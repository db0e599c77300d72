"""Figures computed setting by setting, and only where answers have changed.

Three things are kept, each under the state of the answers it rests on: what figures of a setting are made of, the
figures of a setting and of all settings, and the finished tables in a language. A new answer changes the state of
one setting, so the figures of that setting and of all settings together are computed again, and nothing else.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, ClassVar

from django.utils.translation import get_language, gettext_lazy

from projects.models import LanguageVariety, Project
from reports import cache
from reports.revisions import digest
from reports.tables import Table

#: In place of a setting's id: all settings of the scope put together.
TOTAL = 0
#: The group of tables that stand before all others and are read afresh each time, and its title.
BEFORE, TITLE_BEFORE = "before", gettext_lazy("How far the work is")
#: Told while something is computed how many parts of how many are done.
OnPart = Callable[[int, int], object]


def unheard(done: int, total: int) -> None:
    """Where nobody waits to hear how far it is."""


@dataclass(frozen=True)
class Group:
    """Figures that rest on the same answers: what of a fingerprint they depend on, their arithmetic, their words.

    arithmetic  a module with `statistics(loaded, context)` (of each setting: plain arrays that are put together with
                those of other settings) and `figures(parts, is_total)`.
    words       a module with `tables(results)`.
    title       what its tables are about, above them on the page; a lazy translation.
    reads       other groups whose figures its words speak of: they are computed first. Those that stand before it
                are there in any case.
    """

    name: str
    parts: tuple[str, ...]
    arithmetic: ModuleType
    words: ModuleType
    title: Any = ""
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableGroup:
    """The tables of one group, finished: name and title as `Group` has them, in the language of the reader."""

    name: str
    title: str
    tables: tuple[Table, ...]


#: Given the tables of a group as soon as they are finished.
OnGroup = Callable[[TableGroup], object]


def ignore_group(group: TableGroup) -> None:
    """Where nobody shows a group before all are there."""


@dataclass(frozen=True)
class Reading:
    """The tables, and the state they are in: what is made of them may be kept under it.

    groups  the same tables in their groups, in the same order; empty where there is but one group without a title.
    """

    tables: tuple[Table, ...]
    state: str
    groups: tuple[TableGroup, ...] = ()


@dataclass(frozen=True)
class Look:
    """What figures rest on as it is now, before any of them is computed.

    state     stands for the answers, and for whatever else the figures are made from.
    is_kept   whether all that takes long is there: `read` has at most words to write.
    read      the figures in that state, whatever is written meanwhile; computes what is not kept, and says how far
              it is. Of a dashboard a Reading.
    groups    name and title of each group that will be in the reading. Where there are any, `read` takes an OnGroup
              as its second argument and calls it with each group as soon as its tables are finished.
    """

    state: str
    is_kept: bool
    read: Callable[..., Any]
    groups: tuple[tuple[str, str], ...] = ()


class FiguresBySetting(ABC):
    """One reading of a project's figures. `computed` says what was not kept from before: (group, setting or TOTAL).

    A kind of project's own class says which groups of figures there are, what state its answers are in, how they are
    loaded, and what its tables are written from.
    """

    area: ClassVar[str]
    groups: ClassVar[tuple[Group, ...]]

    def __init__(self, project: Project, scope: Any):
        self.project, self.scope = project, scope
        self.computed: list[tuple[str, int]] = []
        self.state = ""
        self.on_part: OnPart = unheard
        self.on_group: OnGroup = ignore_group
        self.done = self.total = 0
        self.written: dict[str, list[TableGroup]] = {}

    @abstractmethod
    def fingerprints(self) -> Mapping[int, Mapping[str, str]]:
        """Variety id to the fingerprint of each part, for every variety with answers to speak of."""

    @abstractmethod
    def context(self) -> Any:
        """What figures depend on beside the answers."""

    @abstractmethod
    def names(self, settings: list[int]) -> Any:
        """What tables are written with beside figures; part of what they are kept under."""

    @abstractmethod
    def load(self, settings: list[int]) -> Any:
        """The answers in these settings."""

    @abstractmethod
    def results(self, names: Any, figures: Mapping[str, Mapping[int, Any]], snapshots: Mapping[str, str]) -> Any:
        """What the groups' words are written from."""

    def options(self, group: str, setting: int) -> dict[str, Any]:
        """What a reader chose that these figures depend on and their statistics do not; `figures` takes it by name."""
        return {}

    def look(self, before: Callable[[], Sequence[Table]] = tuple) -> Look:
        """The figures as the answers are now; `before` gives tables that stand before them and are never kept."""
        names = self._look()
        groups = [(group.name, str(group.title)) for group in self.groups] if self.settings else []
        if before is not tuple:
            groups.insert(0, (BEFORE, str(TITLE_BEFORE)))
        return Look(self.state, self._are_kept(), partial(self._read, names, before), tuple(groups))

    def tables(self) -> list[Table]:
        """The tables as the answers are now: those that are kept, or else made, and kept for the next."""
        return [table for group in self._groups(self._look()) for table in group.tables]

    def _are_kept(self) -> bool:
        """Whether the tables are there in the reader's language, or the figures that they are written from."""
        if not self.settings:
            return True
        self.written = cache.kept([self.state])
        if self.written:
            return True
        return cache.are_kept([self._key("figures", place) for place in self.states])

    def _read(
        self,
        names: Any,
        before: Callable[[], Sequence[Table]],
        on_part: OnPart = unheard,
        on_group: OnGroup = ignore_group,
    ) -> Reading:
        self.on_part, self.on_group = on_part, on_group
        first = tuple(before())
        groups = [TableGroup(BEFORE, str(TITLE_BEFORE), first)] if first else []
        for group in groups:
            on_group(group)
        groups += self._groups(names)
        told = [part for table in first for part in (table.recipe.signature(), [row.labels for row in table.rows])]
        tables = tuple(table for group in groups for table in group.tables)
        return Reading(tables, digest([*told, self.state]), tuple(groups))

    def _groups(self, names: Any) -> list[TableGroup]:
        if not self.settings:
            return []
        if self.state in self.written:  # fetched for the look, and large
            return self.written[self.state]
        kept = cache.remembered({"tables": self.state}, lambda _missing: {"tables": self._written(names)})
        return kept["tables"]

    def _look(self) -> Any:
        """See in which state the answers are; return the names that the tables of that state are written with."""
        self.told = self.context()
        self.settings, self.states = self._states()
        if not self.settings:
            return None
        names = self.names(self.settings)
        self.state = cache.key_of(
            "tables",
            type(self).__name__,
            self.area,
            self.project.pk,
            self.scope,
            get_language(),
            self.states,
            names,
            self.told,
        )
        return names

    def _states(self) -> tuple[list[int], dict[tuple[str, int], str]]:
        """The settings of the scope, and the state of the answers that a group's figures of each rest on.

        The state of TOTAL is made of the others, so whatever is new in one setting is new in the total.
        """
        found = self.fingerprints()
        if self.scope.variety:
            chosen = LanguageVariety.objects.filter(tag=self.scope.variety).values_list("id", flat=True)
            found = {variety: found[variety] for variety in chosen if variety in found}
        settings = sorted(found)
        states: dict[tuple[str, int], str] = {}
        for group in self.groups:
            of_group = {one: digest([found[one][part] for part in group.parts]) for one in settings}
            states |= {(group.name, one): state for one, state in of_group.items()}
            states[group.name, TOTAL] = digest(of_group)
        return settings, states

    def _written(self, names: Any) -> list[TableGroup]:
        """Computes group by group, keeps the figures of each as they come, and shows its tables to `on_group`."""
        keys = {place: self._key("figures", place) for place in self.states}
        values = cache.kept(keys.values())
        figures: dict[str, dict[int, Any]] = {group.name: {} for group in self.groups}
        for (name, setting), key in keys.items():
            if key in values:
                figures[name][setting] = values[key]
        missing = [(name, setting) for name, setting in keys if setting not in figures[name]]
        parts = self._begin(missing)
        snapshots = {group.name: self.states[group.name, TOTAL] for group in self.groups}
        by_name = {group.name: group for group in self.groups}
        written = []
        for group in self.groups:
            for name in (group.name, *group.reads):
                made = self._figures(by_name[name], [place for place in missing if place[0] == name], parts)
                cache.keep({keys[place]: value for place, value in made.items()})
                figures[name] |= {setting: value for (_name, setting), value in made.items()}
                missing = [place for place in missing if place[0] != name]
            tables = tuple(group.words.tables(self.results(names, figures, snapshots)))
            written.append(TableGroup(group.name, str(group.title), tables))
            self.on_group(written[-1])
        return written

    def _key(self, what: str, place: tuple[str, int]) -> str:
        chosen = sorted(self.options(*place).items()) if what == "figures" else []
        scope = (self.scope.of_a_setting, *chosen)
        return cache.key_of(what, self.area, self.project.pk, scope, *place, self.states[place])

    def _begin(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        """The statistics that the missing figures are made from; the answers are loaded once for all of them."""
        self.computed += missing
        needed = {(name, one) for name, pool in missing for one in self._settings_of(pool)}
        self.done, self.total = 0, len(missing)
        keys = {place: self._key("statistics", place) for place in sorted(needed)}
        return cache.remembered(keys, self._statistics) if keys else {}

    def _figures(
        self, group: Group, missing: Sequence[tuple[str, int]], parts: Mapping[tuple[str, int], Any]
    ) -> dict[tuple[str, int], Any]:
        made = {}
        for place in missing:
            made[place] = group.arithmetic.figures(
                [parts[group.name, one] for one in self._settings_of(place[1])],
                is_total=place[1] == TOTAL,
                **self.options(*place),
            )
            self._say(1)
        return made

    def _say(self, done: int) -> None:
        self.done += done
        self.on_part(self.done, self.total)

    def _settings_of(self, pool: int) -> list[int]:
        return self.settings if pool == TOTAL else [pool]

    def _statistics(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        arithmetic = {group.name: group.arithmetic for group in self.groups}
        names = dict.fromkeys(name for name, _setting in missing)
        self.total += 1 + len(names)
        self._say(0)
        loaded = self.load(sorted({setting for _name, setting in missing}))
        self._say(1)
        made = {}
        for name in names:
            made[name] = arithmetic[name].statistics(loaded, self.told)
            self._say(1)
        return {(name, setting): made[name][setting] for name, setting in missing}
