"""The dashboards there are, one per area of a project: page, command and programming interface read them alike.

Adding one means writing its tables, describing it as a `Dashboard` and registering it (reports/apps.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from projects.models import Project
from projects.problems import Invalid, Problem
from reports.by_setting import Look, OnPart, Reading, unheard
from reports.filters import NarrowingForm
from reports.tables import Row, Table

ALL_RESPONSES = gettext_lazy("All responses")


@dataclass(frozen=True)
class Tile:
    """A figure that stands above all others on the page."""

    label: str
    figure: Figure
    unit: str
    note: str


@dataclass(frozen=True)
class Dashboard:
    """What a project of one area has to show.

    area       the preset whose projects it is of; an area may have several. Empty: of every project, and not among
               the tables of agreement that `tables` gives.
    page       url name of its page, which no other has; of each finding there are `page`-finding, -csv and -json.
    route      the page's address within a project, with a slash at its end; by default `page`.
    title, lead, empty   words of the page: lazy translations.
    filters    name of each filter and what it does, for programs; `form` offers the same to people.
    look       what the tables under filters rest on, and how they are read; raises projects.problems.Invalid for a
               value that is no choice.
    answers    the rows that the tables are made of: how many they are tells how long computing takes.
    tiles      the headline, from the filters and the tables.
    responses  url name of the list of responses; `address` leads from a row to those it counts, or "".
    responses_name   how that list is called on the page.
    """

    area: str
    page: str
    title: Any
    lead: Any
    empty: Any
    filters: Mapping[str, str]
    form: type[NarrowingForm]
    look: Callable[[Project, Mapping[str, Any]], Look]
    answers: Callable[[Project], Sequence[QuerySet[Any]]]
    tiles: Callable[[Project, Mapping[str, Any], Sequence[Table]], list[Tile]]
    responses: str
    address: Callable[[Project, Mapping[str, Any], Row], str]
    responses_name: Any = ALL_RESPONSES
    route: str = ""

    def read(self, project: Project, filters: Mapping[str, Any], on_part: OnPart = unheard) -> Reading:
        """The tables under filters, computed here and now where they are not kept; raises as `look`."""
        return self.look(project, filters).read(on_part)


_dashboards: dict[str, Dashboard] = {}


def register(*dashboards: Dashboard) -> None:
    _dashboards.update({dashboard.page: dashboard for dashboard in dashboards})


def of_page(page: str) -> Dashboard:
    return _dashboards[page]


def registered() -> list[Dashboard]:
    return list(_dashboards.values())


def all_filters() -> dict[str, str]:
    """Every filter of any dashboard, and what it does."""
    return {name: about for dashboard in _dashboards.values() for name, about in dashboard.filters.items()}


def tables(project: Project, filters: Mapping[str, Any], on_part: OnPart = unheard) -> list[Table]:
    """The tables of all areas of the project; one that two areas have stands once. `on_part` is told of each area how
    many of its parts are computed.

    Raises projects.problems.Invalid for a filter that none of them knows, or a value that is no choice.
    """
    return together([dashboard.read(project, own, on_part) for dashboard, own in asked_for(project, filters)])


def asked_for(project: Project, filters: Mapping[str, Any]) -> list[tuple[Dashboard, dict[str, Any]]]:
    """The dashboards of the project's areas, each with those of the filters that it knows; raises as `tables`."""
    ours = [dashboard for dashboard in _dashboards.values() if dashboard.area in project.areas]
    given = {name: value for name, value in filters.items() if value not in ("", None)}
    unknown = [name for name in given if not any(name in dashboard.filters for dashboard in ours)]
    problems = [Problem("unknown_filter", _("There is no such filter."), name) for name in unknown]
    asked = []
    for dashboard in ours:
        own = {name: value for name, value in given.items() if name in dashboard.filters}
        try:
            dashboard.look(project, own)
        except Invalid as invalid:
            problems += invalid.problems
        asked.append((dashboard, own))
    if problems:
        raise Invalid(problems)
    return asked


def together(readings: Sequence[Reading]) -> list[Table]:
    found: dict[str, Table] = {}
    for reading in readings:
        for table in reading.tables:
            found.setdefault(table.id, table)
    return list(found.values())


def as_json(project: Project, found: Sequence[Table]) -> dict[str, Any]:
    """Plain JSON types: what the command prints and the programming interface answers."""
    return {"project": project.slug, "tables": [table.as_json() for table in found]}
