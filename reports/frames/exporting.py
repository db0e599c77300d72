"""A frame as a file that a worker writes: for frames of so many rows that writing them takes longer than a request may.

Kept for a week, as files of gold are (reports/gold/exporting.py).
"""

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from reports.frames.files import FORMATS, MEDIA_TYPES, blocks
from reports.frames.frame import Frame
from reports.frames.registry import FRAMES
from reports.gold.exporting import KEPT, WRITTEN_WITHIN

FRAME_EXPORT = "frame_export"
EXPORTED = "frame.exported"
PERMISSION = "answers.read"
#: So many rows, of so many responses, are written in about a second (measured: 25,000 to 35,000 rows a second, as CSV).
MAX_ROWS_AT_ONCE = 20_000


class FrameExport(JobKind):
    """Writes a frame of a project to a file. One that broke off is swept; the next attempt writes another."""

    name = FRAME_EXPORT
    label = gettext_lazy("File of raw answers")
    can_pause = False  # a file is written from its first row on
    makes_file = True
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare` asks for one
        frame, file_format = frame_of(job)
        total = frame.total(job.project)
        words = _("%(done)d of %(total)d responses are read")

        def on_read(done: int) -> None:
            held.progress(min(done, total), total, words % {"done": min(done, total), "total": total})

        on_read(0)
        parts = blocks(frame, job.project, file_format, on_read)
        file = store_file(name_of(job.project, frame, file_format), parts, WRITTEN_WITHIN, MEDIA_TYPES[file_format])
        result = {"frame": frame.name, "format": file_format, "size": file.size, "sha256": file.sha256}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            about = {"via": "file", "job": str(job.uuid), **result}
            record(EXPORTED, actor=job.asked_by, project=job.project, subject=frame.name, **about)
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        """Which frame, and whether its file is still there."""
        name = f"{job.options['frame']}, {job.options['format']}"
        if job.state == "done" and getattr(job, "file", None) is None:
            return _("%(name)s; the file was kept for %(days)d days") % {"name": name, "days": KEPT.days}
        return name


def frame_of(job: Job) -> tuple[Frame, str]:
    """Raises Invalid for a frame or a format of another version of Mizan."""
    frame, file_format = FRAMES.get(job.options["frame"]), job.options["format"]
    if frame is None or file_format not in FORMATS:
        raise Invalid(Problem("no_frame", _("There is no such frame."))) from None
    return frame, file_format


def name_of(project: Project, frame: Frame, file_format: str) -> str:
    return f"{project.slug}-{frame.name}.{file_format}"


def prepare(project: Project, frame: Frame, file_format: str, by: User | None) -> Job:
    """The job that writes the file; the one that is under way where there is one."""
    options = {"frame": frame.name, "format": file_format}
    return add_job(FRAME_EXPORT, project, by, options=options, key=f"{project.pk} {frame.name} {file_format}")


def is_written_at_once(project: Project, frame: Frame) -> bool:
    return max(frame.count(project), frame.total(project)) <= MAX_ROWS_AT_ONCE


def taken(project: Project, frame: Frame, file_format: str, *, by: User | None, via: str) -> Iterator[bytes]:
    """The file as it is written, and in the audit log who took it; `by` is None where only headers are asked for."""
    if by is not None:
        record(EXPORTED, actor=by, project=project, subject=frame.name, via=via, format=file_format)
    return blocks(frame, project, file_format)
