"""Times the import of the generated study of ratings, and the export of its gold, on both databases.

Run from the project's root: `python -m speed.rating_import_bench`. It prints and never passes or fails. 6,423
pairs come in by a file of items; 40,507 answers of 1,934 people, which are 81,014 grades, and the verdicts of twelve
simulated judges by a file of answers. The floor puts the rows that were stored into the same tables, under the same
indexes and triggers, by one executemany (SQLite) or COPY (PostgreSQL) a table, in one transaction.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from speed.import_bench import all_rows, import_files, insert, timed
from speed.results import report

if TYPE_CHECKING:  # Django is set up first
    from demo.studies.menlo import Study
    from projects.models import Project

# In the order in which rows may be inserted.
TABLES = ("projects_prompt", "projects_response", "projects_responsepair", "projects_rater", "annotation_rating")


def main() -> None:
    from tests import servers

    with tempfile.TemporaryDirectory(prefix="mizan-bench-") as folder:
        run_on({"DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"})
        with servers.postgres(durable=True) as url:
            run_on({"DATA_DIR": folder, "DATABASE_URL": url})


def run_on(environment: dict[str, str]) -> None:
    """A process for each database: Django knows one from its start."""
    program = "from speed.rating_import_bench import measure; measure()"
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "bench", "LOG_LEVEL": "WARNING"}
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **settings, **environment}, check=True)


def measure() -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from demo.menlo import add_templates
    from demo.studies import menlo
    from projects.creation import create_project
    from projects.models import Project

    call_command("migrate", verbosity=0)
    project = create_project(Project(slug="bench", name="Bench", preset="ratings", is_generated=True), None)
    folder = Path(os.environ["DATA_DIR"])
    study = menlo.generate()
    write_files(study, folder)
    add_templates(project, study)
    seconds = timed(lambda: import_files(project.slug, folder))
    stored = {table: all_rows(table) for table in TABLES}
    measure_gold(project)
    empty()
    floor = timed(lambda: insert(stored))
    pairs, ratings = (len(stored[table][1]) for table in ("projects_responsepair", "annotation_rating"))
    report(
        f"import of {pairs:,} pairs and {ratings:,} ratings, {connection.vendor}",
        f"{seconds:.1f} s",
        floor=f"{floor:.1f} s bare rows",
        ratio=seconds / floor,
        bar="under 60 s; at most 4 x",
    )


def write_files(study: "Study", folder: Path) -> None:
    import orjson

    for name, lines in (("items", study.items()), ("answers", study.answers())):
        with (folder / f"{name}.jsonl").open("wb") as file:
            file.writelines(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def measure_gold(project: "Project") -> None:
    from django.db import connection

    from reports.ratings.gold import lines

    begun = time.perf_counter()
    exported = lines(project)
    size = len(next(exported))
    first = time.perf_counter() - begun
    size += sum(map(len, exported))
    seconds = time.perf_counter() - begun
    report(
        f"gold of the same ratings, {size / 1e6:.0f} MB, {connection.vendor}",
        f"{size / 1e6 / seconds:.1f} MB/s, first line after {1000 * first:.0f} ms",
        bar="first byte under 200 ms",
    )


def empty() -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for table in reversed(TABLES):
            cursor.execute(f"DELETE FROM {table}")


if __name__ == "__main__":
    main()
