"""The tables of a project of ratings; how they are kept and when computed anew, says reports/by_setting.py."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from projects.models import Preset, Project, RaterKind
from reports.by_setting import TOTAL, FiguresBySetting, Group, Reading
from reports.progress import progress
from reports.ratings import judging, people
from reports.ratings.fingerprints import fingerprints
from reports.ratings.groups import Context
from reports.ratings.loading import Loaded, load
from reports.ratings.results import Names, Results
from reports.ratings.scope import Scope
from reports.ratings.tables import judging as judging_tables
from reports.ratings.tables import people as people_tables
from reports.states import digest
from reports.tables import Table


BY_PEOPLE = ("texts", "people")


class Dashboard(FiguresBySetting):
    """One reading of the figures of ratings."""

    area = Preset.RATINGS.value
    groups = (
        Group("people", BY_PEOPLE, people, people_tables),
        Group("judges", (*BY_PEOPLE, "judges"), judging, judging_tables),
    )

    def fingerprints(self) -> Mapping[int, Mapping[str, str]]:
        return fingerprints(self.project)

    def context(self) -> Context:
        return Context.of(self.project, self.scope)

    def names(self, settings: list[int]) -> Names:
        return Names.of(self.project, settings)

    def load(self, settings: list[int]) -> Loaded:
        return load(self.project, settings, self.scope)

    def options(self, group: str, setting: int) -> dict[str, Any]:
        """Which two judges are compared, in the total alone."""
        if group != "judges" or setting != TOTAL or not (self.scope.setup and self.scope.other_setup):
            return {}
        return {"setups": tuple(self._judge(name) for name in (self.scope.setup, self.scope.other_setup))}

    def _judge(self, name: str) -> int:
        """Id of the judge of this name or pseudonym; 0 where there is none."""
        raters = self.project.raters.filter(kind=RaterKind.JUDGE)
        found = raters.filter(Q(pseudonym=name) | Q(name=name)).values_list("id", flat=True).first()
        return found or 0

    def results(self, names: Names, figures: Mapping, snapshots: Mapping[str, str]) -> Results:
        return Results(self.told, names, figures, snapshots)


def tables(project: Project, *, filters: Mapping[str, Any] | None = None) -> list[Table]:
    """Every table of the project's dashboard, progress first, in the reader's language.

    filters  see `scope.Scope`; raises projects.problems.Invalid for what it does not know.
    """
    return list(read(project, filters=filters).tables)


def read(project: Project, *, filters: Mapping[str, Any] | None = None) -> Reading:
    """As `tables`, with the state of everything that stands in them."""
    dashboard, work = Dashboard(project, Scope.of(filters)), progress(project)
    found = dashboard.tables()
    state = digest([work.recipe.signature(), [row.labels for row in work.rows], dashboard.state])
    return Reading((work, *found), state)
