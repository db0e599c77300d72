"""What every test stands on. tests/run.py starts PostgreSQL and Redis; tests/settings.py makes them the test's own."""

import os
from collections import Counter

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import translation

from tests.servers import chromium_program

pytest_plugins = ["tests.people"]

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_reset_sequences"}
BROWSER_ARGUMENTS = [
    "--no-sandbox",  # Chromium's sandbox does not start for root or in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
]


# --- Which tests run where ----------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.addoption(
        "--database-tests-only", action="store_true", help="leave out what touches no database (pure arithmetic)"
    )


def pytest_collection_modifyitems(config, items):
    """The run on PostgreSQL repeats what a database can change, and nothing else."""
    if not config.getoption("--database-tests-only"):
        return
    left_out = [item for item in items if not touches_database(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if touches_database(item)]


def touches_database(item) -> bool:
    return (
        any(item.get_closest_marker(name) for name in ("django_db", "postgres", "redis"))
        or bool(DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())))
        or hasattr(getattr(item, "cls", None), "databases")
    )


def pytest_runtest_setup(item):
    """Skip what this run has no server or browser for; under REQUIRE_SERVICES that is a failure instead."""
    needs = {
        "browser": ("Chromium", chromium_program()),
        "postgres": ("PostgreSQL", connection.vendor == "postgresql"),
        "redis": ("Redis", os.environ.get("REDIS_URL")),
    }
    for marker, (name, there) in needs.items():
        if item.get_closest_marker(marker) and not there:
            reason = f"needs {name}"
            pytest.fail(reason, pytrace=False) if os.environ.get("REQUIRE_SERVICES") == "1" else pytest.skip(reason)


def pytest_terminal_summary(terminalreporter):
    """Say loudly, next to pytest's own last lines, what was not tested and how the run before this one ended."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    for reason, count in skipped.items():
        if "needs " in reason:
            terminalreporter.write_line(f"NOT TESTED: {count} tests, {reason.removeprefix('Skipped: ')}", red=True)
    for line in filter(None, os.environ.get("MIZAN_EARLIER_RUNS", "").splitlines()):
        terminalreporter.write_line(line, bold=True)


# --- The browser ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": chromium_program(), "args": BROWSER_ARGUMENTS}


@pytest.fixture(scope="session", autouse=True)
def database_calls_beside_playwright():
    """Playwright's synchronous interface runs an event loop in this thread; Django would take it for async code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


# --- The state between tests ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_language():
    """A page asked for in Bengali leaves Bengali switched on in its thread; the next test begins without."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def empty_cache():
    """No test meets another's rate limits or figures."""
    yield
    cache.clear()


@pytest.fixture(scope="session", autouse=True)
def flush_may_empty_what_is_never_deleted():
    """Between transactional tests SQLite is emptied row by row, which some triggers refuse."""
    if connection.vendor != "sqlite":
        return
    from django.db.backends.sqlite3.operations import DatabaseOperations

    original = DatabaseOperations.sql_flush

    def sql_flush(self, style, tables, **options):
        statements = original(self, style, tables, **options)
        guards = [trigger for trigger in all_triggers() if trigger.event == "DELETE"]
        return [
            *(f"DROP TRIGGER {trigger.name}" for trigger in guards),
            *statements,
            *(statement for trigger in guards for statement in trigger.sqlite()),
        ]

    DatabaseOperations.sql_flush = sql_flush


def all_triggers():
    from importlib import import_module

    for migration in ("projects.migrations.0002_triggers", "rubrics.migrations.0002_triggers"):
        yield from import_module(migration).TRIGGERS
