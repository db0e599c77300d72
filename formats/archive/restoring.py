"""Making a project of an archive: all of it in one transaction, or nothing and what is wrong with its place.

Rows come in by the tables' own constraints and triggers, under new ids that ascend as the old ones did. Of a table all
that is in memory is these ids, eight bytes each. Nobody gets a right by it but who brings it in: people are raters
without an account, providers that are not there have no address and no key.
"""

import uuid
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.utils.translation import gettext as _

from formats.archive.columns import Column, columns_of, wrong_value
from formats.archive.contents import Row, Seal, Shared, Table, shared, steps
from formats.archive.reading import Archive, damaged, opened
from formats.kinds import slug as slug_kind
from projects.audit import record
from projects.insertion import column_of, count_rows_anew, insert_rows
from projects.models import Membership, Project, Role, User
from projects.problems import Invalid, Problem
from projects.rehearsing import Changed, NoRoom, can_rehearse, rehearsed
from projects.slugs import free_slug

T = TypeVar("T")
ROWS_AT_ONCE = 1000
SHORT_NAME = slug_kind(Project._meta.get_field("slug").max_length or 0)


@dataclass(frozen=True, slots=True)
class Restored:
    """What came of it: `rows` counts those of all tables."""

    project: int
    slug: str
    rows: int

    def as_json(self) -> dict[str, Any]:
        return {"project": self.slug, "rows": self.rows}


def restore(
    source: IO[bytes],
    slug: str = "",
    by: User | None = None,
    *,
    sha256: str = "",
    on_bytes: Callable[[int, int], object] = lambda done, total: None,
    before_commit: Callable[[Restored], object] = lambda restored: None,
) -> Restored:
    """A new project, led by who brings it in, of an archive in a file that can be sought in.

    Without a short name it has the one that it had, where that is free. `on_bytes` is told how much of it was looked
    at, before anything is stored. `before_commit` is called at the end of the transaction that stores all of it.

    Raises Invalid, with the file and the row, where the archive is refused; nothing is stored then.
    """
    with opened(source) as archive:
        archive.check(on_bytes)
        slug = slug or free_slug(archive.slug, _taken(archive.slug), "project")
        if fault := SHORT_NAME.check(slug):
            raise Invalid(Problem(*fault, "slug"))
        restored: list[Restored] = []

        def work() -> Restored:
            if Project.objects.filter(slug=slug).exists():
                message = _("There is a project “%(slug)s” already. Choose another short name.") % {"slug": slug}
                raise Invalid(Problem("slug_taken", message, "slug"))
            restored[:] = [_Restoring(archive, slug, by, sha256).run()]
            return restored[0]

        def end() -> None:
            before_commit(restored[0])

        try:
            if can_rehearse():
                return rehearsed(work, before_commit=end)
            with transaction.atomic():
                work()
                end()
                return restored[0]
        except DatabaseError as error:
            message = _("The database refused a row: %(reason)s.") % {"reason": str(error).splitlines()[0]}
            raise Invalid(Problem("refused_by_database", message)) from error
        except Changed:
            message = _("Others changed the installation each time before it could be stored. Try again later.")
            raise Invalid(Problem("changed_meanwhile", message)) from None
        except NoRoom:
            message = _("There is too little room on the disk to check the file. Make room, then try again.")
            raise Invalid(Problem("no_room", message)) from None


def _taken(slug: str) -> set[str]:
    return set(Project.objects.filter(slug__startswith=slug[:10]).values_list("slug", flat=True))


