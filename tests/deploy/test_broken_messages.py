"""Broken messages come while work goes on: nothing changes but a line in the log. Real workers on both brokers."""

import os
import sys
from pathlib import Path

import pytest
from celery import Celery

from config.broker.redis_lists import UNREADABLE
from deploy.processes import Child, wait_until
from tests import migrated, servers
from tests.deploy.broken import BROKEN

ROOT = Path(__file__).resolve().parents[2]
TASK = "workflow.tasks.sweep_leases"
QUEUE = "sweeps"
DONE = f"Task {TASK}"


class Worker:
    """A worker of its own installation; `send` hands it work, `drop` throws something into its queue."""

    def __init__(self, folder: Path, pool: str, **variables: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = kept | {
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "tests-only",
            "STATIC_HASHED": "0",
            **variables,
        }
        migrated.copy_sqlite(folder / "mizan.sqlite3")  # what a sweep looks at, and nothing in it
        self.broker = folder / "broker"
        (self.broker / "control").mkdir(parents=True)
        self.dropped = 0
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", pool, "--concurrency", "2"]
        command += ["--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
        self.child = Child("worker", command, folder / "worker.log", environment=self.environment, folder=ROOT)
        self.wait_for(lambda: " ready." in self.child.log.read_text())

    def wait_for(self, reached) -> None:
        assert wait_until(reached, [self.child], 90), self.child.last_log_lines()

    def count(self, words: str) -> int:
        return sum(words in line for line in self.child.log.read_text(errors="replace").splitlines())

    def done(self) -> int:
        return sum(DONE in line and "succeeded" in line for line in self.child.log.read_text().splitlines())


class FolderWorker(Worker):
    def __init__(self, folder: Path, **variables: str) -> None:
        super().__init__(folder, "threads", **variables)

    def send(self) -> None:
        with Celery(broker="folder://localhost/", set_as_current=False) as sender:
            sender.conf.broker_transport = "config.broker.folder.Transport"
            sender.conf.broker_transport_options = {"folder": str(self.broker)}
            sender.send_task(TASK, queue=QUEUE)

    def drop(self, payload: bytes) -> None:
        self.dropped += 1
        (self.broker / f"{self.dropped}_x.{QUEUE}.msg").write_bytes(payload)

    def put_aside(self) -> int:
        return len(list((self.broker / "unreadable").iterdir()))


class RedisWorker(Worker):
    def __init__(self, folder: Path, url: str) -> None:
        import redis

        self.redis = redis.Redis.from_url(url)
        self.url = url
        super().__init__(folder, "prefork", REDIS_URL=url)

    def send(self) -> None:
        with Celery(broker=self.url, set_as_current=False) as sender:
            sender.send_task(TASK, queue=QUEUE)

    def drop(self, payload: bytes) -> None:
        self.redis.lpush(QUEUE, payload)

    def put_aside(self) -> int:
        return self.redis.llen(UNREADABLE)


@pytest.fixture
def folder_worker(tmp_path):
    worker = FolderWorker(tmp_path)
    yield worker
    worker.child.stop()


@pytest.fixture
def redis_worker(tmp_path):
    with servers.redis() as url:
        worker = RedisWorker(tmp_path, url)
        yield worker
        worker.child.stop()


def throw_in_while_it_works(worker) -> None:
    for payload in BROKEN:
        worker.send()
        worker.drop(payload)
    worker.wait_for(lambda: worker.done() == len(BROKEN))
    worker.wait_for(lambda: worker.count("cannot be read") == len(BROKEN))
    worker.send()
    worker.wait_for(lambda: worker.done() == len(BROKEN) + 1)
    assert worker.put_aside() == len(BROKEN)
    assert worker.count("Traceback") == 0


def test_ten_broken_files_change_nothing_but_the_log(folder_worker):
    throw_in_while_it_works(folder_worker)


@pytest.mark.redis
def test_ten_broken_entries_change_nothing_but_the_log(redis_worker):
    throw_in_while_it_works(redis_worker)


def test_kombus_own_transport_dies_of_an_empty_file(tmp_path):
    """Why there is one of ours; the day that this fails, kombu's may do."""
    worker = FolderWorker(tmp_path, BROKER_URL="filesystem://")
    try:
        worker.drop(b"")
        worker.child.process.wait(60)
        assert "JSONDecodeError" in worker.child.last_log_lines(100)
    finally:
        worker.child.stop()
