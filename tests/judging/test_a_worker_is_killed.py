"""A worker is killed without warning in the middle of a run; another goes on, and each call has one result.

Real processes throughout: a Celery worker on the embedded mode's broker and a database file of its own.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests import migrated

pytestmark = pytest.mark.xdist_group("waiting for workers")
ROOT = Path(__file__).parent.parent.parent
WORKER = ["-m", "celery", "-A", "config", "worker", "--pool", "threads", "--concurrency", "2", "--without-gossip"]
WORKER += ["--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
# Run in a process of its own, so that its database is the worker's and not the one of the tests.
PREPARE = """
from judging.engine import runs
from judging.judges import add_judge
from providers.endpoints import simulated_provider
from providers.models import Provider
from projects.models import Project
from tests.people import add_response
project = Project.objects.create(slug="feasts", name="Feasts")
for n in range(60):
    add_response(project, f"r{n}", f"A fair in May, number {n}.\\n\\nIt closes in June.", "en-US")
judge = add_judge(project, simulated_provider(), "simulated-1")
Provider.objects.update(concurrency=4)
runs.start(runs.create_run(judge, project.responses.all()))
"""
COUNT = "SELECT count(*) FROM judging_call WHERE state <> 'planned'"
DONE = "SELECT count(*) FROM judging_run WHERE state = 'done'"
SWEEP = "from jobs.sweeping import sweep; print(sweep(silence_seconds=0))"
SUMMARY = """
from django.db.models import Count
from annotation.models import Marking
from judging.models import Call, Run
states = dict(Call.objects.values_list("state").annotate(n=Count("pk")).order_by())
print(Run.objects.get().state, states, Marking.objects.count(), Marking.objects.filter(is_complete=True).count())
"""


@pytest.fixture
def installation(tmp_path, fake_provider):
    """The environment of an embedded installation in a folder of its own; its workers end with the test."""
    (tmp_path / "broker" / "control").mkdir(parents=True)
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(tmp_path),
        "FAKE_PROVIDER_URL": fake_provider.url,
        "SECRET_KEY": "tests-only",
        "STATIC_HASHED": "0",
        "LOG_LEVEL": "WARNING",
    }
    migrated.copy_sqlite(tmp_path / "mizan.sqlite3")
    workers: list[subprocess.Popen] = []

    class Installation:
        def shell(self, code: str) -> str:
            command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            return done.stdout.strip()

        def worker(self) -> subprocess.Popen:
            workers.append(subprocess.Popen([sys.executable, *WORKER], cwd=ROOT, env=environment))
            return workers[-1]

        def count(self, statement: str) -> int:
            with closing(sqlite3.connect(tmp_path / "mizan.sqlite3", timeout=60)) as connection:
                return connection.execute(statement).fetchone()[0]

        def wait_for(self, statement: str, least: int, seconds: float = 60) -> None:
            ends = time.monotonic() + seconds
            while (found := self.count(statement)) < least:
                assert time.monotonic() < ends, found
                time.sleep(0.3)

    yield Installation()
    for worker in workers:
        if worker.poll() is None:
            worker.send_signal(signal.SIGKILL)
            worker.wait()


def test_kill_nine_and_go_on(installation, fake_provider):
    fake_provider.tell(latency_ms=1500)  # 120 calls, four at once: long enough for a kill on a busy machine
    installation.shell(PREPARE)
    first = installation.worker()
    installation.wait_for(COUNT, 8)
    first.send_signal(signal.SIGKILL)
    first.wait()

    stored = installation.count(COUNT)
    assert 0 < stored < 120, "the kill must come in the middle"
    fake_provider.tell(latency_ms=0)
    assert installation.shell(SWEEP) == "1"
    installation.worker()

    installation.wait_for(DONE, 1)
    assert installation.shell(SUMMARY) == "done {'scored': 120} 60 60"
    # asked twice at most: what was in flight or on its way to the database at the kill
    assert fake_provider.counts()["served"] <= 120 + 4 + 8
