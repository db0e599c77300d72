"""Tags of the criteria that grades count under: those of the newest frozen rubrics, written before any response."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Q

from projects.models import Project
from reports.dashboard.freshness.revisions import Revisions
from reports.dashboard.project_contents import as_of
from rubrics.models import Criterion, Rubric

#: So many tags are offered and shown, the most frequent ones.
MOST_TAGS = 60


class Tagged(NamedTuple):
    """A criterion with tags; ids and its weight."""

    id: int
    rubric: int
    weight: int
    tags: list[str]


def newest_rubrics(project: Project) -> Any:
    """The rubrics that grades count under: frozen, and no newer one frozen in their place."""
    return Rubric.objects.filter(project=project, frozen_at__isnull=False).filter(
        Q(superseded_by=None) | Q(superseded_by__frozen_at=None)
    )


def tagged(project: Project) -> Iterator[Tagged]:
    """Every criterion with a tag, in the order of ids. One statement."""
    criteria = Criterion.objects.filter(rubric__in=newest_rubrics(project), grade=None).exclude(tags=[])
    rows = criteria.order_by("id").values_list("id", "rubric_id", "weight", "tags")
    return (Tagged(*row) for row in rows.iterator())


def tags_of(project: Project, state: Revisions) -> list[str]:
    """The most frequent tags, in the order of their letters; read once after a rubric was frozen."""

    def read() -> list[str]:
        counts = Counter(tag for criterion in tagged(project) for tag in criterion.tags)
        return sorted(tag for tag, _count in counts.most_common(MOST_TAGS))

    return as_of(project, "tags", state.of("rubrics"), read)
