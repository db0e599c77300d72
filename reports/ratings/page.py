"""The dashboard of ratings, as page, command and programming interface know it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Rating
from projects.models import Preset, Project
from reports.dashboards import Dashboard
from reports.ratings.dashboard import look, look_at_raters
from reports.ratings.forms import RatedForm, RatersForm, RatingResultsForm
from reports.ratings.headline import headline
from reports.tables import Row


def rated_address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The list of the pairs a row counts."""
    narrowed = {name: value for name, value in chosen.items() if name not in ("model", "other_model")}
    filters = {**narrowed, **row.drill}
    known = {name: value for name, value in filters.items() if name in RatedForm.base_fields}
    return f"{reverse('rated-pairs', args=[project.slug])}?{urlencode(known)}"


def ratings_of(project: Project) -> list[QuerySet[Rating]]:
    return [Rating.objects.filter(question__project=project)]


RATINGS = Dashboard(
    area=Preset.RATINGS.value,
    page="rating-results",
    title=_("Rating results"),
    lead=_(
        "How people grade, how far they agree, and how near judges come to them: what they say of a single response, "
        "and which of two they prefer. Brackets hold the 95 % interval."
    ),
    empty=_("Figures appear here once responses have been rated."),
    filters={
        "variety": "tag of the one setting to keep",
        "dimension": "slug of the one dimension to keep",
        "question": "slug of the one question type to keep",
        "split": "train, validation or test: prompts whose template stands there",
        "judge": "name or pseudonym of the one judge to keep; people's figures stay",
        "setup": "judge to compare; the best by preference accuracy if none is named",
        "other_setup": "judge to compare it with; the next best if none is named",
        "model": "target model to compare, or the one to keep",
        "other_model": "target model to compare it with",
    },
    form=RatingResultsForm,
    look=look,
    answers=ratings_of,
    tiles=headline,
    responses="rated-pairs",
    address=rated_address,
)

RATERS = Dashboard(
    area=Preset.RATINGS.value,
    page="rater-results",
    route="rating-results/raters/",
    title=_("Raters"),
    lead=_("How each person grades beside the others. People stand here under their pseudonyms."),
    empty=_("People appear here once they have rated responses."),
    filters={name: RATINGS.filters[name] for name in ("variety", "dimension", "question", "split")},
    form=RatersForm,
    look=look_at_raters,
    answers=ratings_of,
    tiles=lambda project, chosen, tables: [],
    responses="rated-pairs",
    address=rated_address,
)
