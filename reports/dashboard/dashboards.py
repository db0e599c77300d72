"""The dashboards there are, one per area of a project: page, command and programming interface read them alike.

Adding one means writing its tables, describing it as a `Dashboard` and naming it in its area (reports/areas.py).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from projects.models import Project, Response
from projects.problems import Invalid, Problem
from reports.dashboard.figures import (
    Alphas,
    FiguresByVariety,
    Group,
    Look,
    OnPart,
    Options,
    Reading,
    Source,
    never,
    no_options,
    unheard,
)
from reports.dashboard.filters import NarrowingForm
from reports.dashboard.scope import COMPARES, ResponseScope, Scope
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import count_text
from reports.verification import Shown

ALL_RESPONSES, NOTHING = gettext_lazy("All responses"), gettext_lazy("There is nothing to compare yet.")


@dataclass(frozen=True)
class Tile:
    """A figure that stands above all others on the page."""

    label: str
    figure: Figure
    unit: str
    note: str


#: From a project and the filters that lead to a row, the address of the list of what the row counts; "" for none.
Address = Callable[[Project, Mapping[str, Any], Row], str]


def responses_of(project: Project) -> list[QuerySet[Any]]:
    """The responses of the project, for a dashboard whose tables are made of nothing else."""
    return [Response.objects.filter(project=project)]


def no_tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    return []


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """What a project of one area has to show.

    area       the preset whose projects it is of; an area may have several. Empty: of every project, and not among
               the tables of agreement that `tables` gives.
    page       url name of its page, which no other has; of each finding there are `page`-finding, -csv and -json.
    route      the page's address within a project, with a slash at its end; by default `page`.
    title, lead, empty   words of the page: lazy translations.
    scope      what its figures may be narrowed by. offered  the fields of it that this page offers; () for all.
    source, groups, options   what its figures are made of, see `figures.FiguresByVariety`. first  gives tables that
               stand before them and are read afresh each time.
    own_look   how its tables are read where they are not figures by variety.
    answers    the rows that the tables are made of: how many they are tells how long computing takes.
    takes_long whether they take long however few they are.
    tiles      the headline, from the filters and the tables.
    responses  url name of the list of responses. listed  what that list may be narrowed by; None where no row leads
               to it. row_address  where a row leads, if it is another way than `address` has.
    responses_name   how that list is called on the page.
    alphas     the alphas among its figures, which can be verified; None where it shows none.
    above      template of what stands above the findings; "" for nothing. shown_above  what it is written with.
    """

    area: str
    page: str
    route: str = ""
    title: Any
    lead: Any = ""
    empty: Any = NOTHING
    scope: type[Scope] = ResponseScope
    offered: tuple[str, ...] = ()
    source: Source | None = None
    groups: tuple[Group, ...] = ()
    options: Options = no_options
    first: tuple[Callable[[Project], Table], ...] = ()
    own_look: Callable[[Project, Mapping[str, Any]], Look] | None = None
    answers: Callable[[Project], Sequence[QuerySet[Any]]] = responses_of
    takes_long: Callable[[Project], bool] = never
    tiles: Callable[[Project, Mapping[str, Any], Sequence[Table]], list[Tile]] = no_tiles
    responses: str = "responses"
    listed: type[Scope] | None = ResponseScope
    row_address: Address | None = None
    responses_name: Any = ALL_RESPONSES
    alphas: Alphas | None = None
    above: str = ""
    shown_above: Callable[[Project, Mapping[str, Any]], Mapping[str, Any]] = lambda project, chosen: {}

    @property
    def filters(self) -> dict[str, str]:
        """Name of each filter and what it does, for programs."""
        return {name: about for name, about in self.scope.abouts().items() if not self.offered or name in self.offered}

    def form(self, project: Project, data: Any) -> NarrowingForm:
        """What offers the same to people."""
        return NarrowingForm(self.scope, project, data, self.offered)

    def figures(self, project: Project, filters: Mapping[str, Any] | None = None) -> FiguresByVariety:
        """One reading of the figures; raises projects.problems.Invalid for a filter or value that there is not."""
        if self.source is None:
            raise TypeError(f"{self.page} has no figures by variety")
        return FiguresByVariety(self.area, project, self.scope.of(filters), self.source, self.groups, self.options)

    def look(self, project: Project, filters: Mapping[str, Any]) -> Look:
        """What the tables under filters rest on, and how they are read; raises as `figures`."""
        if self.own_look is not None:
            return self.own_look(project, filters)
        figures = self.figures(project, filters)
        return (
            figures.look(before=lambda: tuple(table(project) for table in self.first)) if self.first else figures.look()
        )

    def address(self, project: Project, chosen: Mapping[str, Any], row: Row) -> str:
        """The list of what a row counts: its own filters, and of the page's those the list knows; "" for none."""
        if self.row_address is not None:
            return self.row_address(project, chosen, row)
        if self.listed is None:
            return ""
        compared = self.scope.names(COMPARES)
        narrowed = {name: value for name, value in chosen.items() if name not in compared}
        return list_address(self.responses, self.listed, project, {**narrowed, **row.drill})

    def read(self, project: Project, filters: Mapping[str, Any], on_part: OnPart = unheard) -> Reading:
        """The tables under filters, computed here and now where they are not kept; raises as `figures`."""
        return self.look(project, filters).read(on_part)

    def shown_alphas(self, project: Project, filters: Mapping[str, Any], on_part: OnPart = unheard) -> Sequence[Shown]:
        """Every alpha of its tables with the rows behind it; raises as `figures`."""
        return self.figures(project, filters).shown_alphas(self.alphas, on_part) if self.alphas else ()

    def tables(self, project: Project, filters: Mapping[str, Any] | None = None) -> list[Table]:
        """The same tables, in the reader's language."""
        return list(self.read(project, filters or {}).tables)


