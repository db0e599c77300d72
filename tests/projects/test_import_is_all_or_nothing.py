"""Whatever ends an import early, nothing of it is there: kill -9, a request to stop, a fault of the database."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.db import connection

from projects.importing.items import Items
from projects.importing.reading import Source
from projects.importing.running import run_import
from projects.models import Laboratory, Project, Prompt, Response

ROOT = Path(__file__).resolve().parents[2]
LINES = 20_000


@pytest.fixture
def large_file(tmp_path):
    path = tmp_path / "items.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(LINES):
            item = {"id": f"r{number}", "prompt": f"question {number}", "variety": "ar-EG", "model": "Nile-7B"}
            file.write(json.dumps({**item, "laboratory": "Delta", "response": "كلمة " * 200}) + "\n")
    return path


def counts() -> tuple[int, int, int]:
    return Response.objects.count(), Prompt.objects.count(), Laboratory.objects.filter(slug="delta").count()


def begin_import(path: Path) -> subprocess.Popen:
    """The command in a process of its own, on this test's database, stopped once it has written batches."""
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
    command = [sys.executable, "manage.py", "import_items", "feasts", str(path)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    # Progress is said when a batch has been written: from the first tenth on, rows stand uncommitted.
    for line in process.stderr:
        if "%" in line:
            return process
    pytest.fail(f"the import ended before it was under way: {process.wait()}")


def ended(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=60)
    return out + err


@pytest.fixture
def feasts(transactional_db) -> Project:
    return Project.objects.create(slug="feasts", name="Feasts")


def test_kill_9_in_the_middle_leaves_nothing(feasts, large_file):
    process = begin_import(large_file)
    process.send_signal(signal.SIGKILL)
    ended(process)
    assert process.returncode == -signal.SIGKILL
    until = time.monotonic() + 10  # PostgreSQL notices the lost client at its next write
    while counts() != (0, 0, 0) and time.monotonic() < until:
        time.sleep(0.1)
    assert counts() == (0, 0, 0)
    assert not feasts.audit_events.exists()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_stop_is_answered_and_leaves_nothing(feasts, large_file, stop):
    process = begin_import(large_file)
    process.send_signal(stop)
    assert "nothing was stored" in ended(process)
    assert process.returncode == 130
    assert counts() == (0, 0, 0)


def test_an_undisturbed_import_of_the_same_file_stores_all_of_it(feasts, large_file):
    process = begin_import(large_file)
    assert f"{LINES} responses" in ended(process)
    assert counts() == (LINES, LINES, 1)


def test_a_row_the_database_refuses_undoes_the_whole_import(feasts, large_file, monkeypatch):
    """What an importer overlooks is still caught by the database, and said."""
    monkeypatch.setattr(Items, "_without_taken_ids", lambda self, batch: list(batch))
    content = large_file.read_bytes().split(b"\n")
    large_file.write_bytes(b"\n".join([*content[:3], content[0]]))
    with large_file.open("rb") as file:
        outcome = run_import(feasts, Source(file), "items")
    assert [problem.code for problem in outcome.problems] == ["refused_by_database"]
    assert counts() == (0, 0, 0)
