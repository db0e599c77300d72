"""Cases of error spans: what reviewers kept or rejected, or an expert settled."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.casebook.filters import CATEGORY, OUTCOME, TYPE, Filter
from annotation.casebook.finding import Found, Reader
from annotation.casebook.indexing import index, unindexed
from annotation.casebook.kinds import CaseKind, Shown
from annotation.casebook.showing import optional_fields, show_errors
from annotation.models import ERRORS, ErrorCategory, IndexedAnswer
from annotation.outcomes import KEPT, REJECTED
from projects.models import Project
from projects.vocabularies import vocabularies

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

    def index(self, project: Project, ids: Sequence[int]) -> int:
        return index(project, ids)

    def filters(self, reader: Reader) -> Sequence[Filter]:
        made = []
        if "category" in optional_fields(reader):
            categories = ErrorCategory.objects.filter(project=reader.project, merged_into=None, is_split=False)
            made.append(Filter(CATEGORY, _("Category"), [(each.slug, str(each.label)) for each in categories]))
        types = vocabularies(reader.project).error_types.choices()
        made.append(Filter(TYPE, _("Error type"), [(slug, str(name)) for slug, name in types]))
        made.append(Filter(OUTCOME, _("Outcome"), [(KEPT, _("Kept")), (REJECTED, _("Rejected"))]))
        return made

    def show(self, reader: Reader, found: Sequence[Found]) -> list[Shown]:
        return show_errors(reader, found)
