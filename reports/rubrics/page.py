"""The dashboard of rubrics, as page, command and programming interface know it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from projects.models import Preset, Project
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.tables import Row
from reports.rubrics.dashboard import look
from reports.rubrics.forms import GradedForm, RubricResultsForm
from reports.rubrics.headline import headline
from rubrics.models import Verdict


def graded_address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The list of responses a row counts, or the one response that it is about."""
    filters = {**chosen, **row.drill}
    if "response" in filters:
        page = reverse("rubric-response", args=[project.slug, filters["response"]])
        return f"{page}?{urlencode({'judge': filters['judge']})}" if "judge" in filters else page
    known = {name: value for name, value in filters.items() if name in GradedForm.base_fields}
    return f"{reverse('rubric-responses', args=[project.slug])}?{urlencode(known)}"


RUBRICS = Dashboard(
    area=Preset.RUBRICS.value,
    page="rubric-results",
    title=_("Rubric results"),
    lead=_(
        "What people's grades say of the target models, how near judges come to them, and how strict each grader is. "
        "Brackets hold the 95 % interval."
    ),
    empty=_("Figures appear here once rubrics are frozen and responses have been graded."),
    filters={
        "variety": "tag of the one setting (community) to keep",
        "model": "name of the one target model to keep",
        "domain": "cultural or linguistics: rubrics of this scope alone",
        "judge": "name or pseudonym of the one judge to keep; people's figures stay",
    },
    form=RubricResultsForm,
    look=look,
    answers=lambda project: [Verdict.objects.filter(grade__response__project=project)],
    tiles=headline,
    responses="rubric-responses",
    address=graded_address,
)
