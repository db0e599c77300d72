"""The tables of a project of ratings; how they are kept and when computed anew, says reports/by_setting.py."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Preset, Project, RaterKind, TargetModel
from reports.by_setting import TOTAL, FiguresBySetting, Group, Look
from reports.progress import progress
from reports.ratings import alternative, judging, models, people, raters
from reports.ratings.fingerprints import fingerprints
from reports.ratings.groups import Context
from reports.ratings.loading import Loaded, load
from reports.ratings.results import Names, Results
from reports.ratings.scope import Scope
from reports.ratings.tables import alternative as alternative_tables
from reports.ratings.tables import judging as judging_tables
from reports.ratings.tables import models as model_tables
from reports.ratings.tables import people as people_tables
from reports.ratings.tables import raters as rater_tables
from reports.tables import Table

BY_PEOPLE = ("texts", "people")
BY_ALL = (*BY_PEOPLE, "judges")


class _OfRatings(FiguresBySetting):
    """What the dashboards of ratings share."""

    area = Preset.RATINGS.value

    def fingerprints(self) -> Mapping[int, Mapping[str, str]]:
        return fingerprints(self.project)

    def context(self) -> Context:
        return Context.of(self.project, self.scope)

    def names(self, settings: list[int]) -> Names:
        return Names.of(self.project, settings)

    def load(self, settings: list[int]) -> Loaded:
        return load(self.project, settings, self.scope)

    def results(self, names: Names, figures: Mapping, snapshots: Mapping[str, str]) -> Results:
        return Results(self.told, names, figures, snapshots)


class RatersDashboard(_OfRatings):
    """One reading of the figures of each person. A page of its own: severities of two thousand people take a while."""

    groups = (Group("raters", BY_PEOPLE, raters, rater_tables),)


class Dashboard(_OfRatings):
    """One reading of the figures of ratings."""

    groups = (
        Group("people", BY_PEOPLE, people, people_tables, _("How people grade")),
        Group("judges", BY_ALL, judging, judging_tables, _("Judges and gold")),
        Group("models", BY_ALL, models, model_tables, _("Target models beside each other")),
        Group("alternative", BY_ALL, alternative, alternative_tables, _("Judges in place of people")),
    )

    def options(self, group: str, setting: int) -> dict[str, Any]:
        """Which two judges, or which two target models, are compared, in the total alone."""
        scope = self.scope
        if setting == TOTAL and group == "judges" and scope.setup and scope.other_setup:
            return {"setups": (self._judge(scope.setup), self._judge(scope.other_setup))}
        if setting == TOTAL and group == "models" and scope.model and scope.other_model:
            return {"models": (self._model(scope.model), self._model(scope.other_model))}
        return {}

    def _judge(self, name: str) -> int:
        """Id of the judge of this name or pseudonym; 0 where there is none."""
        raters = self.project.raters.filter(Q(pseudonym=name) | Q(name=name), kind=RaterKind.JUDGE)
        return raters.values_list("id", flat=True).first() or 0

    def _model(self, name: str) -> int:
        return TargetModel.objects.filter(name=name).values_list("id", flat=True).first() or 0


def tables(project: Project, *, filters: Mapping[str, Any] | None = None) -> list[Table]:
    """Every table of the project's dashboard, progress first, in the reader's language.

    filters  see `scope.Scope`; raises projects.problems.Invalid for what it does not know.
    """
    return list(look(project, filters or {}).read().tables)


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    """The same tables before they are computed; raises as `tables`."""
    return Dashboard(project, Scope.of(filters)).look(before=lambda: (progress(project),))


def look_at_raters(project: Project, filters: Mapping[str, Any]) -> Look:
    """The table of people; raises as `tables`."""
    return RatersDashboard(project, Scope.of(filters)).look()
