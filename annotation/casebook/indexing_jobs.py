"""Bringing case books up to date, as a job: begun when a book is opened, and by the clock while answers come."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from annotation.casebook.indexing import AT_ONCE, index, unindexed
from annotation.models import IndexedAnswer
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.chunks import in_chunks
from projects.models import Project
from workflow.models import CaseBook

CASE_BOOK = "case_book"
# The clock asks for no more than what was written in so long; each job looks at everything.
LATELY = timedelta(days=1)


def begin_indexing(project: Project) -> Job:
    return add_job(CASE_BOOK, project, key=str(project.pk))


class IndexCases(JobKind):
    """What one attempt has put in stands; the next goes on from there."""

    name = CASE_BOOK
    label = gettext_lazy("Case book brought up to date")

    def run(self, held: Held) -> Any:
        project = held.job.project
        assert project is not None  # `begin_indexing` asks for one
        waiting = list(unindexed(project).values_list("pk", flat=True))
        done = count = 0
        for chunk in in_chunks(waiting, AT_ONCE):
            held.progress(done, len(waiting), "")
            count += index(project, chunk)
            done += len(chunk)
        return {"cases": count}

    def sweep(self) -> int:
        begun = 0
        since = timezone.now() - LATELY
        open_books = Project.objects.filter(feedback_rules__isnull=False, archived_at=None)
        for project in open_books.exclude(feedback_rules__case_book=CaseBook.CLOSED):
            is_new = not IndexedAnswer.objects.filter(gold__response__project=project).exists()
            waiting = unindexed(project) if is_new else unindexed(project).filter(updated_at__gte=since)
            if waiting.exists():
                begin_indexing(project)
                begun += 1
        return begun

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("cases", args=[job.project.slug])
