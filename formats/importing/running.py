"""One import: everything of a file or nothing of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connection, connections, transaction
from django.utils.translation import gettext as _

from formats.importing.counted import counted
from formats.importing.headers import refuse_columns
from formats.importing.origins import Origin, came_before, digest_of
from formats.importing.registry import Importer, importer, importer_of_format
from formats.importing.rereading import Rereadable
from formats.mapping.applying import mapped_records
from formats.problems import ProblemLog
from formats.readers.choosing import Reading, read_records
from formats.reading import Progress, Record, Source
from projects import audit
from projects.insertion import count_rows_anew
from projects.models import Import, Project, User
from projects.opening import open_areas
from projects.problems import Invalid, Problem
from projects.rehearsing import Changed, NoRoom, Weighed, can_rehearse, on_own_connection, rehearsed
from projects.rehearsing.copying import standing_in
from projects.varieties import notes_of

# Rows are written when this much of the file has been read since the last time, or the batch is full.
BATCH_BYTES = 4_000_000
# Names the advisory locks of imports among those of PostgreSQL; any number that nothing else uses.
IMPORTS = 1_768_779_887


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
    # All of it was in the project already, by the very same file: nothing was done.
    is_unchanged: bool = False

    @property
    def is_clean(self) -> bool:
        return self.problem_count == 0

    @property
    def counted(self) -> list[str]:
        return counted(self.counts)

    @classmethod
    def from_json(cls, stored: dict) -> "Outcome":
        """What `as_json` wrote down."""
        return cls(
            kind=stored["kind"],
            is_dry_run=stored["dry_run"],
            is_stored=stored["stored"],
            lines=stored["lines"],
            counts=stored["counts"],
            problems=[Problem(**problem) for problem in stored["problems"]],
            problem_count=stored["problem_count"],
            notes=stored["notes"],
            is_unchanged=stored.get("unchanged", False),
        )

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
            "unchanged": self.is_unchanged,
        }


class UnderWay(Exception):
    """Another import of the project is under way."""


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
    before_commit: Callable[[Outcome], None] | None = None,
    waits: bool = True,
    configure: Callable[[Importer], None] | None = None,
    reading: Reading | None = None,
    mapping: dict | None = None,
) -> Outcome:
    """Import a file into the project: all of it in one transaction, or nothing and every problem said.

    A dry run does all of this but the commit. Bad input never raises; it is in the outcome. On SQLite the file is read
    and checked beside the database, whose lock is taken to store the rows and for nothing else (`projects.rehearsing`);
    what is refused and what is only tried never takes it.

    `progress` is told after each batch, outside the import's transaction: what it writes to the database is committed
    by itself, and what it raises leaves nothing of the import and passes through. (Where the caller has begun a
    transaction, all of it is that one.)

    `before_commit` is called at the end of the transaction that stores the rows, where there are any to store: what it
    writes is committed with them or not at all, and what it raises undoes them and passes through.

    `configure` is given the importer before it is shown the first line: settings that a page does not have. `reading`
    says how the file is to be read where it does not show that by itself; a checked `mapping`
    (`formats.mapping.specification`) what becomes of it where it is not written as ours are.

    Raises UnderWay on PostgreSQL, where another import of the project is under way and this one is not to wait for it.
    """
    attempt = _Attempt(project, Rereadable(source), kind, file_format, dry_run, actor)
    before: Import | None = None
    attempt.reading, attempt.mapping = reading or Reading(), mapping
    attempt.between_batches = _between_batches(source, progress)
    attempt.before_commit, attempt.waits, attempt.configure = before_commit, waits, configure
    with attempt.source:
        _attempt(attempt)
        if attempt.problems.total:
            before = came_before(project, kind, digest_of(attempt.source.digest(), mapping))
    outcome = attempt.outcome
    outcome.lines, outcome.notes = source.lines_read, [*source.notes, *attempt.notes]
    if before is not None:
        day = f"{before.imported_at:%Y-%m-%d}"
        message = _("This very file came in on %(day)s: nothing was changed.") % {"day": day}
        return replace(outcome, is_unchanged=True, counts={}, notes=[*outcome.notes, message])
    outcome.problems, outcome.problem_count = attempt.problems.shown, attempt.problems.total
    return outcome


def _attempt(attempt: "_Attempt") -> None:
    """All of it or nothing; what is wrong is in its problems."""
    try:
        if can_rehearse():
            rehearsed(attempt.run, attempt.weighed, attempt.end)
        elif connection.in_atomic_block:
            attempt.run_in_transaction()
        else:
            with on_own_connection():
                attempt.run_in_transaction()
        attempt.outcome.is_stored = True
    except _Undo:
        pass
    except Invalid as refused:
        for problem in refused.problems:
            attempt.problems.add(problem)
    except Changed:
        message = _("Others changed the project each time while the file was checked against it. Try again later.")
        attempt.problems.add(Problem("changed_meanwhile", message))
    except NoRoom:
        message = _("There is too little room on the disk to check the file. Make room, then try again.")
        attempt.problems.add(Problem("no_room", message))
    except IntegrityError as error:
        # Everything an importer can foresee it says by line; what is left is a change made meanwhile.
        message = _("The database refused a row (%(reason)s). If someone changed the project meanwhile, try again.")
        attempt.problems.add(Problem("refused_by_database", message % {"reason": str(error).splitlines()[0]}))


def _between_batches(source: Source, progress: Progress | None) -> Callable[[], None]:
    """What is done after each batch, on the connection that this thread has outside the import."""
    usual = connections[DEFAULT_DB_ALIAS]

    def look_up() -> None:
        with standing_in(usual):
            if progress:
                progress(source.lines_read, source.bytes_read, source.size)

    return look_up


class _Attempt:
    """One import as it is done, once or again from the beginning where the project changed meanwhile."""

    reading: Reading
    origin: Origin
    mapping: dict | None = None
    between_batches: Callable[[], None]
    before_commit: Callable[[Outcome], None] | None = None
    waits = True
    configure: Callable[[Importer], None] | None = None

    def __init__(
        self, project: Project, source: "Rereadable", kind: str, file_format: str, is_dry_run: bool, actor: User | None
    ) -> None:
        self.project = project
        self.source = source
        self.kind = kind
        self.file_format = file_format
        self.actor = actor
        self.outcome = Outcome(kind, is_dry_run)
        self.problems = ProblemLog()
        self.notes: list[str] = []  # on what the project holds with the file
        self.importer: Importer | None = None

    def run_in_transaction(self) -> None:
        with transaction.atomic():
            self.run()
            self.end()

    def end(self) -> None:
        """The last of the transaction that stores the rows."""
        outcome, source = self.outcome, self.source.source
        outcome.lines, outcome.notes = source.lines_read, [*source.notes, *self.notes]
        if self.before_commit:  # it writes down what will be true once this is committed
            self.before_commit(replace(outcome, is_stored=True))

    def run(self) -> None:
        """Store everything in the transaction that is under way. Raises _Undo where nothing of it is to stay."""
        self.source.begin()
        self.outcome, self.problems = Outcome(self.kind, self.outcome.is_dry_run), ProblemLog()
        self._store()
        if self.problems.total or self.outcome.is_dry_run:
            raise _Undo
        assert self.importer is not None
        counts = self.importer.counts
        if not self.origin.close(counts, digest_of(self.source.digest(), self.mapping)):
            return  # all of it was there already
        audit.record(
            "data.imported",
            actor=self.actor,
            project=self.project,
            subject=self.source.source.name,
            kind=self.outcome.kind,
            **self.outcome.counts,
        )

    def weighed(self) -> list[Weighed]:
        return list(self.importer.weighed()) if self.importer else []

    def _store(self) -> None:
        _one_import_at_a_time(self.project, self.waits)
        chosen = importer(self.kind)
        source = self.source.source
        if self.mapping is None:
            reading = replace(self.reading, parse_cells=chosen.format.json_cells, kind=self.kind)
            records = read_records(source, chosen.as_lines(source, self.file_format), reading=reading)
        else:
            records = mapped_records(source, self.file_format, self.reading, self.mapping)
        first, records = _peek(records)
        if isinstance(first, Record) and "format" in first.fields and not chosen.format.has_format_of_its_own:
            chosen = _importer_of(first)
        if first is None:
            if source.columns is None:
                raise Invalid(Problem("empty_file", _("The file holds no records.")))
            raise Invalid(
                Problem("empty_file", _("The file holds no records below its first line, which names the columns."))
            )
        self.outcome.kind = chosen.kind
        run = self.importer = chosen(self.project, self.problems)
        self.origin = run.origin = Origin(self.project, chosen.kind, source.name, self.actor)
        if self.configure:
            self.configure(run)
        run.has_cells = source.columns is not None or self.mapping is not None
        if self.mapping is not None:
            run.creates = frozenset(self.mapping.get("create") or ())
        elif source.columns is not None:
            refuse_columns(run, source)
        self._store_in_batches(run, records)
        if not self.problems.total:
            run.finish()
            open_areas(self.project, run.areas())
            self.notes = notes_of(self.project)
        self.outcome.counts = dict(run.counts)

    def _store_in_batches(self, run: Importer, records: Iterator[Record | Problem]) -> None:
        source = self.source.source
        batch: list[Record] = []
        stored_at = batches = 0  # by what was read, however well it was packed
        for record in records:
            if isinstance(record, Problem):
                run.problems.add(record)
            elif run.check(record):
                batch.append(record)
            if len(batch) >= run.batch_lines or source.content_bytes - stored_at > BATCH_BYTES:
                run.store(batch)
                batch, stored_at = [], source.content_bytes
                batches += 1
                if batches & (batches - 1) == 0:  # 1, 2, 4, 8 ...: whenever the tables have about doubled
                    count_rows_anew(run.fills)
                self.between_batches()
        if batch:
            run.store(batch)
        count_rows_anew(run.fills)
        self.between_batches()


def _one_import_at_a_time(project: Project, waits: bool) -> None:
    """Of a project; people go on working, and its row stays free to be changed. Raises UnderWay where it does not wait.

    SQLite needs no lock: of two files that were checked at once, the second one to be stored is checked again.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            if waits:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [IMPORTS, project.pk])
                return
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [IMPORTS, project.pk])
            if not cursor.fetchone()[0]:
                raise UnderWay


def _peek(records: Iterator[Record | Problem]) -> tuple[Record | Problem | None, Iterator[Record | Problem]]:
    first = next(records, None)
    return first, records if first is None else chain([first], records)


def _importer_of(first: Record) -> type[Importer]:
    named = importer_of_format(first.fields["format"])
    if named is None:
        message = _("This format is not known here.")
        raise Invalid(Problem("unknown_format", message, "format", first.line))
    return named