def list_address(page: str, scope: type[Scope], project: Project, filters: Mapping[str, Any]) -> str:
    """The list at this page under those of the filters that it knows."""
    return f"{reverse(page, args=[project.slug])}?{urlencode(scope.known(filters))}"


def count_tile(label: str, count: float, n: int, note: str) -> Tile:
    return Tile(label, Figure(float(count), n), "count", note)


def n_tile(label: str, figure: Figure, unit: str) -> Tile:
    """A figure with what it rests on."""
    return Tile(label, figure, unit, _("n = %(n)s") % {"n": count_text(figure.n)})


def ceiling_tile(label: str, figure: Figure | None, unit: str) -> list[Tile]:
    return [] if figure is None else [Tile(label, figure, unit, _("the human ceiling"))]


def judge_tile(label: str, row: Row | None, at: int, unit: str) -> list[Tile]:
    """The figure at this place of a judge's row; its name stands beside it, and that it is simulated."""
    if row is None:
        return []
    is_unsaid = "simulated" in row.marks and "(simulated)" not in row.labels[0]
    note = (_("%(judge)s (simulated)") if is_unsaid else "%(judge)s") % {"judge": row.labels[0]}
    return [Tile(label, row.figures[at], unit, note)]


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
            own = dashboard.scope.checked(own)  # so that page and programs ask for one job, not two of the same figures
            dashboard.look(project, own)
        except Invalid as invalid:
            problems += invalid.problems
        asked.append((dashboard, own))
    if problems:
        raise Invalid(problems)
    return asked


def together(readings: Sequence[Reading]) -> list[Table]:
    tables_by_id: dict[str, Table] = {}
    for reading in readings:
        for table in reading.tables:
            tables_by_id.setdefault(table.id, table)
    return list(tables_by_id.values())


def as_json(project: Project, all_tables: Sequence[Table]) -> dict[str, Any]:
    """Plain JSON types: what the command prints and the programming interface answers."""
    return {"project": project.slug, "tables": [table.as_json() for table in all_tables]}
