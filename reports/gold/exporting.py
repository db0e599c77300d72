"""A gold file that is prepared as a job: written once, kept for a week, with its size and its SHA-256.

The direct download streams as it did; a file is for what takes long, is fetched from elsewhere or has to be the same
bytes for several people.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from reports.gold.formats import GoldFormat, format_of

GOLD_EXPORT = "gold_export"
KEPT = timedelta(days=7)
# What was broken off with its process is swept after this.
WRITTEN_WITHIN = timedelta(days=1)
JSON_LINES = "application/x-ndjson"
# Lines are looked at so often for a sign that somebody cancelled it.
LINES_AT_ONCE = 50


class GoldExport(JobKind):
    """Writes the gold of a project to a file. A file that was broken off is never anybody's: the next attempt writes
    another."""

    name = GOLD_EXPORT
    label = gettext_lazy("Gold file")
    can_pause = False  # a file is written from its first line on
    makes_file = True
    permission = "gold.export"

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare` asks for one
        gold_format = format_named(job)
        total = gold_format.summarise(job.project).responses
        held.progress(0, total, lines_in_words(0))
        counted = Counted(gold_format.lines(job.project), held, total)
        file = store_file(f"{job.project.slug}-gold.jsonl", counted, WRITTEN_WITHIN, JSON_LINES)
        result = {"lines": counted.lines, "size": file.size, "sha256": file.sha256, "format": gold_format.format}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            record(
                "gold.exported",
                actor=job.asked_by,
                project=job.project,
                subject=gold_format.area,
                via="file",
                job=str(job.uuid),
                **result,
            )
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        """Which gold, and whether its file is still there."""
        try:
            name = str(format_named(job).name)
        except Invalid:
            return str(job.options["of"])
        if job.state == "done" and getattr(job, "file", None) is None:
            return _("%(name)s; the file was kept for %(days)d days") % {"name": name, "days": KEPT.days}
        return name


class Counted:
    """The lines as they come, counted; the job says how far it is, and breaks off where it is in other hands."""

    def __init__(self, lines: Iterator[bytes], held: Held, total: int) -> None:
        self.coming, self.held, self.total = lines, held, total
        self.lines = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self.coming:
            self.lines += 1
            yield line
            if self.lines % LINES_AT_ONCE == 0:
                self.held.progress(self.lines, max(self.total, self.lines))


def lines_in_words(lines: int) -> str:
    return ngettext("%(count)d line written", "%(count)d lines written", lines) % {"count": lines}


def format_named(job: Job) -> GoldFormat:
    """Raises Invalid where the project has no such gold any more."""
    assert job.project is not None  # `prepare` asks for one
    try:
        return format_of(job.project, job.options["of"])
    except Http404:
        raise Invalid(Problem("no_gold", _("This project has no gold of this kind."))) from None


def prepare(project: Project, area: str = "", by: User | None = None) -> Job:
    """The job that writes the file; the one that is under way where there is one. Raises Http404 where the project has
    no such gold."""
    chosen = format_of(project, area)
    return add_job(GOLD_EXPORT, project, by, options={"of": chosen.area}, key=f"{project.pk} {chosen.area}")
