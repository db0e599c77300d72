"""Somebody else has the database's lock, just when a job that was stored is to be claimed."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections

from jobs import tasks, working
from jobs.models import Job


@contextmanager
def refused_at_the_claim(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Within it (and outside a transaction) each claim meets a lock that lasts; what is yielded fills with the jobs
    that workers are sent for."""
    sent: list[int] = []
    claim = working.claim

    def claim_behind_a_lock(pk: int) -> working.Held | None:
        with a_lock_on(pk):
            return claim(pk)

    with monkeypatch.context() as patched:
        patched.setattr(tasks.run, "apply_async", lambda args, **options: sent.append(args[0]))
        patched.setattr(working, "claim", claim_behind_a_lock)
        yield sent


@contextmanager
def a_lock_on(pk: int) -> Iterator[None]:
    """On SQLite the one lock there is, elsewhere that of the job's row. This thread waits for neither for long."""
    is_sqlite = connection.vendor == "sqlite"
    waiting = ["PRAGMA busy_timeout = 50", "PRAGMA busy_timeout = 20000"]
    if not is_sqlite:
        waiting = ["SET lock_timeout = '50ms'", "SET lock_timeout = 0"]
    with holding(pk), connection.cursor() as cursor:
        cursor.execute(waiting[0])
        try:
            yield
        finally:
            cursor.execute(waiting[1])


@contextmanager
def holding(pk: int) -> Iterator[None]:
    if connection.vendor == "sqlite":
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.close()
        return
    elsewhere = connections.create_connection(DEFAULT_DB_ALIAS)
    elsewhere.set_autocommit(False)
    try:
        with elsewhere.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {Job._meta.db_table} WHERE id = %s FOR UPDATE", [pk])
        yield
    finally:
        elsewhere.rollback()
        elsewhere.close()
