"""The dashboard of error spans, as page, command and programming interface know it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Marking, Review
from projects.models import Preset, Project, Response
from reports.dashboard.dashboards import Dashboard, Tile
from reports.dashboard.filters import ResponsesForm, ResultsForm
from reports.dashboard.tables import Row, Table
from reports.spans.dashboard import look
from reports.spans.headline import headline
from reports.spans.listing import MISSED
from reports.spans.scope import Scope


def tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    return headline(project, Scope.of(chosen), tables)


def responses_address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The list of responses a row counts: its own filters, and of the page's those the list knows."""
    if not row.drill:
        return ""
    filters = {**chosen, **row.drill}
    if filters.get("missed"):
        filters["outcome"] = MISSED
    known = {name: value for name, value in filters.items() if name in ResponsesForm.base_fields}
    return f"{reverse('responses', args=[project.slug])}?{urlencode(known)}"


SPANS = Dashboard(
    area=Preset.SPANS.value,
    page="results",
    title=_("Results"),
    lead=_(
        "How far people agree with each other, and judges with people. Brackets hold the 95 % interval; dashed lines "
        "are what people reach among themselves."
    ),
    empty=_("Figures appear here once responses are in the project and people or judges have marked them."),
    filters={
        "variety": "tag of the one setting to keep",
        "model": "name of the one target model to keep",
        "criticality": "errors of this weight alone: high, medium or low",
        "threshold": "word IoU that a match must exceed, 0.15 by default",
        "matching": "some (default) or one-to-one",
    },
    form=ResultsForm,
    look=look,
    answers=lambda project: [
        Response.objects.filter(project=project),  # each is cut into words, whether anybody has marked it or not
        Marking.objects.filter(response__project=project),
        Review.objects.filter(span__response__project=project),
    ],
    tiles=tiles,
    responses="responses",
    address=responses_address,
)
