"""Whatever ends an import early, nothing of it is there: kill -9, a request to stop, a fault of the database."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import Model

from formats.importing.items import Items
from formats.importing.running import run_import
from formats.reading import Source
from projects.models import Project, Prompt, Rater, Response, TargetModel
from rubrics.models import Criterion, Grade, Rubric, Verdict
from tests.people import EGYPTIAN
from tests.rubrics.files import criterion, grade_line, rubric_line, stored
from tests.rubrics.rubrics import make_rubrics_project

ROOT = Path(__file__).resolve().parents[2]
# `manage.py`, but that it waits in the middle, until it is told to end or to go on: it is not over before we look.
# It hears Ctrl-C as on a terminal, also where the tests were begun by a shell in the background, which has all that it
# begins there ignore it.
WAITING = """
import signal
import sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from django.core.management import execute_from_command_line
from projects.terminal import ProgressBar
show = ProgressBar.show
def show_and_wait(bar, *told):
    before = bar.tenths
    show(bar, *told)
    if bar.tenths > before == 0:
        sys.stdin.read()
ProgressBar.show = show_and_wait
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""
# Several batches: when the first has been written, others have not been read.
LINES = 5_000
RUBRIC_LINES, GRADERS = 2_500, 10


@dataclass(frozen=True)
class LargeFile:
    """A file whose import takes long enough to be ended, and the rows that it fills."""

    command: str
    path: Path
    tables: tuple[type[Model], ...]
    stored: tuple[int, ...]  # how many rows of each table an undisturbed import adds

    def counts(self) -> tuple[int, ...]:
        return tuple(table._default_manager.count() for table in self.tables)


def written(path: Path, lines: Iterator[dict]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def items(folder: Path) -> LargeFile:
    shared = {"variety": "ar-EG", "model": "Nile-7B", "laboratory": "Delta", "response": "كلمة " * 200}
    lines = ({"id": f"r{n}", "prompt": f"question {n}", **shared} for n in range(LINES))
    path = written(folder / "items.jsonl", lines)
    return LargeFile("import_items", path, (Response, Prompt, TargetModel), (LINES, LINES, 1))


def rubrics(folder: Path) -> LargeFile:
    criteria = [criterion("c1", 10), criterion("c2", 5)]
    lines = (
        rubric_line(*criteria, prompt_id=f"p{n}", prompt=f"question {n}", variety="ar-EG") for n in range(RUBRIC_LINES)
    )
    path = written(folder / "rubrics.jsonl", lines)
    tables = (Rubric, Prompt, Criterion, Rater)
    return LargeFile("import_rubrics", path, tables, (RUBRIC_LINES, RUBRIC_LINES, 2 * RUBRIC_LINES, 1))


def grades(folder: Path) -> LargeFile:
    """Every response graded first by one person and then by others, each on all its criteria."""
    feasts = Project.objects.get(slug="feasts")
    shared = {"variety": "ar-EG", "model": "Nile-7B", "laboratory": "Delta", "response": EGYPTIAN}
    about = range(RUBRIC_LINES // GRADERS)
    stored(feasts, "items", *({"id": f"r{n}", "prompt_id": f"p{n}", "prompt": f"q {n}", **shared} for n in about))
    stored(feasts, "rubrics", *(rubric_line(prompt_id=f"p{n}") for n in about))
    lines = (
        grade_line(item=f"r{n}", rater=f"grader {m}", role="regrade" if m else "reference")
        for n in about
        for m in range(GRADERS)
    )
    path = written(folder / "grades.jsonl", lines)
    return LargeFile("import_grades", path, (Grade, Verdict), (RUBRIC_LINES, 2 * RUBRIC_LINES))


@pytest.fixture(params=[items, rubrics, grades], ids=lambda made: made.__name__)
def large_file(request, feasts, tmp_path) -> LargeFile:
    return request.param(tmp_path)


def begin_import(file: LargeFile) -> subprocess.Popen:
    """The command in a process of its own, on this test's database, which waits once it has written batches."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        if "memory" in str(database["NAME"]):
            pytest.skip("another process cannot open a database in memory")
        address = f"sqlite:///{database['NAME']}"
    else:
        host, port = database["HOST"] or "127.0.0.1", database["PORT"] or 5432
        secret = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
        address = f"postgres://{database['USER']}{secret}@{host}:{port}/{database['NAME']}"
    environment = {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", WAITING, file.command, "feasts", str(file.path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stderr is not None
    # Progress is said when a batch has been written: from the first tenth on, rows stand uncommitted.
    for line in process.stderr:
        if "%" in line:
            return process
    pytest.fail(f"the import ended before it was under way: {process.wait()}")


def ended(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=300)
    return out + err


@pytest.fixture
def feasts(transactional_db) -> Project:
    return make_rubrics_project(Project.objects.create(slug="feasts", name="Feasts"))


def test_kill_9_in_the_middle_leaves_nothing(feasts, large_file):
    before = large_file.counts(), feasts.audit_events.count()
    process = begin_import(large_file)
    process.send_signal(signal.SIGKILL)
    ended(process)
    assert process.returncode == -signal.SIGKILL
    until = time.monotonic() + 60  # PostgreSQL notices the lost client at its next write
    while large_file.counts() != before[0] and time.monotonic() < until:
        time.sleep(0.1)
    assert (large_file.counts(), feasts.audit_events.count()) == before


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_stop_is_answered_and_leaves_nothing(large_file, stop):
    before = large_file.counts()
    process = begin_import(large_file)
    process.send_signal(stop)
    assert "nothing was stored" in ended(process)
    assert process.returncode == 130
    assert large_file.counts() == before


def test_an_undisturbed_import_of_the_same_file_stores_all_of_it(large_file):
    before = large_file.counts()
    process = begin_import(large_file)
    said = ended(process)
    assert process.returncode == 0, said
    assert tuple(now - then for now, then in zip(large_file.counts(), before, strict=True)) == large_file.stored


@pytest.mark.parametrize("large_file", [items], indirect=True)
def test_a_row_the_database_refuses_undoes_the_whole_import(feasts, large_file, monkeypatch):
    """What an importer overlooks is still caught by the database, and said."""
    monkeypatch.setattr(Items, "_without_taken_ids", lambda self, batch: list(batch))
    content = large_file.path.read_bytes().split(b"\n")
    with BytesIO(b"\n".join([*content[:3], content[0]])) as file:
        outcome = run_import(feasts, Source(file), "items")
    assert [problem.code for problem in outcome.problems] == ["refused_by_database"]
    assert large_file.counts() == (0, 0, 0)
