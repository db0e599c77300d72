"""The archive of a project, written by a worker; and a project made of one, stored and brought in by a worker."""

import tempfile
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.archive.restoring import Restored, restore
from formats.archive.writing import write_archive
from jobs.enqueuing import add_job
from jobs.files import SWEPT_AT_ONCE, blocks_of, content_of, store_file
from jobs.kinds import JobKind
from jobs.models import Job, JobState, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem

ARCHIVING, RESTORING = "archive", "archive_restore"
KEPT = timedelta(days=7)
# What was broken off with its process is swept after this; one that came is kept so long to be tried again.
FOR_A_DAY = timedelta(days=1)
ZIP = "application/zip"
PERMISSION = "project.edit"


class Archiving(JobKind):
    """Writes the archive of a project. One that broke off is begun anew."""

    name = ARCHIVING
    label = gettext_lazy("Archive of the project")
    can_pause = False  # a file is written from its first row on
    makes_file = True
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `begin_archiving` asks for one

        def on_table(done: int, total: int) -> None:
            words = _("%(done)d of %(total)d tables are written") % {"done": done, "total": total}
            held.progress(done, total, words)

        with tempfile.TemporaryFile() as place:
            written = write_archive(job.project, place, on_table)
            place.seek(0)
            file = store_file(f"{job.project.slug}.zip", blocks_of(place), FOR_A_DAY, ZIP)
        result = {"rows": written.rows, "size": file.size, "sha256": file.sha256}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            about = {"via": "file", "job": str(job.uuid), **result}
            record("archive.taken", actor=job.asked_by, project=job.project, subject=job.project.slug, **about)
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        """Whether its file is still there."""
        if job.state == JobState.DONE and getattr(job, "file", None) is None:
            return _("the file was kept for %(days)d days") % {"days": KEPT.days}
        return ""


class Restoring(JobKind):
    """Makes a project of a stored archive: its rows and the job's end are one transaction."""

    name = RESTORING
    label = gettext_lazy("Project from an archive")
    can_pause = False

    def run(self, held: Held) -> Any:
        job = held.job
        file = StoredFile.objects.filter(job=job).first()
        if file is None:
            raise Invalid(Problem("file_gone", _("The file is no longer kept. Choose it again.")))

        def end(restored: Restored) -> None:
            held.finish(restored.as_json())

        with tempfile.TemporaryFile() as place:
            for block in content_of(file):
                place.write(block)
            place.seek(0)
            restored = restore(
                place,
                job.options["slug"],
                job.asked_by,
                sha256=file.sha256,
                on_bytes=held.progress,
                before_commit=end,
            )
        return restored.as_json()

    def after_end(self, job: Job) -> None:
        """What is in is not needed twice; what is not may be tried again for a while."""
        StoredFile.objects.filter(job=job, job__state=JobState.DONE).delete()

    def sweep(self) -> int:
        """The file of an archive that is in, where its worker was killed before `after_end`."""
        left = StoredFile.objects.filter(job__kind=RESTORING, job__state=JobState.DONE)
        for pk in list(left.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
            StoredFile.objects.filter(pk=pk).delete()
        return 0

    def can_retry(self, job: Job) -> bool:
        return getattr(job, "file", None) is not None

    def describe(self, job: Job) -> str:
        return str(job.options["name"])


def begin_archiving(project: Project, by: User | None) -> Job:
    """The job that writes the archive; the one that is under way where there is one."""
    return add_job(ARCHIVING, project, by, key=str(project.pk))


def begin_restoring(blocks: Iterable[bytes], name: str, slug: str, by: User) -> Job:
    """Store an archive, and have a worker make a project of it, which who brings it in leads."""
    file = store_file(name, blocks, FOR_A_DAY, ZIP)
    with transaction.atomic():
        job = add_job(RESTORING, None, by, options={"slug": slug, "name": file.name}, total=file.size)
        StoredFile.objects.filter(pk=file.pk).update(job=job)
    return job


def restored_by(user: User) -> list[Job]:
    """What a person brought in lately, the newest first."""
    return list(Job.objects.filter(kind=RESTORING, asked_by=user).order_by("-pk")[:5])
