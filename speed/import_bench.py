"""Times the import of 1,050 responses with 7,470 spans beside a bare insertion of the same rows, on both databases.

Run from the project's root: `python -m speed.import_bench [--rows N]`. It prints and never passes or fails.
The floor puts the very rows that the import stored into the same tables, under the same indexes and triggers, by
one executemany (SQLite) or COPY (PostgreSQL) a table, in one transaction. `--rows` sets the size of the file whose
import shows that memory does not grow.
"""

import argparse
import io
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from speed.results import report

if TYPE_CHECKING:  # Django is set up first
    from projects.models import Project

REPEATS = 3
SPANS = 7470
# In the order in which rows may be inserted; what is derived from them goes first when they are taken away.
TABLES = ("projects_prompt", "projects_response", "annotation_marking", "annotation_span")
DERIVED = ("annotation_golderror", "annotation_goldanswer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    from tests import servers

    with tempfile.TemporaryDirectory(prefix="mizan-bench-") as folder:
        run_on({"DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"}, rows)
        with servers.postgres(durable=True) as url:
            run_on({"DATA_DIR": folder, "DATABASE_URL": url}, rows)


def run_on(environment: dict[str, str], rows: int) -> None:
    """A process for each database: Django knows one from its start."""
    program = f"from speed.import_bench import measure; measure({rows})"
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "bench", "LOG_LEVEL": "WARNING"}
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **settings, **environment}, check=True)


def measure(rows: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from projects.creation import create_project
    from projects.models import Project

    call_command("migrate", verbosity=0)
    project = create_project(Project(slug="bench", name="Bench", is_generated=True), None)
    folder = Path(os.environ["DATA_DIR"])
    words = write_files(folder)
    imports, floors = [], []
    for _repeat in range(REPEATS):
        empty()
        imports.append(timed(lambda: import_files(project.slug, folder)))
        stored = {table: all_rows(table) for table in TABLES}
        empty()
        floors.append(timed(partial(insert, stored)))
    best, floor = min(imports), min(floors)
    what = f"import, {len(stored['projects_response'][1]):,} responses, {words} words, {SPANS:,} spans"
    bar = "1 s" if connection.vendor == "sqlite" else "1.5 s"
    report(
        f"{what}, {connection.vendor}",
        f"{best:.2f} s",
        floor=f"{floor:.2f} s bare rows",
        ratio=best / floor,
        bar=f"about {bar}; at most 4 x",
    )
    empty()
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = timed(lambda: import_many(project, rows))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begun) / 1024
    report(
        f"import of {rows:,} items, checked, then undone, {connection.vendor}",
        f"{rows / seconds:,.0f} rows/s, +{grown:.0f} MB",
        bar="memory does not grow with the rows",
    )


def write_files(folder: Path) -> int:
    """Items and spans of the generated project: all of its people's spans, and of its judges' what is missing to
    SPANS. Returns the mean number of words of a response."""
    import orjson

    from demo.studies import juice

    lines = list(juice.generate())
    items = [line for line in lines if "kind" not in line]
    spans = sorted(
        (line for line in lines if line.get("kind") == "spans"), key=lambda line: line["rater_kind"] == "judge"
    )
    left = SPANS
    for line in spans:
        line["spans"] = line["spans"][:left]
        line["no_errors"] = not line["spans"]
        left -= len(line["spans"])
    for name, chosen in (("items", items), ("answers", spans)):
        with (folder / f"{name}.jsonl").open("wb") as file:
            file.writelines(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in chosen)
    return sum(len(item["response"].split()) for item in items) // len(items)


def import_files(slug: str, folder: Path) -> None:
    from django.core.management import call_command

    for name in ("items", "answers"):
        call_command(f"import_{name}", slug, str(folder / f"{name}.jsonl"), quiet=True, stdout=io.StringIO())


def import_many(project: "Project", rows: int) -> None:
    from formats.importing.running import run_import
    from formats.reading import Source

    line = b'{"id":"r%d","prompt_id":"p%d","prompt":"q %d","variety":"en-US","model":"M",'
    line += b'"laboratory":"L","response":"%s"}\n'
    text = b"word " * 20

    class Generated(io.RawIOBase):
        sent = 0

        def read(self, size: int = -1) -> bytes:
            numbers = range(self.sent, min(rows, self.sent + size // 300))
            self.sent = numbers.stop if numbers else self.sent
            return b"".join(line % (n, n // 10, n // 10, text) for n in numbers)

    outcome = run_import(project, Source(Generated()), "items", dry_run=True)
    assert outcome.is_clean, outcome.problems
    assert outcome.counts["responses"] == rows


# --- The floor ---


def all_rows(table: str) -> tuple[list[str], list[tuple]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY id")
        return [column[0] for column in cursor.description], cursor.fetchall()


def insert(stored: dict[str, tuple[list[str], list[tuple]]]) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for table, (columns, rows) in stored.items():
            names = ", ".join(f'"{column}"' for column in columns)
            if connection.vendor == "postgresql":
                with cursor.cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                    for row in rows:
                        copy.write_row(row)
            else:
                places = ", ".join(["?"] * len(columns))
                # The connection's own cursor: the floor pays for nothing of Django.
                raw = sqlite3.Cursor(connection.connection)
                raw.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)


def empty() -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for table in (*DERIVED, *reversed(TABLES)):
            if table == "annotation_golderror":
                cursor.execute("UPDATE annotation_span SET gold_error_id = NULL")
            cursor.execute(f"DELETE FROM {table}")


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
