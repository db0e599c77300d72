"""Which tests `make test` puts to which database: a database's own to both, of the rest each to one at least.

Where only one database is there, and where pytest is called by itself, nothing is left out.
"""

from collections import defaultdict
from collections.abc import Iterable

import pytest
from hypothesis import settings

DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_reset_sequences"}
# Rooms where what is tested is how rows are claimed, locked and kept.
OF_THE_DATABASE = ("tests/faults/", "tests/deploy/", "tests/workflow/", "tests/jobs/")
# A test with more cases has one in so many of them on PostgreSQL: most are wrong files and forms, which are refused
# before the database is asked.
MANY_CASES, ONE_CASE_IN = 8, 4
# The tests of a file with more are divided: they ask the same queries of other rows.
MANY_TESTS = 6


def touches_database(item: pytest.Item) -> bool:
    return (
        any(item.get_closest_marker(name) for name in ("django_db", "postgres", "redis"))
        or bool(DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())))
        or hasattr(getattr(item, "cls", None), "databases")
    )


def is_the_databases_own(item: pytest.Item) -> bool:
    """Claims, locks, jobs, faults and transactions, and whatever is marked `every_case`: all of it on both."""
    of_database = item.get_closest_marker("django_db")
    return (
        item.nodeid.startswith(OF_THE_DATABASE)
        or any(item.get_closest_marker(name) for name in ("every_case", "postgres", "redis"))
        or bool(of_database and of_database.kwargs.get("transaction"))
        or bool({"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ())))
    )


def lighten(items: Iterable[pytest.Item]) -> None:
    """A tenth of the examples that a property is put to: the run on SQLite puts it to all."""
    for item in items:
        test = getattr(item, "obj", None)
        if is_property(item):
            full = test._hypothesis_internal_use_settings  # type: ignore[union-attr]
            light = settings(full, max_examples=max(full.max_examples // 10, 3))
            test._hypothesis_internal_use_settings = light  # type: ignore[union-attr]


def is_property(item: pytest.Item) -> bool:
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


def divided(items: Iterable[pytest.Item]) -> list[list[list[pytest.Item]]]:
    """Of each file with many tests that may be divided these tests, each with its cases, in their order."""
    files: dict[str, dict[str, list[pytest.Item]]] = defaultdict(dict)
    for item in items:
        if touches_database(item) and not item.get_closest_marker("browser") and not is_the_databases_own(item):
            files[item.nodeid.partition("::")[0]].setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [list(tests.values()) for tests in files.values()]


def left_to_sqlite(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """What the run on PostgreSQL leaves out: of many tests of a file every second, of many cases three in four, and
    what is marked `once`. The first and the last always stay."""
    left = [item for item in items if item.get_closest_marker("once")]
    for tests in divided(items):
        if len(tests) > MANY_TESTS:
            left += [item for test in tests[1:-1:2] for item in test]
        for cases in tests:
            if len(cases) > MANY_CASES:
                left += [item for number, item in enumerate(cases[:-1]) if number % ONE_CASE_IN]
    return left


def left_to_postgresql(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """What the run on SQLite leaves out: the other tests of such a file, where the run on PostgreSQL has them whole."""
    return [
        item
        for tests in divided(items)
        if len(tests) > MANY_TESTS
        for test in tests[2:-1:2]
        if len(test) <= MANY_CASES and not any(each.get_closest_marker("once") or is_property(each) for each in test)
        for item in test
    ]
