"""The folder as a zip file that a worker writes; kept for a week, as files of gold are (reports/gold/exporting.py)."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job
from jobs.files import CHUNK_BYTES, store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.audit import record
from projects.models import Project, User
from reports.dataset.folder import README, write_folder
from reports.gold.exporting import KEPT, WRITTEN_WITHIN

DATASET_EXPORT = "dataset_export"
EXPORTED = "dataset.exported"
PERMISSION = "answers.read"
ZIP = "application/zip"


class DatasetExport(JobKind):
    """Writes gold and raw answers of a project as a data set. One that broke off is begun anew."""

    name = DATASET_EXPORT
    label = gettext_lazy("Data set")
    can_pause = False  # files are written from their first row on
    makes_file = True
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare` asks for one

        def on_table(done: int, total: int) -> None:
            words = _("%(done)d of %(total)d tables are written") % {"done": done, "total": total}
            held.progress(done, total, words)

        with tempfile.TemporaryDirectory() as place:
            folder, archive = Path(place) / "folder", Path(place) / "folder.zip"
            folder.mkdir()
            written = write_folder(job.project, folder, with_held_back=job.options["with_held_back"], on_table=on_table)
            zipped(folder, archive, job.project.slug)
            file = store_file(f"{job.project.slug}-dataset.zip", parts_of(archive), WRITTEN_WITHIN, ZIP)
        result = {"rows": written.rows, "size": file.size, "sha256": file.sha256}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            about = {"via": "file", "job": str(job.uuid), **job.options, **result}
            record(EXPORTED, actor=job.asked_by, project=job.project, subject=job.project.slug, **about)
            held.finish(result)
        return result

    def describe(self, job: Job) -> str:
        """Whether its file is still there."""
        if job.state == "done" and getattr(job, "file", None) is None:
            return _("the file was kept for %(days)d days") % {"days": KEPT.days}
        return ""


def zipped(folder: Path, archive: Path, name: str) -> None:
    """All files below one folder of that name. Parquet is compressed already."""
    with ZipFile(archive, "w") as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                how = ZIP_DEFLATED if path.name == README else ZIP_STORED
                out.write(path, f"{name}/{path.relative_to(folder).as_posix()}", how)


def parts_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(CHUNK_BYTES):
            yield part


def prepare(project: Project, by: User | None, *, with_held_back: bool = False) -> Job:
    """The job that writes the file; the one that is under way where there is one."""
    options = {"with_held_back": with_held_back}
    return add_job(DATASET_EXPORT, project, by, options=options, key=f"{project.pk} {int(with_held_back)}")
