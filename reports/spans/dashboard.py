"""The tables of a project of error spans: computed setting by setting, and only where answers have changed.

Three things are kept, each under the state of the answers it rests on: what figures of a setting are made of, the
figures of a setting and of all settings, and the finished tables in a language. A new answer changes the state of
one setting, so the figures of that setting and of all settings together are computed again, and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from django.utils.translation import get_language

from annotation.settlement import review_rules
from projects.models import LanguageVariety, Project
from reports import cache
from reports.spans import coding, judging, marking, penalties, validation
from reports.spans.fingerprints import digest, fingerprints
from reports.spans.groups import Context
from reports.spans.loading import load
from reports.spans.progress import progress
from reports.spans.results import TOTAL, Names, Results
from reports.spans.scope import Scope
from reports.spans.tables import coding as coding_tables
from reports.spans.tables import judging as judging_tables
from reports.spans.tables import marking as marking_tables
from reports.spans.tables import penalties as penalty_tables
from reports.spans.tables import validation as validation_tables
from reports.tables import Table

__all__ = ["as_json", "progress", "read", "tables"]


@dataclass(frozen=True)
class Group:
    """Figures that rest on the same answers: what of a fingerprint they depend on, their arithmetic, their words."""

    name: str
    parts: tuple[str, ...]
    arithmetic: ModuleType
    words: ModuleType


GROUPS = (
    Group("marking", ("responses", "answers"), marking, marking_tables),
    Group("validation", ("responses", "answers", "reviews"), validation, validation_tables),
    Group("judging", ("responses", "answers", "reviews", "gold", "calls"), judging, judging_tables),
    Group("coding", ("responses", "codings"), coding, coding_tables),
    Group("penalties", ("responses", "answers"), penalties, penalty_tables),
)
BY_NAME = {group.name: group for group in GROUPS}


def tables(project: Project, *, filters: Mapping[str, Any] | None = None) -> list[Table]:
    """Every table of the project's dashboard, progress first, in the reader's language.

    filters  see `scope.Scope`; raises projects.problems.Invalid for what it does not know.
    """
    return list(read(project, filters=filters).tables)


@dataclass(frozen=True)
class Reading:
    """The tables, and the state they are in: what is made of them may be kept under it."""

    tables: tuple[Table, ...]
    state: str


def read(project: Project, *, filters: Mapping[str, Any] | None = None) -> Reading:
    """As `tables`, with the state of everything that stands in them."""
    dashboard, work = Dashboard(project, Scope.of(filters)), progress(project)
    found = dashboard.tables()
    state = digest([work.recipe.signature(), [row.labels for row in work.rows], dashboard.state])
    return Reading((work, *found), state)


def as_json(project: Project, found: Sequence[Table]) -> dict:
    """Plain JSON types: what the command prints and the programming interface answers."""
    return {"project": project.slug, "tables": [table.as_json() for table in found]}


@dataclass
class Dashboard:
    """One reading of a project's figures. `computed` says what was not kept from before: (group, setting or TOTAL)."""

    project: Project
    scope: Scope
    computed: list[tuple[str, int]] = field(default_factory=list)
    state: str = ""

    def tables(self) -> list[Table]:
        self.context = Context.of(self.project, self.scope)
        self.settings, self.states = self._states()
        if not self.settings:
            return []
        names = Names.of(self.project, self.context, self.settings)
        policy = str(review_rules([self.project.pk])[self.project.pk].policy)
        self.state = cache.key_of("tables", self.project.pk, self.scope, get_language(), self.states, names, policy)
        kept = cache.remembered({"tables": self.state}, lambda _missing: {"tables": self._written(names, policy)})
        return kept["tables"]

    def _states(self) -> tuple[list[int], dict[tuple[str, int], str]]:
        """The settings of the scope, and the state of the answers that a group's figures of each rest on.

        The state of TOTAL is made of the others, so whatever is new in one setting is new in the total.
        """
        found = fingerprints(self.project)
        if self.scope.variety:
            chosen = LanguageVariety.objects.filter(tag=self.scope.variety).values_list("id", flat=True)
            found = {variety: found[variety] for variety in chosen if variety in found}
        settings = sorted(found)
        states: dict[tuple[str, int], str] = {}
        for group in GROUPS:
            of_group = {one: digest([found[one][part] for part in group.parts]) for one in settings}
            states |= {(group.name, one): state for one, state in of_group.items()}
            states[group.name, TOTAL] = digest(of_group)
        return settings, states

    def _written(self, names: Names, policy: str) -> list[Table]:
        keys = {place: self._key("figures", place) for place in self.states}
        kept = cache.remembered(keys, self._figures)
        figures: dict[str, dict[int, Any]] = {group.name: {} for group in GROUPS}
        for (name, setting), found in kept.items():
            figures[name][setting] = found
        snapshots = {group.name: self.states[group.name, TOTAL] for group in GROUPS}
        results = Results(self.context, names, policy, figures, snapshots)
        return [table for group in GROUPS for table in group.words.tables(results)]

    def _key(self, what: str, place: tuple[str, int]) -> str:
        return cache.key_of(what, self.project.pk, self.scope.of_a_setting, *place, self.states[place])

    def _figures(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        self.computed += missing
        needed = {(name, one) for name, pool in missing for one in self._settings_of(pool)}
        parts = cache.remembered({place: self._key("statistics", place) for place in sorted(needed)}, self._statistics)
        return {
            (name, pool): BY_NAME[name].arithmetic.figures(
                [parts[name, one] for one in self._settings_of(pool)], is_total=pool == TOTAL
            )
            for name, pool in missing
        }

    def _settings_of(self, pool: int) -> list[int]:
        return self.settings if pool == TOTAL else [pool]

    def _statistics(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        loaded = load(self.project, sorted({setting for _name, setting in missing}), self.scope)
        names = dict.fromkeys(name for name, _setting in missing)
        made = {name: BY_NAME[name].arithmetic.statistics(loaded, self.context) for name in names}
        return {(name, setting): made[name][setting] for name, setting in missing}
