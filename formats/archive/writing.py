"""Writing an archive: every table of a project as a file of lines, and a manifest that says what there is.

Rows are numbered from 1 in each table, in the order of their ids, so that the same project gives the same files
wherever it stands. Of a table all that is in memory is the ids of its rows, eight bytes each.
"""

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import orjson
from django.db.models import Model, QuerySet

from formats.archive.columns import Column, columns_of, packed
from formats.archive.contents import Shared, Table, shared, tables
from formats.archive.unchanging import unchanging
from formats.project_file.describing import file_of
from projects.models import Project

FORMAT = "mizan.archive/1"
MANIFEST = "manifest.json"
PROJECT_FILE = "project.yaml"
ROWS_AT_ONCE = 2000
#: Of every file, so that the same project gives the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)

#: Is told how many tables are written, of how many.
Progress = Callable[[int, int], object]


def unheard(done: int, total: int) -> None:
    """Nobody listens."""


@dataclass
class Numbers:
    """The numbers that the rows of one model have in the archive, by their ids."""

    ids: list[array] = field(default_factory=list)  # of each of its files, ascending

    def begin(self) -> array:
        self.ids.append(array("q"))
        return self.ids[-1]

    def of(self, pk: int) -> int:
        """From 1; 0 where the row is not in the archive."""
        before = 0
        for ids in self.ids:
            at = bisect_left(ids, pk)
            if at < len(ids) and ids[at] == pk:
                return before + at + 1
            before += len(ids)
        return 0


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it: how many rows there are in how many files, and of how many bytes they were made."""

    rows: int
    files: int
    unpacked: int


def write_archive(project: Project, target: IO[bytes], on_table: Progress = unheard) -> Written:
    """Write the archive of a project, as it is at this moment, to a file that can be sought in."""
    with unchanging() as outside:
        writer = _Writer(project, target)
        all_tables = tables()
        for done, table in enumerate(all_tables):
            outside(lambda done=done: on_table(done, len(all_tables)))  # type: ignore[misc]
            writer.table(table)
        return writer.end()


class _Writer:
    def __init__(self, project: Project, target: IO[bytes]) -> None:
        self.project = project
        self.zip = ZipFile(target, "w", ZIP_DEFLATED, allowZip64=True)
        self.files: list[dict[str, Any]] = []
        self.numbers: dict[type[Model], Numbers] = {}
        # In the order in which the installation has them, in which tables show them: so they are made elsewhere.
        self.shared = {each.model: Numbers([array("q", sorted(self.used(each.model)))]) for each in shared()}

    def used(self, model: type[Model]) -> set[int]:
        """The ids of shared rows that any table refers to."""
        found: set[int] = set()
        for table in tables():
            for column in columns_of(table):
                if column.to is model:
                    found.update(self.rows(table).order_by().values_list(column.name, flat=True).distinct())
        return found - {None}

    def rows(self, table: Table) -> QuerySet:
        return table.model._base_manager.filter(table.where, **{table.project or "pk": self.project.pk})

    def number(self, model: type[Model], pk: int) -> int:
        """The number of a row that another one refers to; 0 where it does not go along."""
        numbers = self.shared.get(model) or self.numbers.get(model)
        return numbers.of(pk) if numbers is not None else 0

    def table(self, table: Table) -> None:
        columns, numbers = columns_of(table), self.numbers.setdefault(table.model, Numbers())
        ids = numbers.begin()
        names = [column.name for column in columns]
        asked = {f"_{name}": expression for name, expression in (*table.instead.items(), *table.beside.items())}
        rows = self.rows(table).annotate(**asked).order_by("pk")
        read = [f"_{name}" if name in table.instead else name for name in names] + [f"_{name}" for name in table.beside]
        pks = rows.values_list("pk", flat=True)
        ids.extend(pks.iterator(ROWS_AT_ONCE))
        if ids:
            lines = self.lines(table, columns, rows.values_list("pk", *read).iterator(ROWS_AT_ONCE))
            about = {"columns": [*names, *table.beside]}
            self.file(table.file, lines, about)

    def lines(self, table: Table, columns: list[Column], rows: Iterator[tuple]) -> Iterator[bytes]:
        references = [(at, column) for at, column in enumerate(columns) if column.to is not None]
        names = [*(column.name for column in columns), *table.beside]
        for pk, *row in rows:
            for at, column in references:
                row[at] = self.reference(table, column, row[at], pk)
            if table.renumber is not None:
                named = dict(zip(names, row, strict=True))
                table.renumber(named, self.number)
                row = list(named.values())
            yield packed(row)

    def reference(self, table: Table, column: Column, value: int | None, pk: int) -> int | None:
        if value is None:
            return None
        assert column.to is not None
        number = self.number(column.to, value) or None
        if number is None and not column.field.null:
            raise ValueError(f"row {pk} of {table.model._meta.label}: {column.name} does not go along")
        return number

    def file(self, name: str, lines: Iterator[bytes], about: dict[str, Any]) -> None:
        digest, size, rows = hashlib.sha256(), 0, 0
        with self.zip.open(_info(name), "w", force_zip64=True) as out:
            for line in lines:
                out.write(line)
                digest.update(line)
                size, rows = size + len(line), rows + 1
        self.files.append({"name": name, "rows": rows, "bytes": size, "sha256": digest.hexdigest(), **about})

    def end(self) -> Written:
        for each in shared():
            self.shared_rows(each)
        self.file(PROJECT_FILE, iter([file_of(self.project)]), {"columns": []})
        told = {"slug": self.project.slug, "name": self.project.name}
        manifest = {"format": FORMAT, "project": told, "files": sorted(self.files, key=lambda file: file["name"])}
        self.zip.writestr(_info(MANIFEST), orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
        self.zip.close()
        of_rows = [file for file in self.files if file["columns"]]
        unpacked = sum(file["bytes"] for file in self.files)
        return Written(sum(file["rows"] for file in of_rows), len(self.files), unpacked)

    def shared_rows(self, each: Shared) -> None:
        [ids] = self.shared[each.model].ids
        if not ids:
            return
        there = each.model._base_manager.in_bulk(list(ids))
        said = [each.said(there[pk], self.project) for pk in ids]
        lines = (packed(list(row.values())) for row in said)
        self.file(each.file, lines, {"columns": list(said[0])})


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name, NO_TIME)
    info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
    return info
