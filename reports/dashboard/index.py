"""The index of findings: a card for each table, in the groups in which the figures are computed.

A group whose figures are there stands as its cards; one whose figures are still computed, or could not be, has its
place. What a page shows is in one state of the answers: that of its figures, or of the job that computes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import get_language

from agreement.figures import Figure
from projects.enumeration import enumerated
from projects.models import Project
from reports.dashboard import cache, wording
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Look, Reading, TableGroup
from reports.dashboard.findings import Selection, headline, selection
from reports.dashboard.small_charts import small_chart
from reports.dashboard.tables import Table
from reports.sections import OF_THE_PROJECT, labels
from reports.warming import Progress

#: Of the further sentences of a finding so many stand on its card, and so many letters of each.
MAX_SENTENCES, MAX_LETTERS = 3, 160
MAX_LETTERS_OF_SUMMARY = 280
MAX_COLUMNS = 3
# The only group of a page that has no groups.
ALONE = "all"


@dataclass(frozen=True)
class Number:
    """The figure that a finding is about: what it measures, in which unit, and of what."""

    figure: Figure
    unit: str
    measure: str
    of: str


@dataclass(frozen=True)
class Card:
    """A finding on the index."""

    table: Table
    address: str
    chart: SafeString

    @property
    def marks(self) -> list[str]:
        """What must be said of its rows, but for what holds of the whole project."""
        marks = dict.fromkeys(mark for row in self.table.rows for mark in row.marks)
        return [mark for mark in marks if mark not in OF_THE_PROJECT]

    @property
    def number(self) -> Number | None:
        main = headline(self.table)
        if main is None:
            return None
        unit, measure = self.table.unit_of(self.table.measures[main.place]), self.table.measures[main.place]
        of = enumerated(
            " ".join([label, *(f"({wording.mark(mark)})" for mark in marks)])
            for label, marks in labels(self.table, main.row)
        )
        return Number(main.figure, unit, wording.measure_with_unit(self.table, measure), of)

    @property
    def drawn_measure(self) -> str:
        """What the drawing measures, and in which unit, where no number above it says so."""
        drawn, main = selection(self.table), headline(self.table)
        if drawn is None or (main is not None and main.place == drawn.place):
            return ""
        return wording.measure_with_unit(self.table, self.table.measures[drawn.place])

    @property
    def is_words_alone(self) -> bool:
        """Neither a number nor a drawing stands on it."""
        return self.number is None and not self.chart

    @property
    def summary(self) -> str:
        return Truncator(self.table.summary).chars(MAX_LETTERS_OF_SUMMARY)

    @property
    def sentences(self) -> list[str]:
        return [Truncator(line).chars(MAX_LETTERS) for line in self.table.findings[:MAX_SENTENCES]]

    @property
    def rows_left_out(self) -> Selection | None:
        """Which rows are drawn of how many, where not all are."""
        drawn = selection(self.table)
        return drawn if drawn and len(drawn.rows) < drawn.of else None


@dataclass(frozen=True)
class Place:
    """A group on the page: its cards as HTML, or None while they are not there."""

    name: str
    title: str
    cards: SafeString | None
    findings: int = 0

    @property
    def columns(self) -> int:
        """Over how many columns of the page it goes; all of them where it is not known how many findings it has."""
        return min(self.findings, MAX_COLUMNS) or MAX_COLUMNS

    @property
    def is_empty(self) -> bool:
        """Its figures are there and make no table: nothing is shown of it."""
        return self.cards == ""


@dataclass(frozen=True)
class Shown:
    """What the page shows: groups, the state of the answers they are all in, and since when there are newer ones."""

    places: Sequence[Place]
    state: str
    as_of: datetime | None

    @property
    def finished(self) -> list[str]:
        return [place.name for place in self.places if place.cards is not None]


@dataclass(frozen=True)
class Index:
    """The index of a dashboard under filters, for whoever reads it in the language of the moment."""

    dashboard: Dashboard
    project: Project
    chosen: Mapping[str, Any]

    def of_figures(self, reading: Reading, state: str, as_of: datetime | None) -> Shown:
        """All groups, finished."""
        groups = reading.groups or (TableGroup(ALONE, "", reading.tables),)
        cards = self.cards(groups, reading.state)
        places = [Place(group.name, group.title, cards[group.name], len(group.tables)) for group in groups]
        return Shown(places, state, as_of)

    def of_progress(self, progress: Progress | None, look: Look) -> Shown:
        """The groups that a job has finished, and the places of those that are to come."""
        if progress is None:
            progress = Progress(look.state, datetime.min, look.groups)
        cards = self.cards(progress.groups, progress.state)
        to_come = progress.groups_to_come or ((ALONE, ""),)
        counts = {group.name: len(group.tables) for group in progress.groups}
        places = [Place(name, title, cards.get(name), counts.get(name, 0)) for name, title in to_come]
        return Shown(places, progress.state, None if progress.state == look.state else progress.at)

    def cards(self, groups: Sequence[TableGroup], state: str) -> dict[str, SafeString]:
        """The cards of each group as HTML. Nothing in it is about who reads, so it is written once for each state."""
        by_name = {group.name: group for group in groups}

        def written(missing: list[str]) -> dict[str, str]:
            return {name: self.written(by_name[name]) for name in missing}

        scope = (self.dashboard.page, self.project.slug, sorted(self.chosen.items()), get_language(), state)
        keys = {name: cache.key_of("cards", *scope, name, signatures(group)) for name, group in by_name.items()}
        return {name: mark_safe(html) for name, html in cache.remembered(keys, written).items()}

    def written(self, group: TableGroup) -> str:
        if not group.tables:
            return ""
        cards = [Card(table, self.address(table), small_chart(table)) for table in group.tables]
        # Those of words alone come last: among the others they would be white places as high as charts.
        cards.sort(key=lambda card: card.is_words_alone)
        return str(render_to_string("reports/cards.html", {"cards": cards, "has_title": bool(group.title)}))

    def address(self, table: Table) -> str:
        return finding_address(self.dashboard, self.project, self.chosen, table.id)


def signatures(group: TableGroup) -> list[str]:
    """Tables that are read afresh each time change without the state of the answers."""
    return [table.recipe.signature() for table in group.tables]


def finding_address(dashboard: Dashboard, project: Project, chosen: Mapping[str, Any], table_id: str) -> str:
    address = reverse(f"{dashboard.page}-finding", args=[project.slug, table_id])
    return f"{address}?{urlencode(chosen)}" if chosen else address


def keep_cards(project: Project, chosen: Mapping[str, Any], reading: Reading, dashboard: Dashboard) -> None:
    """Write the cards now, for the first who looks."""
    Index(dashboard, project, chosen).of_figures(reading, reading.state, None)
