"""What a web server's process does with SQLite beside its requests."""

import os
import sqlite3
from typing import Any

from django.db.backends.signals import connection_created

_held: dict[int, sqlite3.Connection] = {}


def hold_open(connection: Any, **_told: Any) -> None:
    """Keep a connection that nobody uses, from a process's first request on.

    The last connection that is closed takes the write-ahead log and its index away with it, and the next one makes them
    anew: on a full disk it could not, and pages that only read would fail.
    """
    process = os.getpid()
    if connection.vendor != "sqlite" or process in _held:
        return
    held = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False, timeout=1)
    held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    _held[process] = held


def hold_database_open() -> None:
    connection_created.connect(hold_open, dispatch_uid="hold_open")
