"""The tables of a project of error spans; how they are kept and when computed anew, says reports/by_setting.py."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models import Preset, Project
from reports.by_setting import FiguresBySetting, Group, Look
from reports.progress import progress
from reports.spans import coding, judging, marking, penalties, validation
from reports.spans.fingerprints import fingerprints
from reports.spans.groups import Context
from reports.spans.loading import Loaded, load
from reports.spans.results import Names, Results
from reports.spans.scope import Scope
from reports.spans.tables import coding as coding_tables
from reports.spans.tables import judging as judging_tables
from reports.spans.tables import marking as marking_tables
from reports.spans.tables import penalties as penalty_tables
from reports.spans.tables import validation as validation_tables
from reports.tables import Table


class Dashboard(FiguresBySetting):
    """One reading of the figures of error spans."""

    area = Preset.SPANS.value
    groups = (
        Group("marking", ("responses", "answers"), marking, marking_tables, _("Errors that people and judges mark")),
        Group(
            "validation", ("responses", "answers", "reviews"), validation, validation_tables, _("Which errors are kept")
        ),
        Group(
            "judging",
            ("responses", "answers", "reviews", "gold", "calls"),
            judging,
            judging_tables,
            _("Judges and the final set of errors"),
        ),
        Group("coding", ("responses", "codings"), coding, coding_tables, _("What kind of errors")),
        Group("penalties", ("responses", "answers"), penalties, penalty_tables, _("Errors as points")),
    )

    def fingerprints(self) -> Mapping[int, Mapping[str, str]]:
        return fingerprints(self.project)

    def context(self) -> Context:
        return Context.of(self.project, self.scope)

    def names(self, settings: list[int]) -> Names:
        return Names.of(self.project, self.told, settings)

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
