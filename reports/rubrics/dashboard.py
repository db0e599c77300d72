"""The tables of a project of rubrics; how they are kept and when computed anew, says reports/by_setting.py."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models import Preset, Project
from reports.by_setting import FiguresBySetting, Group, Look
from reports.progress import progress
from reports.rubrics import criteria, failures, judging, scores, severity
from reports.rubrics.fingerprints import fingerprints
from reports.rubrics.groups import Context
from reports.rubrics.loading import Loaded, load
from reports.rubrics.results import Names, Results
from reports.rubrics.scope import Scope
from reports.rubrics.tables import criteria as criteria_tables
from reports.rubrics.tables import failures as failure_tables
from reports.rubrics.tables import judging as judging_tables
from reports.rubrics.tables import scores as score_tables
from reports.rubrics.tables import severity as severity_tables
from reports.tables import Table

BY_PEOPLE = ("responses", "people")
VERDICTS = ("verdicts", "verdicts_of_judges")


class Dashboard(FiguresBySetting):
    """One reading of the figures of rubrics."""

    area = Preset.RUBRICS.value
    groups = (
        Group("scores", BY_PEOPLE, scores, score_tables, _("How people grade")),
        Group(
            "judges", (*BY_PEOPLE, "judges", "calls"), judging, judging_tables, _("Judges and people"), ("criteria",)
        ),
        Group(
            "criteria",
            (*BY_PEOPLE, "judges", "errors", *VERDICTS),
            criteria,
            criteria_tables,
            _("Criterion by criterion"),
        ),
        Group("failures", (*BY_PEOPLE, "errors"), failures, failure_tables, _("What goes wrong")),
        Group("severity", (*BY_PEOPLE, "verdicts", "speakers"), severity, severity_tables, _("How severe people are")),
    )

    def fingerprints(self) -> Mapping[int, Mapping[str, str]]:
        return fingerprints(self.project)

    def context(self) -> Context:
        return Context(self.scope)

    def names(self, settings: list[int]) -> Names:
        return Names.of(self.project, settings)

    def load(self, settings: list[int]) -> Loaded:
        return load(self.project, settings, self.scope)

    def results(self, names: Names, figures: Mapping, snapshots: Mapping[str, str]) -> Results:
        return Results(self.told, names, figures, snapshots)


def tables(project: Project, *, filters: Mapping[str, Any] | None = None) -> list[Table]:
    """Every table of the project's dashboard, progress first, in the reader's language.

    filters  see `scope.Scope`; raises projects.problems.Invalid for what it does not know.
    """
    return list(look(project, filters or {}).read().tables)


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    """The same tables before they are computed; raises as `tables`."""
    return Dashboard(project, Scope.of(filters)).look(before=lambda: (progress(project),))
