"""Figures computed variety by variety, and only where answers have changed.

Three things are kept, each under the state of the answers it rests on: what figures of a variety are made of, the
figures of a variety and of all varieties, and the finished tables in a language. A new answer changes the state of
one variety, so the figures of that variety and of all varieties together are computed again, and nothing else.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import get_language, gettext_lazy

from projects.models import LanguageVariety, Project
from reports.dashboard import cache
from reports.dashboard.freshness.revisions import digest
from reports.dashboard.measures import Measures
from reports.dashboard.names import TOTAL
from reports.dashboard.reader import Reader
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext, Scope
from reports.dashboard.tables import Table
from reports.verification import Shown

#: The group of tables that stand before all others and are read afresh each time, and its title.
BEFORE, TITLE_BEFORE = "before", gettext_lazy("How far the work is")
# What a measure raises that is wrong, or that meets answers nobody thought of. What is refused, interrupted or out of
# reach is none of these.
DEFECTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
logger = logging.getLogger(__name__)
#: Told while something is computed how many parts of how many are done.
OnPart = Callable[[int, int], object]


def never(_project: Project) -> bool:
    """Whether figures take long however few answers they are of."""
    return False


def unheard(done: int, total: int) -> None:
    """Where nobody waits to hear how far it is."""


@dataclass(frozen=True)
class Group:
    """Figures that rest on the same answers, and what of a fingerprint they depend on.

    parts  of the answers, as the area's reader names them.
    title  what its tables are about, above them on the page; a lazy translation.
    reads  other groups whose figures its words speak of: they are computed first. Those that stand before it are there
           in any case.
    together_only  whether there are figures of all varieties together alone.
    """

    measures: Measures
    parts: tuple[str, ...] = ("responses",)
    title: Any = ""
    reads: tuple[str, ...] = ()
    together_only: bool = False

    @property
    def name(self) -> str:
        return self.measures.GROUP


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
class Source:
    """What figures of an area are made of: its reader, the class that its tables are written from, and what they depend
    on beside the answers."""

    reader: Reader
    results: type[Results] = Results
    context: type[BaseContext] = BaseContext


#: What the figures of a group and a variety, or TOTAL, were made of.
PartsOf = Callable[[str, int], Sequence[Any]]


@dataclass(frozen=True)
class Alphas:
    """The alphas among the figures of a dashboard, for whoever computes them once more.

    tables   ids of the tables that show one; groups  the names of the groups whose figures they are.
    read     every one with the rows that it was made from.
    """

    tables: tuple[str, ...]
    groups: tuple[str, ...]
    read: Callable[[Any, PartsOf], Iterator[Shown]]


#: What a reader chose that the figures of a group in a variety depend on and their statistics do not, by the name under
#: which the group's `figures` takes it.
Options = Callable[[Project, Any, str, int], Mapping[str, Any]]


def no_options(project: Project, scope: Any, group: str, variety: int) -> Mapping[str, Any]:
    return {}


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


def look_at(key: str, make: Callable[[OnPart], Any]) -> Look:
    """What is made as one whole and kept under this key, which stands for its state."""

    def read(on_part: OnPart = unheard) -> Any:
        return cache.remembered({"whole": key}, lambda _missing: {"whole": make(on_part)})["whole"]

    return Look(key, cache.are_kept([key]), read)


class FiguresByVariety:
    """One reading of a project's figures. `computed` says what was not kept from before: (group, variety or TOTAL)."""

    def __init__(
        self,
        area: str,
        project: Project,
        scope: Scope,
        source: Source,
        groups: tuple[Group, ...],
        options: Options = no_options,
    ):
        self.area, self.project, self.scope, self.source, self.groups = area, project, scope, source, groups
        self.options = partial(options, project, scope)
        self.computed: list[tuple[str, int]] = []
        self.state = ""
        self.on_part: OnPart = unheard
        self.on_group: OnGroup = ignore_group
        self.done = self.total = 0
        self.written: dict[str, list[TableGroup]] = {}
        self.defects: list[Exception] = []

    def load(self, varieties: list[int]) -> Any:
        """The answers in these varieties."""
        return self.source.reader.load(self.project, varieties, self.scope)

    def look(self, before: Callable[[], Sequence[Table]] = tuple) -> Look:
        """The figures as the answers are now; `before` gives tables that stand before them and are never kept."""
        names = self._look()
        groups = [(group.name, str(group.title)) for group in self.groups] if self.varieties else []
        if before is not tuple:
            groups.insert(0, (BEFORE, str(TITLE_BEFORE)))
        return Look(self.state, self._are_kept(), partial(self._read, names, before), tuple(groups))

    def tables(self) -> list[Table]:
        """The tables as the answers are now: those that are kept, or else made, and kept for the next."""
        return [table for group in self._groups(self._look()) for table in group.tables]

    def shown_alphas(self, alphas: Alphas, on_part: OnPart = unheard) -> list[Shown]:
        """The alphas as the answers are now, with their rows. What is not kept is computed, as for the tables."""
        names = self._look()
        if not self.varieties:
            return []
        self.on_part = on_part
        results = list(self._results(names))[-1][1]
        places = [(group, one) for group in alphas.groups for one in self.varieties]
        parts = self._statistics(places)
        return list(alphas.read(results, lambda group, pool: [parts[group, one] for one in self._varieties_of(pool)]))

    def _are_kept(self) -> bool:
        """Whether the tables are there in the reader's language, or the figures that they are written from."""
        if not self.varieties:
            return True
        self.written = cache.kept([self.state])
        if self.written:
            return True
        return cache.are_kept([self._key(place) for place in self._places()])

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
        of_first = [part for table in first for part in (table.recipe.signature(), [row.labels for row in table.rows])]
        tables = tuple(table for group in groups for table in group.tables)
        return Reading(tables, digest([*of_first, self.state]), tuple(groups))

    def _groups(self, names: Any) -> list[TableGroup]:
        if not self.varieties:
            return []
        if self.state in self.written:  # fetched for the look, and large
            return self.written[self.state]
        tables = cache.remembered({"tables": self.state}, lambda _missing: {"tables": self._written(names)})
        return tables["tables"]

    def _look(self) -> Any:
        """See in which state the answers are; return the names that the tables of that state are written with."""
        self.context = self.source.context.of(self.project, self.scope)
        self.varieties, self.states = self._states()
        if not self.varieties:
            return None
        names = self.source.results.named(self.project, self.context, self.varieties)
        self.state = cache.key_of(
            "tables",
            [group.name for group in self.groups],
            self.area,
            self.project.pk,
            self.scope,
            get_language(),
            self.states,
            names,
            self.context,
        )
        return names

    def _states(self) -> tuple[list[int], dict[tuple[str, int], str]]:
        """The varieties of the scope, and the state of the answers that a group's figures of each rest on.

        The state of TOTAL is made of the others, so whatever is new in one variety is new in the total.
        """
        fingerprints = self.source.reader.fingerprints(self.project)
        if tag := getattr(self.scope, "variety", ""):
            chosen = LanguageVariety.objects.filter(tag=tag).values_list("id", flat=True)
            fingerprints = {variety: fingerprints[variety] for variety in chosen if variety in fingerprints}
        varieties = sorted(fingerprints)
        states: dict[tuple[str, int], str] = {}
        for group in self.groups:
            of_group = {one: digest([fingerprints[one][part] for part in group.parts]) for one in varieties}
            states |= {(group.name, one): state for one, state in of_group.items()}
            states[group.name, TOTAL] = digest(of_group)
        return varieties, states

    def _written(self, names: Any) -> list[TableGroup]:
        written = []
        for group, results in self._results(names):
            with self._others_go_on(group.name):
                tables = tuple(group.measures.tables(results))
                written.append(TableGroup(group.name, str(group.title), tables))
                self.on_group(written[-1])
        return written

    @contextmanager
    def _others_go_on(self, group: str) -> Iterator[None]:
        """A defect of one group does not keep anybody from the figures of the others: it is raised after the last."""
        try:
            yield
        except DEFECTS as defect:
            logger.exception("the figures of the group %s of %s cannot be computed", group, self.area)
            self.defects.append(defect)

    def _results(self, names: Any) -> Iterator[tuple[Group, Results]]:
        """Each group with the figures that its tables are written from: computed group by group, and kept as they
        come. Groups with a defect are left out; after the last group the first defect is raised."""
        self.defects = []
        keys = {place: self._key(place) for place in self._places()}
        values = cache.kept(keys.values())
        figures: dict[str, dict[int, Any]] = {group.name: {} for group in self.groups}
        for (name, variety), key in keys.items():
            if key in values:
                figures[name][variety] = values[key]
        missing = [(name, variety) for name, variety in keys if variety not in figures[name]]
        parts = self._begin(missing)
        snapshots = {group.name: self.states[group.name, TOTAL] for group in self.groups}
        by_name = {group.name: group for group in self.groups}
        for group in self.groups:
            is_whole = False
            with self._others_go_on(group.name):
                for name in (group.name, *group.reads):
                    made = self._figures(by_name[name], [place for place in missing if place[0] == name], parts)
                    cache.keep({keys[place]: value for place, value in made.items()})
                    figures[name] |= {variety: value for (_name, variety), value in made.items()}
                    missing = [place for place in missing if place[0] != name]
                is_whole = True
            if is_whole:
                yield group, self.source.results(self.context, names, figures, snapshots, group.name)
        if self.defects:
            raise self.defects[0]

    def _places(self) -> list[tuple[str, int]]:
        """Group and variety, or TOTAL, of all figures."""
        together_only = {group.name for group in self.groups if group.together_only}
        return [place for place in self.states if place[1] == TOTAL or place[0] not in together_only]

    def _key(self, place: tuple[str, int]) -> str:
        scope = (self.scope.of_a_variety, *sorted(self.options(*place).items()))
        return cache.key_of("figures", self.area, self.project.pk, scope, *place, self.states[place])

    def _begin(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        """The statistics that the missing figures are made from; the answers are loaded once for all of them."""
        self.computed += missing
        self.done, self.total = 0, len(missing)
        return self._statistics([(name, one) for name, pool in missing for one in self._varieties_of(pool)])

    def _figures(
        self, group: Group, missing: Sequence[tuple[str, int]], parts: Mapping[tuple[str, int], Any]
    ) -> dict[tuple[str, int], Any]:
        made = {}
        for place in missing:
            made[place] = group.measures.figures(
                [parts[group.name, one] for one in self._varieties_of(place[1])],
                is_total=place[1] == TOTAL,
                **self.options(*place),
            )
            self._say(1)
        return made

    def _say(self, done: int) -> None:
        self.done += done
        self.on_part(self.done, self.total)

    def _varieties_of(self, pool: int) -> list[int]:
        return self.varieties if pool == TOTAL else [pool]

    def _statistics(self, places: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        """Statistics of each of these groups in each of these varieties.

        Groups that rest on the same answers are new together and kept together: a file for each of them would take
        longer to write than many take to compute.
        """
        alike: dict[tuple[str, ...], list[str]] = {}
        for group in self.groups:
            alike.setdefault(group.parts, []).append(group.name)
        of_group = {name: tuple(names) for names in alike.values() for name in names}
        whose = (self.area, self.project.pk, (self.scope.of_a_variety,))
        keys = {
            (names, variety): cache.key_of("statistics", *whose, names, variety, self.states[names[0], variety])
            for names, variety in dict.fromkeys((of_group[name], variety) for name, variety in places)
        }
        stored = cache.kept(keys.values())
        found = {pack: stored[key] for pack, key in keys.items() if key in stored}
        if missing := [pack for pack in keys if pack not in found]:
            made = self._made(missing)
            cache.keep({keys[pack]: made[pack] for pack in missing if len(made[pack]) == len(pack[0])})
            found |= made
        return {(name, variety): one for (_names, variety), pack in found.items() for name, one in pack.items()}

    def _made(self, missing: Sequence[tuple[tuple[str, ...], int]]) -> dict[tuple[tuple[str, ...], int], Any]:
        """By groups and variety the statistics of each group, of those without a defect."""
        wanted = [group for group in self.groups if any(group.name in names for names, _variety in missing)]
        self.total += 1 + len(wanted)
        self._say(0)
        loaded = self.load(sorted({variety for _names, variety in missing}))
        self._say(1)
        made = {}
        for group in wanted:
            with self._others_go_on(group.name):
                made[group.name] = group.measures.statistics(loaded, self.context)
            self._say(1)
        return {
            (names, variety): {name: made[name][variety] for name in names if name in made}
            for names, variety in missing
        }
