"""A private copy of a SQLite database, in a folder that nobody keeps when its process is gone."""

import copy
import fcntl
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

FOLDER = "rehearsals"
LOCK = "lock"
# Nobody reads the copy after a crash, so nothing in it need survive one.
PRAGMAS = "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA cache_size=-32000; PRAGMA locking_mode=NORMAL;"


class NoRoom(Exception):
    """The disk does not hold another copy of the database."""


@contextmanager
def private_copy(database: BaseDatabaseWrapper) -> Iterator[Path]:
    """The path of a copy of the database as it was committed at this moment; other people go on writing.

    Raises:
        NoRoom: on the disk.
    """
    source = Path(str(database.settings_dict["NAME"]))
    with _folder_of_this_process(source.parent / FOLDER) as folder:
        _refuse_without_room(source, folder)
        path = folder / "copy.sqlite3"
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(path)) as written:
            written.execute("PRAGMA synchronous=OFF")
            reading.backup(written)
        yield path


def _refuse_without_room(source: Path, folder: Path) -> None:
    size, free = source.stat().st_size, shutil.disk_usage(folder).free
    if free < 2 * size:
        raise NoRoom(f"a copy of {size} bytes and what is written to it need more than the {free} bytes left")


@contextmanager
def _folder_of_this_process(parent: Path) -> Iterator[Path]:
    """A folder that is removed at the end; what a killed process left behind is removed at the next beginning.

    A process holds a lock on its folder, which the system takes back whatever ends the process.
    """
    parent.mkdir(mode=0o700, exist_ok=True)
    with (parent / LOCK).open("w") as making:
        fcntl.flock(making, fcntl.LOCK_EX)  # nobody sweeps a folder whose lock is not taken yet
        sweep(parent)
        folder = Path(tempfile.mkdtemp(dir=parent))
        own = (folder / LOCK).open("w")
        fcntl.flock(own, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        own.close()


def sweep(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    for folder in filter(Path.is_dir, parent.iterdir()):
        try:
            with (folder / LOCK).open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # held by a living process, or just removed by it
            continue


def connection_to(path: Path, like: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """A connection of Django's to the copy, otherwise set up as the one to the database."""
    settings: dict[str, Any] = copy.deepcopy(like.settings_dict)
    settings["NAME"] = path
    settings["OPTIONS"] = {**settings.get("OPTIONS", {}), "init_command": PRAGMAS}
    return type(like)(settings, like.alias)


@contextmanager
def standing_in(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Within it this thread's `django.db.connection` is this one."""
    usual = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connection
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = usual
