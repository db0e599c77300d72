"""An import as a job: the file is stored, the answer comes at once, a worker imports it.

A small file is imported by whoever took it in, through the same job: where that process dies, a worker goes on.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from formats.importing.registry import importers
from formats.importing.running import Outcome, UnderWay, run_import
from formats.readers.choosing import Reading
from formats.reading import Source
from jobs.enqueuing import add_job, send
from jobs.files import SWEPT_AT_ONCE, Reader, store_file
from jobs.kinds import JobKind
from jobs.models import Job, JobState, StoredFile
from jobs.working import Held, PutOff, do_at_once
from projects.models import Project, User
from projects.problems import Invalid, Problem

IMPORT = "import"
# So long the file of an import that did not come in is kept, to be tried again.
KEPT = timedelta(days=1)
# One that finds another import of its project under way, where it is not told of its end, looks again after so long.
PUT_OFF_SECONDS = 10.0
# A file up to here is read, checked and stored in a fraction of a second.
SMALL_BYTES = 256_000
# Before rows are stored on SQLite they are tried on a copy of the database: beyond this, the copy takes its time.
SMALL_DATABASE_BYTES = 100_000_000


class ImportFile(JobKind):
    """Brings a stored file in: all of it or nothing. Its rows and its end are one transaction."""

    name = IMPORT
    label = gettext_lazy("Import")
    can_pause = False  # nothing of a file is in before all of it is: going on would be beginning again
    permission = "data.import"
    result_template = "projects/import_outcome.html"

    def run(self, held: Held) -> Any:
        job = held.job
        file = StoredFile.objects.filter(job=job).first()
        if file is None:
            raise Invalid(Problem("file_gone", _("The file is no longer kept. Choose it again.")))
        asked = job.options
        try:
            outcome = run_import(
                the_project(job),
                Source(Reader(file), file.name, file.size),
                asked["kind"],
                asked["file_format"],
                dry_run=asked["dry_run"],
                actor=job.asked_by,
                progress=lambda lines, bytes_read, size: held.progress(bytes_read, size, lines_in_words(lines)),
                before_commit=lambda stored: held.finish(stored.as_json()),
                waits=False,
                mapping=asked.get("mapping"),
                reading=Reading(asked.get("delimiter", ""), asked.get("sheet", "")),
                configure=lambda importer: importer.heed(asked.get("beside", {})),
            )
        except UnderWay:
            raise PutOff(PUT_OFF_SECONDS, _("Another import of the project is under way.")) from None
        if not outcome.is_clean:
            held.fail(refused_in_words(outcome), outcome.as_json())
        return outcome.as_json()

    def after_end(self, job: Job) -> None:
        """What is in is not needed twice; what is not may be tried again for a while. An import that was put off for
        this one need not wait longer."""
        StoredFile.objects.filter(job=job, job__state=JobState.DONE).delete()
        now = timezone.now()
        put_off = Job.objects.filter(kind=IMPORT, project=job.project_id, state=JobState.QUEUED, attempts=0)
        put_off = put_off.filter(due_at__gt=now).order_by("pk")
        following = put_off.first()
        if following is not None and put_off.filter(pk=following.pk).update(due_at=now):
            send([following])

    def sweep(self) -> int:
        """The file of an import that is in, where its worker was killed before `after_end`."""
        left = StoredFile.objects.filter(job__kind=IMPORT, job__state=JobState.DONE)
        for pk in list(left.values_list("pk", flat=True)[:SWEPT_AT_ONCE]):
            StoredFile.objects.filter(pk=pk).delete()
        return 0

    def can_retry(self, job: Job) -> bool:
        return getattr(job, "file", None) is not None

    def result_context(self, job: Job) -> dict[str, Any]:
        return {"outcome": outcome_of(job)}

    def describe(self, job: Job) -> str:
        if job.options["dry_run"]:
            return _("%(name)s, check only") % {"name": job.options["name"]}
        return str(job.options["name"])


def the_project(job: Job) -> Project:
    assert job.project is not None  # `begin_import` asks for one
    return job.project


def lines_in_words(lines: int) -> str:
    return ngettext("%(count)d line read", "%(count)d lines read", lines) % {"count": lines}


def refused_in_words(outcome: Outcome) -> str:
    words = ngettext(
        "%(count)d problem. Nothing was stored.", "%(count)d problems. Nothing was stored.", outcome.problem_count
    )
    return words % {"count": outcome.problem_count}


def begin_import(
    project: Project,
    blocks: Iterable[bytes],
    name: str,
    kind: str,
    file_format: str,
    *,
    dry_run: bool = False,
    by: User | None = None,
    reading: Reading | None = None,
    mapping: dict[str, Any] | None = None,
    beside: Mapping[str, str] | None = None,
) -> Job:
    """Store a file and what is to be done with it. A small one is over when this returns, where nothing is in its
    way. `mapping` is a checked one; `beside` is what was said beside the file (`Importer.beside`)."""
    if kind not in importers():
        raise ValueError(kind)
    file = store_file(name, blocks, KEPT)
    options = {"kind": kind, "file_format": file_format, "dry_run": dry_run, "name": file.name}
    if reading is not None:
        options |= {"delimiter": reading.delimiter, "sheet": reading.sheet}
    if mapping is not None:
        options["mapping"] = mapping
    if beside:
        options["beside"] = dict(beside)
    at_once = is_quick(project, file.size)
    with transaction.atomic():
        job = add_job(IMPORT, project, by, options=options, total=file.size, wake=not at_once)
        StoredFile.objects.filter(pk=file.pk).update(job=job)
    if at_once:
        do_at_once(job)
    return job


def keep_for_mapping(project: Project, blocks: Iterable[bytes], name: str) -> StoredFile:
    """Store a file that waits for somebody to say what becomes of it: for a day."""
    file = store_file(name, blocks, KEPT)
    StoredFile.objects.filter(pk=file.pk).update(project=project)
    return file


def is_quick(project: Project, size: int) -> bool:
    """Whether an import of so many bytes surely takes less than two seconds: of a small file, with no other import of
    the project under way, and into a database that is copied in a moment where it has to be."""
    if size > SMALL_BYTES or Job.objects.open().filter(project=project, kind=IMPORT).exists():
        return False
    return connection.vendor != "sqlite" or sqlite_bytes() < SMALL_DATABASE_BYTES


def sqlite_bytes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


def outcome_of(job: Job) -> Outcome | None:
    """What came of an import that is over; None where it never came to reading the file."""
    return Outcome.from_json(job.result) if job.is_over and job.result else None


def limit_in_megabytes() -> int:
    return settings.IMPORT_MAX_BYTES // 1_000_000
