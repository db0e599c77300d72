"""The dashboards there are, one per area of a project: page, command and programming interface read them alike.

Adding one means writing its tables, describing it as a `Dashboard` and registering it (reports/apps.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from projects.models import Project
from projects.problems import Invalid, Problem
from reports.by_setting import Reading
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
    page       url name of its page, which no other has; its files are `page`-csv and `page`-json.
    title, lead, empty   words of the page: lazy translations.
    filters    name of each filter and what it does, for programs; `form` offers the same to people.
    read       the tables under filters; raises projects.problems.Invalid for a value that is no choice.
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
    read: Callable[[Project, Mapping[str, Any]], Reading]
    tiles: Callable[[Project, Mapping[str, Any], Sequence[Table]], list[Tile]]
    responses: str
    address: Callable[[Project, Mapping[str, Any], Row], str]
    responses_name: Any = ALL_RESPONSES


_dashboards: dict[str, Dashboard] = {}


def register(*dashboards: Dashboard) -> None:
    _dashboards.update({dashboard.page: dashboard for dashboard in dashboards})


def of_page(page: str) -> Dashboard:
    return _dashboards[page]


def all_filters() -> dict[str, str]:
    """Every filter of any dashboard, and what it does."""
    return {name: about for dashboard in _dashboards.values() for name, about in dashboard.filters.items()}


def tables(project: Project, filters: Mapping[str, Any]) -> list[Table]:
    """The tables of all areas of the project; one that two areas have stands once.

    Raises projects.problems.Invalid for a filter that none of them knows, or a value that is no choice.
    """
    ours = [dashboard for dashboard in _dashboards.values() if dashboard.area in project.areas]
    given = {name: value for name, value in filters.items() if value not in ("", None)}
    unknown = [name for name in given if not any(name in dashboard.filters for dashboard in ours)]
    problems = [Problem("unknown_filter", _("There is no such filter."), name) for name in unknown]
    found: dict[str, Table] = {}
    for dashboard in ours:
        own = {name: value for name, value in given.items() if name in dashboard.filters}
        try:
            read = dashboard.read(project, own)
        except Invalid as invalid:
            problems += invalid.problems
            continue
        for table in read.tables:
            found.setdefault(table.id, table)
    if problems:
        raise Invalid(problems)
    return list(found.values())


def as_json(project: Project, found: Sequence[Table]) -> dict[str, Any]:
    """Plain JSON types: what the command prints and the programming interface answers."""
    return {"project": project.slug, "tables": [table.as_json() for table in found]}