class _Restoring:
    """One archive coming in, within a transaction."""

    def __init__(self, archive: Archive, slug: str, by: User | None, sha256: str) -> None:
        self.archive = archive
        self.slug = slug
        self.by = by
        self.sha256 = sha256
        self.project: Project | None = None
        self.ids: dict[type[models.Model], array] = {}
        self.shared: dict[type[models.Model], list[int]] = {}

    def run(self) -> Restored:
        for step in steps():
            if isinstance(step, Seal):
                self.seal(step.model)
            elif step.model is Project:
                self.begin(step)
            else:
                self.table(step)
        project = self.project
        assert project is not None
        if self.by is not None:
            Membership.objects.create(project=project, user=self.by, role=Role.LEAD)
        told = {"was": self.archive.slug, "rows": self.archive.rows, "sha256": self.sha256}
        record("archive.brought_in", actor=self.by, project=project, subject=project.slug, **told)
        return Restored(project.pk, project.slug, self.archive.rows)

    def begin(self, table: Table) -> None:
        """The project itself, then what it shares with others of the installation."""
        rows = [row for _number, row in self.archive.table_rows(table)]
        if len(rows) != 1:
            raise damaged(table.file, _("It does not hold one project."))
        values = {column.name: self.value(table, column, rows[0].get(column.name), 1) for column in columns_of(table)}
        # Without what a new project is given by itself, such as its words: those it has come in with it.
        [self.project] = Project.objects.bulk_create([Project(**{**values, "slug": self.slug})])
        Project.objects.filter(pk=self.project.pk).update(created_at=values["created_at"])
        self.ids[Project] = array("q", [self.project.pk])
        for each in shared():
            self.shared[each.model] = self.find(each)

    def find(self, each: Shared) -> list[int]:
        assert self.project is not None
        found = []
        for number, row in self.archive.table_rows(each):
            try:
                found.append(each.found(row, self.project))
            except (KeyError, TypeError, ValueError, ValidationError):
                raise damaged(each.file, _("This is no row."), number) from None
            except Invalid as invalid:
                [problem] = invalid.problems
                raise Invalid(Problem(problem.code, problem.message, each.file, number)) from None
        return found

    # --- One table ---

    def table(self, table: Table) -> None:
        file = self.archive.files.get(table.file)
        ids = self.ids.setdefault(table.model, array("q"))
        if file is None:
            return
        columns = columns_of(table)
        key = table.model._meta.pk
        assert key is not None
        own_key = None if key.is_relation else key
        fixed = [field for field in table.model._meta.concrete_fields if field.related_model is Project]
        assert self.project is not None
        names = [*([own_key.name] if own_key else []), *(field.name for field in fixed), *(c.name for c in columns)]
        names = list(dict.fromkeys(names))
        referred = any(column.is_own for column in columns)
        for rows in some_at_once(self.archive.table_rows(table), ROWS_AT_ONCE):
            values = [self.values(table, columns, number, row) for number, row in rows]
            self.renew(table, columns, values)
            if own_key is not None:
                new_ids = numbers_for(table.model, len(values))
                for row, pk in zip(values, new_ids, strict=True):
                    row[own_key.name] = pk
            elif key.related_model is Project:
                new_ids = [self.project.pk] * len(values)
            else:
                new_ids = [row[key.name] for row in values]
            for row in values:
                row |= {field.name: self.project.pk for field in fixed}
            insert_rows(table.model, names, (_as_stored(table.model, names, row) for row in values))
            ids.extend(new_ids)
        if referred:
            self.update(table, [column for column in columns if column.is_own and column.name not in table.later])
        count_rows_anew([table.model])

    def values(self, table: Table, columns: Sequence[Column], number: int, row: Row) -> Row:
        """The row as it is stored at first: with new ids, without what is sealed later or refers to its own table."""
        if table.renumber is not None:
            try:
                table.renumber(row, self.new_id)
            except (KeyError, TypeError, ValueError, IndexError, AttributeError):
                raise damaged(table.file, _("This is no row."), number) from None
        waits = {column.name for column in columns if column.is_own} | {*table.later}
        return {
            column.name: column.default
            if column.name in waits or column.name not in row
            else self.value(table, column, row[column.name], number)
            for column in columns
        }

    def value(self, table: Table, column: Column, value: Any, number: int) -> Any:
        if column.to is None:
            try:
                return column.read(value)
            except ValidationError as error:
                raise wrong_value(f"{table.file}: {column.name}", number, error) from None
        if value is None and column.field.null:
            return None
        found = self.new_id(column.to, value) if type(value) is int else 0
        if not found:
            raise damaged(f"{table.file}: {column.name}", _("It refers to a row that is not in the archive."), number)
        return found

    def new_id(self, model: type[models.Model], number: int) -> int:
        """The id of a row by its number in the archive; 0 where there is none."""
        ids: Sequence[int] = self.shared[model] if model in self.shared else self.ids.get(model, ())
        return ids[number - 1] if 1 <= number <= len(ids) else 0

    def renew(self, table: Table, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Other values for what may stand but once in an installation and does: the archived project is there too."""
        for column in columns:
            if not getattr(column.field, "_unique", False) or column.to is not None:
                continue
            of_column = [row[column.name] for row in rows if row[column.name] is not None]
            for some in some_at_once(of_column, 500):
                there = table.model._base_manager.filter(**{f"{column.name}__in": some})
                taken = set(there.values_list(column.name, flat=True))
                for row in rows if taken else ():
                    if row[column.name] in taken:
                        row[column.name] = self.another(row[column.name])

    def another(self, value: Any) -> Any:
        assert self.project is not None
        if isinstance(value, uuid.UUID):
            return uuid.uuid4()
        return f"{str(value)[:50]}-{self.project.pk}"

    # --- What waits until other rows are in ---

    def seal(self, model: type[models.Model]) -> None:
        for table in steps():
            if isinstance(table, Table) and table.model is model:
                self.update(table, [column for column in columns_of(table) if column.name in table.later])

    def update(self, table: Table, columns: Sequence[Column]) -> None:
        """Store these columns of rows that are in, where they are other than at first."""
        if not columns or table.file not in self.archive.files:
            return
        quote = connection.ops.quote_name
        placed = ", ".join(f"{quote(column_of(table.model, column.name))} = %s" for column in columns)
        key = table.model._meta.pk
        assert key is not None
        assert key.column is not None
        statement = f"UPDATE {quote(table.model._meta.db_table)} SET {placed} WHERE {quote(key.column)} = %s"
        with connection.cursor() as cursor:
            for some in some_at_once(self.changes(table, columns), ROWS_AT_ONCE):
                cursor.executemany(statement, some)

    def changes(self, table: Table, columns: Sequence[Column]) -> Iterator[list[Any]]:
        for number, row in self.archive.table_rows(table):
            values = [self.value(table, column, row.get(column.name), number) for column in columns]
            if any(value != column.default for value, column in zip(values, columns, strict=True)):
                pk = self.ids[table.model][number - 1]
                yield [*(column.stored(value) for value, column in zip(values, columns, strict=True)), pk]


def some_at_once(rows: Iterable[T], count: int) -> Iterator[list[T]]:
    coming = iter(rows)
    while some := list(islice(coming, count)):
        yield some


def _as_stored(model: type[models.Model], names: Iterable[str], row: Row) -> list[Any]:
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    return [field.get_db_prep_save(row[name], connection) for field, name in zip(fields, names, strict=True)]


def numbers_for(model: type[models.Model], count: int) -> list[int]:
    """New ids of a table, ascending, that nobody else is given."""
    table, key = model._meta.db_table, model._meta.pk
    assert key is not None
    assert key.column is not None
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "pg_get_serial_sequence(%s, %s)"
            asked = f"SELECT nextval({sequence}) FROM generate_series(1, %s)"
            cursor.execute(asked, [quote(table), key.column, count])
            return sorted(row[0] for row in cursor.fetchall())
        # One writer at a time: the lock is held. What was given once is not given again, though its row is gone.
        given = "SELECT MAX(COALESCE((SELECT seq FROM sqlite_sequence WHERE name = %s), 0), "
        cursor.execute(f"{given}COALESCE((SELECT MAX({quote(key.column)}) FROM {quote(table)}), 0))", [table])
        first = int(cursor.fetchone()[0]) + 1
        return list(range(first, first + count))
