"""Cases of error spans: what reviewers kept or rejected, or an expert settled."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import index, unindexed
from annotation.casebook.kinds import CaseKind, Shown
from annotation.casebook.showing import show_errors
from annotation.models import ERRORS, IndexedAnswer
from projects.models import Project

# The clock asks for no more than what was written in so long; each job looks at everything.
LATELY = timedelta(days=1)


class Errors(CaseKind):
    """What one attempt has put in stands; the next goes on from there."""

    name = ERRORS

    def has_news(self, project: Project) -> bool:
        waiting = unindexed(project)
        if IndexedAnswer.objects.filter(gold__response__project=project).exists():
            waiting = waiting.filter(updated_at__gte=timezone.now() - LATELY)
        return waiting.exists()

    def waiting(self, project: Project) -> Sequence[int]:
        return list(unindexed(project).values_list("pk", flat=True))

    def index(self, project: Project, response_ids: Sequence[int]) -> int:
        return index(project, response_ids)

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        return show_errors(reader, found)
