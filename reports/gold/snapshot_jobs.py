"""Snapshots of gold as jobs: one is taken by a worker, and two large ones are compared by one."""

from collections.abc import Iterator
from typing import Any

import orjson
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job
from jobs.files import store_file
from jobs.kinds import JobKind
from jobs.models import Job, StoredFile
from jobs.working import Held
from projects.models import Project, User
from reports.gold.exporting import KEPT, LINES_AT_ONCE, WRITTEN_WITHIN, format_named, lines_in_words
from reports.gold.formats import GoldFormat
from reports.gold.snapshots import changes_since, check_name, take
from reports.models import GoldSnapshot

GOLD_SNAPSHOT, GOLD_CHANGES = "gold_snapshot", "gold_changes"
PERMISSION = "gold.export"
#: Files of so many lines together are compared in about a second.
MAX_LINES_AT_ONCE = 4_000


class TakeSnapshot(JobKind):
    """Stores the gold under a name. One that broke off has stored nothing; the next attempt takes the gold as it is by
    then."""

    name = GOLD_SNAPSHOT
    label = gettext_lazy("Snapshot of gold")
    can_pause = False  # a file is written from its first line on
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare_snapshot` asks for one

        def on_line(lines: int) -> None:
            if lines % LINES_AT_ONCE == 0:
                held.progress(lines, lines, lines_in_words(lines))

        held.progress(0, 0, lines_in_words(0))
        made: dict[str, Any] = {}

        def with_it(snapshot: GoldSnapshot) -> None:
            made.update(id=snapshot.pk, sha256=snapshot.sha256, lines=snapshot.lines, size=snapshot.size)
            held.finish(made)

        told = {"job": str(job.uuid)}
        name = job.options["name"]
        take(job.project, format_named(job), name, job.asked_by, on_line=on_line, with_it=with_it, **told)
        return made

    def describe(self, job: Job) -> str:
        return str(job.options["name"])


class CompareSnapshots(JobKind):
    """Writes what has changed between two large files, as JSON."""

    name = GOLD_CHANGES
    label = gettext_lazy("What changed in the gold")
    can_pause = False
    makes_file = True
    permission = PERMISSION

    def run(self, held: Held) -> Any:
        job = held.job
        assert job.project is not None  # `prepare_changes` asks for one
        ids = (job.options["since"], job.options["until"])
        since, until = (job.project.gold_snapshots.get(pk=pk) if pk else None for pk in ids)
        assert since is not None
        changes = changes_since(since, until).as_json()

        def parts() -> Iterator[bytes]:
            yield orjson.dumps(changes, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

        file = store_file(f"{job.project.slug}-gold-changes.json", parts(), WRITTEN_WITHIN, "application/json")
        counts = {name: found if isinstance(found, int) else len(found) for name, found in changes.items()}
        with transaction.atomic():
            StoredFile.objects.filter(job=job).delete()
            StoredFile.objects.filter(pk=file.pk).update(job=job, expires_at=timezone.now() + KEPT)
            held.finish(counts)
        return counts


def prepare_snapshot(project: Project, gold_format: GoldFormat, name: str, by: User | None) -> Job:
    """The job that takes it. Raises Invalid for a name that is none, or taken."""
    name = check_name(project, gold_format.area, name)
    options = {"of": gold_format.area, "name": name}
    return add_job(GOLD_SNAPSHOT, project, by, options=options, key=f"{project.pk} {gold_format.area} {name}")


def is_compared_at_once(since: GoldSnapshot, until: GoldSnapshot | None) -> bool:
    lines = until.lines if until is not None else since.project.responses.count()
    return since.lines + lines <= MAX_LINES_AT_ONCE


def prepare_changes(since: GoldSnapshot, until: GoldSnapshot | None, by: User | None) -> Job:
    """The job that writes what has changed."""
    options = {"since": since.pk, "until": until.pk if until is not None else None}
    return add_job(GOLD_CHANGES, since.project, by, options=options, key=f"{since.pk} {options['until'] or 0}")
