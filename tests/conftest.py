"""What every test stands on. tests/run.py starts PostgreSQL and Redis; tests/settings.py makes them the test's own."""

import gc
import os
import time
from collections import Counter
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings
from playwright.sync_api import expect
from pytest_django.plugin import blocking_manager_key

from config.caches import BREAKER
from config.celery import Queue
from tests import emptied, forgotten, migrated, two_runs
from tests.servers import chromium_program

pytest_plugins = ["tests.people"]

# Millions of objects live to the end of a process of tests: looking through them each time costs a twentieth of it.
gc.set_threshold(20_000, 20, 100)

# How long one example takes says more of the machine than of the code.
settings.register_profile("mizan", deadline=None)
settings.load_profile("mizan")
expect.set_options(timeout=60_000)

# Where tests mostly wait for servers and workers that they start; and the longest of all, which waits for its browser.
MOSTLY_WAITING = (
    "tests/faults/",
    "tests/deploy/",
    "tests/formats/test_save_while_importing.py",
    "tests/test_no_barrier_on_any_page.py",
)
LONG_NAME = 100
DELETING_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '% BEFORE DELETE ON %'"
TRUNCATING_TRIGGERS = """
    SELECT tgname, tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal AND tgtype::int & 32 <> 0
"""  # 32: pg_trigger's bit of TRUNCATE
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
    parser.addoption(
        "--all-on-both",
        action="store_true",
        help="every test and case on PostgreSQL and on SQLite",
    )


def pytest_make_parametrize_id(val, argname):
    """A case of a thousand lines has a name of one: it is passed between processes with every report."""
    return f"{argname} of {len(val)}" if isinstance(val, (str, bytes)) and len(val) > LONG_NAME else None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """The run on PostgreSQL repeats what a database can change, and nothing else; the two divide the rest of it."""
    left_out = []
    if config.getoption("--database-tests-only"):
        left_out = [item for item in items if not two_runs.touches_database(item)]
    if not config.getoption("--all-on-both"):
        if os.environ.get("MIZAN_LIGHT") == "1":
            two_runs.lighten(items)
            left_out += two_runs.left_to_sqlite(items)
        elif os.environ.get("MIZAN_BESIDE") == "1":
            left_out = two_runs.left_to_postgresql(items)
    if left_out:
        away = {id(item) for item in left_out}
        config.hook.pytest_deselected(items=[item for item in items if id(item) in away])
        items[:] = [item for item in items if id(item) not in away]
    group(items)
    yield  # by which they are put into an order that suits their transactions
    items.sort(key=lambda item: not is_waiting(item))


def group(items):
    """What one process should do by itself, in the words of `--dist loadgroup`.

    Tests that share what a fixture made for their module stay together, or each process would make it. Those that wait
    most of their time are groups called "waiting ...", begun first: each keeps one process, while the others work.
    """
    for item in items:
        module = item.nodeid.partition("::")[0]
        if item.get_closest_marker("xdist_group"):
            continue
        if module.startswith(MOSTLY_WAITING):
            item.add_marker(pytest.mark.xdist_group(f"waiting in {module}"))
        elif shares_with_its_module(item):
            item.add_marker(pytest.mark.xdist_group(module))


def shares_with_its_module(item) -> bool:
    made_by = getattr(item, "_fixtureinfo", None)
    definitions = made_by.name2fixturedefs.values() if made_by else ()
    return any(each[-1].scope in ("module", "class") and each[-1].baseid for each in definitions)


def is_waiting(item) -> bool:
    mark = item.get_closest_marker("xdist_group")
    return bool(mark and mark.args[0].startswith("waiting"))


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """Once the test's transaction is over: the next finds the tables as if it were the first."""
    try:
        return (yield)
    finally:
        blocker = item.config.stash[blocking_manager_key]
        with blocker.unblock():
            forgotten.clear_what_was_taken_back()


def pytest_terminal_summary(terminalreporter):
    """Say loudly, next to pytest's own last lines, what was not tested and how all other parts ended."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    for reason, count in skipped.items():
        if "needs " in reason:
            terminalreporter.write_line(f"NOT TESTED: {count} tests, {reason.removeprefix('Skipped: ')}", red=True)
    for line in parts_of_the_whole():
        terminalreporter.write_line(line, bold=True)


def parts_of_the_whole() -> list[str]:
    """What .ci/run did before, and how the runs beside this one ended, which are waited for."""
    others = os.environ.get("MIZAN_OTHER_RUNS")
    if not others:
        return []
    while not Path(others).exists():
        time.sleep(0.2)
    before = os.environ.get("MIZAN_PARTS")
    lines = [line for path in (before, others) if path for line in Path(path).read_text().splitlines()]
    if began := os.environ.get("MIZAN_BEGAN"):
        lines.append(f"{time.time() - int(began):5.0f} s  all of it")
    return lines


# --- The browser ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": chromium_program(), "args": BROWSER_ARGUMENTS}


@pytest.fixture(scope="session", autouse=True)
def database_calls_beside_playwright():
    """Playwright's synchronous interface runs an event loop in this thread; Django would take it for async code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


# --- The database -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """The tests' database begins as a copy of one that was migrated once; `migrate` then looks whether all is there."""
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.postgres_template(os.environ["DATABASE_URL"])
        return
    original = connection.creation._create_test_db

    def create_from_copy(*arguments, **options):
        name = original(*arguments, **options)
        migrated.copy_sqlite(Path(name))
        return name

    connection.creation._create_test_db = create_from_copy


# --- The state between tests ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_language():
    """A page asked for in Bengali leaves Bengali switched on in its thread; the next test begins without."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def empty_cache():
    """No test meets another's rate limits or figures, nor that another's server was away."""
    yield
    BREAKER.succeed()
    Queue.sending.succeed()
    for each in caches.all():
        each.clear()


@pytest.fixture(scope="session", autouse=True)
def flush_may_empty_what_is_never_deleted():
    """Between transactional tests the tables are emptied, which some triggers refuse: they are away meanwhile.

    The tests may do that because their role owns the tables; the triggers know no way round them. They are read from
    the database, so that each comes back as the last migration left it.
    """
    operations = type(connection.ops)
    original = operations.sql_flush

    def sql_flush(self, style, tables, **options):
        statements = original(self, style, tables, **options)
        sqlite = self.connection.vendor == "sqlite"
        with self.connection.cursor() as cursor:
            cursor.execute(DELETING_TRIGGERS if sqlite else TRUNCATING_TRIGGERS)
            guards = cursor.fetchall()
        if sqlite:
            away, back = [f"DROP TRIGGER {name}" for name, _made_by in guards], [made_by for _name, made_by in guards]
        else:
            away = [f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name, table in guards]
            back = [f"ALTER TABLE {table} ENABLE TRIGGER {name}" for name, table in guards]
        return [*away, *statements, *back]

    operations.sql_flush = sql_flush


@pytest.fixture(scope="session", autouse=True)
def emptying_leaves_what_migrating_makes():
    TransactionTestCase._fixture_teardown = emptied.empty
