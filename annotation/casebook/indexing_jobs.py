"""Bringing case books up to date, as a job: begun when a book is opened, and by the clock while answers come."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from annotation.casebook.indexing import AT_ONCE
from annotation.casebook.kinds import case_kinds
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, JobState
from jobs.working import Held
from projects.chunks import in_chunks
from projects.models import Project
from workflow.models import CaseBook

CASE_BOOK = "case_book"
#: A book that took longer than this rests so many times as long, or one of a hundred thousand cases whose project is
#: answered all day would keep a worker busy all day.
SHORT, RESTS = timedelta(seconds=30), 4


def begin_indexing(project: Project) -> Job:
    return add_job(CASE_BOOK, project, key=str(project.pk))


def is_resting(project: Project) -> bool:
    last = Job.objects.newest(CASE_BOOK, str(project.pk))
    if last is None or last.state != JobState.DONE or last.started_at is None or last.ended_at is None:
        return False
    took = last.ended_at - last.started_at
    return took > SHORT and timezone.now() < last.ended_at + RESTS * took


class IndexCases(JobKind):
    """What one attempt has put in stands; the next goes on from there."""

    name = CASE_BOOK
    label = gettext_lazy("Case book brought up to date")

    def run(self, held: Held) -> Any:
        project = held.job.project
        assert project is not None  # `begin_indexing` asks for one
        waiting = [(kind, kind.state(project), kind.waiting(project)) for kind in case_kinds(project)]
        total = sum(len(ids) for _kind, _state, ids in waiting)
        done = count = 0
        for kind, state, ids in waiting:
            for chunk in in_chunks(ids, AT_ONCE):
                held.progress(done, total, "")
                count += kind.index(project, chunk)
                done += len(chunk)
            kind.finish(project, state)
        return {"cases": count}

    def sweep(self) -> int:
        begun = 0
        open_books = Project.objects.filter(feedback_rules__isnull=False, archived_at=None)
        for project in open_books.exclude(feedback_rules__case_book=CaseBook.CLOSED):
            if not is_resting(project) and any(kind.has_news(project) for kind in case_kinds(project)):
                begin_indexing(project)
                begun += 1
        return begun

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("cases", args=[job.project.slug])
