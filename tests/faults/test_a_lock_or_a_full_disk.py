"""The embedded database is locked by others, and its disk runs full: it is told, nothing is lost, all is well after."""

import contextlib
import resource
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests import migrated
from tests.faults.at_work import SECONDS, Answer, Installation, in_time, wait_for
from tests.faults.machines import Machine, children_of, machine

LONG = "x" * 1500
LOCK_SECONDS = 1.0


@pytest.fixture(scope="module")
def embedded(tmp_path_factory):
    """SQLite and one gunicorn process that waits for a lock for a second; its data on a disk of its own if it can."""
    folder = tmp_path_factory.mktemp("embedded")
    with small_disk(folder) as is_mounted, machine(folder) as made:
        made.environment |= {"DATABASE_LOCK_SECONDS": str(LOCK_SECONDS), "TMPDIR": str(folder / "data")}
        made.environment["LOG_LEVEL"] = "WARNING"
        migrated.copy_sqlite(folder / "data" / "mizan.sqlite3")
        made.projects = made.run("build", "20", "feasts")
        made.start_web(workers=1)
        installation = Installation(made, "feasts", folder)
        installation.is_mounted = is_mounted
        yield installation


@contextlib.contextmanager
def small_disk(folder: Path):
    """A file system of 60 MB for the data, where this may be mounted."""
    (folder / "data").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=60m,mode=755", "tmpfs", str(folder / "data")]
    with contextlib.suppress(OSError):
        if subprocess.run(mount, capture_output=True).returncode == 0:
            try:
                yield True
            finally:
                subprocess.run(["umount", "--lazy", str(folder / "data")], check=True)
            return
    yield False


@contextlib.contextmanager
def full_disk(machine: Machine, is_mounted: bool):
    """Nothing more fits: on a disk of our own really, else by the limit that a process has for its files."""
    data = Path(machine.environment["DATA_DIR"])
    if is_mounted:
        with (data / "ballast").open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
            while ballast.write(b"0" * 4096):
                pass
        yield
        (data / "ballast").unlink()
        return
    processes = children_of(machine.running["web"].process.pid)
    limits = {pid: resource.prlimit(pid, resource.RLIMIT_FSIZE) for pid in processes}
    smallest = (data / "mizan.sqlite3-wal").stat().st_size
    for pid, (_soft, hard) in limits.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (smallest, hard))
    yield
    for pid, before in limits.items():
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


@contextlib.contextmanager
def locked(embedded: Installation):
    """Somebody writes, and takes their time."""
    holder = sqlite3.connect(Path(embedded.machine.environment["DATA_DIR"]) / "mizan.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


@pytest.mark.parametrize("act", ["save", "sign_in", "claim"])
def test_who_meets_a_long_lock_is_told_to_send_it_again(embedded, act):
    with locked(embedded):
        waited = in_time(getattr(embedded, act))
        assert waited.status == 503
        assert 0.9 < waited.seconds < SECONDS
        assert waited.headers["retry-after"] == "2"
        assert embedded.read_page().status == 200
    assert getattr(embedded, act)().status in (200, 302)


def save_behind_a_lock(embedded) -> tuple[Answer, float]:
    """What was answered, and for how long at most the lock was held."""
    answers: list[Answer] = []
    began = time.monotonic()
    with locked(embedded):
        saving = threading.Thread(target=lambda: answers.append(embedded.save("behind a lock")))
        saving.start()
        time.sleep(0.4)
    held = time.monotonic() - began
    saving.join()
    return answers[0], held


def test_who_meets_a_short_lock_is_answered_after_it(embedded):
    """Tried again where the machine was so busy that the save came late to the lock, or the lock's end to the save."""
    for _try in range(10):
        answer, held = save_behind_a_lock(embedded)
        assert answer.status == 200 or held > LOCK_SECONDS
        if answer.status == 200 and answer.seconds > 0.3:
            return
    pytest.fail("No save met the lock.")


@pytest.mark.parametrize("way", ["space", "limit"])
def test_a_full_disk_takes_nothing_and_shows_everything(embedded, way):
    """By the space there is, where a disk can be mounted; by the limit of a process's files everywhere."""
    assert embedded.save("before").status == 200
    before = embedded.saved()
    with full_disk(embedded.machine, embedded.is_mounted and way == "space"):
        assert wait_for(lambda: embedded.save(LONG).status == 507)
        refused = embedded.save(LONG)
        assert refused.code == "disk_full"
        assert refused.headers["retry-after"] == "30"
        assert "All that was saved before stays saved" in refused.content
        for _time in range(3):  # each on a connection of its own, after the last one was closed
            assert embedded.read_page().status == 200
            assert embedded.read_api().status == 200
            assert embedded.read_figures().status == 200  # whose figures cannot be kept in the cache
        assert embedded.sign_in().status == 507
        kept = embedded.saved()
        page = embedded.ask("GET", "/nowhere", None, {"Accept": "text/html"})
        assert page.status == 404
    assert kept["version"] >= before["version"]
    assert embedded.save("after").status == 200
    assert embedded.sign_in().status == 302
    data = sqlite3.connect(Path(embedded.machine.environment["DATA_DIR"]) / "mizan.sqlite3")
    assert data.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    data.close()
