"""What every test stands on. Services (PostgreSQL, Redis, Chromium) are started by tests/services.py."""

import os
import tempfile

os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="mizan-tests-"))
os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("STATIC_HASHED", "0")

import pytest
from django.db import connection

pytest_plugins = ["tests.people"]


@pytest.fixture(autouse=True)
def fast_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session", autouse=True)
def flush_may_empty_the_audit_log():
    """Between transactional tests SQLite is emptied row by row, which the audit log's trigger refuses."""
    if connection.vendor != "sqlite":
        return
    from django.db.backends.sqlite3.operations import DatabaseOperations

    original = DatabaseOperations.sql_flush

    def sql_flush(self, style, tables, **options):
        statements = original(self, style, tables, **options)
        trigger = next(t for t in audit_triggers() if t.name == "audit_never_deleted")
        return [f"DROP TRIGGER {trigger.name}", *statements, *trigger.sqlite()]

    DatabaseOperations.sql_flush = sql_flush


def audit_triggers():
    from importlib import import_module

    return import_module("projects.migrations.0002_triggers").TRIGGERS
