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
from reports.spans.fingerprints import fingerprints, together
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

__all__ = ["progress", "tables"]


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
    return [progress(project), *Dashboard(project, Scope.of(filters)).tables()]


@dataclass
class Dashboard:
    """One reading of a project's figures. `computed` says what was not kept from before: (group, setting or TOTAL)."""

    project: Project
    scope: Scope
    computed: list[tuple[str, int]] = field(default_factory=list)

    def tables(self) -> list[Table]:
        self.context = Context.of(self.project, self.scope)
        self.states = self._states()
        names = Names.of(self.project, self.context, list(self.states))
        policy = review_rules([self.project.pk])[self.project.pk].policy
        key = cache.key_of(self.project.pk, self.scope, get_language(), self.states, names, str(policy))
        return cache.remembered({"tables": key}, lambda _missing: {"tables": self._written(names, str(policy))})[
            "tables"
        ]

    def _states(self) -> dict[int, dict[str, str]]:
        """Variety id to group name to the state of the answers it rests on, for the settings of the scope."""
        found = fingerprints(self.project)
        if self.scope.variety:
            chosen = LanguageVariety.objects.filter(tag=self.scope.variety).values_list("id", flat=True)
            found = {variety: parts for variety, parts in found.items() if variety in set(chosen)}
        return {
            variety: {group.name: together(parts[part] for part in group.parts) for group in GROUPS}
            for variety, parts in sorted(found.items())
        }

    def _written(self, names: Names, policy: str) -> list[Table]:
        snapshots = {group.name: self._state_of_all(group.name) for group in GROUPS}
        pools = [(group.name, setting) for group in GROUPS for setting in (*self.states, TOTAL)]
        keys = {
            (name, setting): self._key(
                "figures", name, snapshots[name] if setting == TOTAL else self.states[setting][name]
            )
            + ("" if setting == TOTAL else f":{setting}")
            for name, setting in pools
        }
        kept = cache.remembered(keys, self._figures)
        figures = {
            group.name: {setting: kept[group.name, setting] for setting in (*self.states, TOTAL)} for group in GROUPS
        }
        results = Results(self.context, names, policy, figures, snapshots)
        return [table for group in GROUPS for table in group.words.tables(results)]

    def _key(self, what: str, group: str, state: str) -> str:
        return cache.key_of(what, self.project.pk, self.scope.of_a_setting, group, state)

    def _state_of_all(self, group: str) -> str:
        return together(f"{setting}:{states[group]}" for setting, states in self.states.items())

    def _figures(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        self.computed += missing
        wanted = {
            (name, setting): self._key("statistics", name, self.states[setting][name]) + f":{setting}"
            for name, pool in missing
            for setting in (self.states if pool == TOTAL else [pool])
        }
        parts = cache.remembered(wanted, self._statistics)
        found = {}
        for name, pool in missing:
            chosen = list(self.states) if pool == TOTAL else [pool]
            found[name, pool] = BY_NAME[name].arithmetic.figures([parts[name, one] for one in chosen], pool == TOTAL)
        return found

    def _statistics(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Any]:
        loaded = load(self.project, sorted({setting for _name, setting in missing}), self.scope)
        names = dict.fromkeys(name for name, _setting in missing)
        made = {name: BY_NAME[name].arithmetic.statistics(loaded, self.context) for name in names}
        return {(name, setting): made[name][setting] for name, setting in missing}
