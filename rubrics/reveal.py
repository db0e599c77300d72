"""No response is shown before the rubric of its prompt is frozen: the freeze comes first, the reveal after it."""

from django.db.models import Exists, OuterRef, QuerySet

from projects.models import Response
from rubrics.models import Rubric


def revealed(responses: QuerySet[Response]) -> QuerySet[Response]:
    """Those to whose prompt there is a frozen rubric; all others are withheld from who writes and grades rubrics."""
    frozen = Rubric.objects.filter(prompt=OuterRef("prompt"), frozen_at__isnull=False)
    return responses.filter(Exists(frozen))


def is_revealed(response: Response) -> bool:
    return revealed(Response.objects.filter(pk=response.pk)).exists()
