"""One import: everything of a file or nothing of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from projects import audit
from projects.importing.counted import counted
from projects.importing.fields import ProblemLog
from projects.importing.reading import Progress, Record, Source, read_records
from projects.importing.registry import Importer, importer, importer_of_format
from projects.models import Project, User
from projects.problems import Invalid, Problem

# Rows are written when this much of the file has been read since the last time, or the batch is full.
BATCH_BYTES = 4_000_000


@dataclass(slots=True)
class Outcome:
    """What came of an import. Rows are there if and only if `is_stored`; `counts` says what was (or would be)."""

    kind: str
    is_dry_run: bool
    is_stored: bool = False
    lines: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    problem_count: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return self.problem_count == 0

    @property
    def counted(self) -> list[str]:
        return counted(self.counts)

    def as_json(self) -> dict:
        return {
            "kind": self.kind,
            "dry_run": self.is_dry_run,
            "stored": self.is_stored,
            "lines": self.lines,
            "counts": self.counts,
            "problem_count": self.problem_count,
            "problems": [problem.as_json() for problem in self.problems],
            "notes": self.notes,
        }


class _Undo(Exception):
    """Leaves the transaction without its rows."""


def run_import(
    project: Project,
    source: Source,
    kind: str,
    file_format: str = "jsonl",
    *,
    dry_run: bool = False,
    actor: User | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Import a file into the project: all of it in one transaction, or nothing and every problem said.

    A dry run does all of this but the commit. Bad input never raises; it is in the outcome.
    """
    problems = ProblemLog()
    outcome = Outcome(kind, dry_run)
    try:
        with transaction.atomic():
            _import(project, source, file_format, problems, outcome, progress)
            if problems.total or dry_run:
                raise _Undo
            audit.record(
                "data.imported", actor=actor, project=project, subject=source.name, kind=outcome.kind, **outcome.counts
            )
        outcome.is_stored = True
    except _Undo:
        pass
    except Invalid as refused:
        for problem in refused.problems:
            problems.add(problem)
    except IntegrityError as error:
        # Everything an importer can foresee it says by line; what is left is a change made meanwhile.
        message = _("The database refused a row (%(reason)s). If someone changed the project meanwhile, try again.")
        problems.add(Problem("refused_by_database", message % {"reason": str(error).splitlines()[0]}))
    outcome.lines, outcome.notes = source.lines_read, source.notes
    outcome.problems, outcome.problem_count = problems.shown, problems.total
    return outcome


def _count_rows_anew(run: Importer) -> None:
    """Tell PostgreSQL's planner of the rows of this transaction, which nobody else sees yet.

    Autovacuum that comes by meanwhile counts pages with no row in them, and every later join of the import would go
    through them row by row. Where another import holds the lock the count is left out.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in run.fills)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {tables}")


def _import(
    project: Project,
    source: Source,
    file_format: str,
    problems: ProblemLog,
    outcome: Outcome,
    progress: Progress | None,
) -> None:
    # One import a project at a time; people go on working, for rows that point at the project need no such lock.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    chosen = importer(outcome.kind)
    records = read_records(source, file_format, chosen.json_cells or frozenset())
    first, records = _peek(records)
    if isinstance(first, Record) and "format" in first.fields:
        chosen = _importer_of(first)
    if file_format != "jsonl" and chosen.json_cells is None:
        raise Invalid(Problem("not_a_table", _("This kind of data is imported as JSON lines only.")))
    if first is None:
        if file_format == "jsonl":
            raise Invalid(Problem("empty_file", _("The file holds no records.")))
        raise Invalid(
            Problem("empty_file", _("The file holds no records below its first line, which names the columns."))
        )
    outcome.kind = chosen.kind
    run = chosen(project, problems)
    _store_in_batches(run, records, source, progress)
    if not problems.total:
        run.finish()
    outcome.counts = dict(run.counts)


def _peek(records: Iterator[Record | Problem]) -> tuple[Record | Problem | None, Iterator[Record | Problem]]:
    first = next(records, None)
    return first, records if first is None else chain([first], records)


def _importer_of(first: Record) -> type[Importer]:
    found = importer_of_format(first.fields["format"])
    if found is None:
        message = _("This format is not known here.")
        raise Invalid(Problem("unknown_format", message, "format", first.line))
    return found


def _store_in_batches(
    run: Importer, records: Iterator[Record | Problem], source: Source, progress: Progress | None
) -> None:
    batch: list[Record] = []
    stored_at = batches = 0
    for record in records:
        if isinstance(record, Problem):
            run.problems.add(record)
        elif run.check(record):
            batch.append(record)
        if len(batch) >= run.batch_lines or source.bytes_read - stored_at > BATCH_BYTES:
            run.store(batch)
            batch, stored_at = [], source.bytes_read
            batches += 1
            if batches & (batches - 1) == 0:  # 1, 2, 4, 8 ...: whenever the tables have about doubled
                _count_rows_anew(run)
            if progress:
                progress(source.lines_read, source.bytes_read, source.size)
    if batch:
        run.store(batch)
    _count_rows_anew(run)
    if progress:
        progress(source.lines_read, source.bytes_read, source.size)
