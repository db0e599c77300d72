"""An empty database is made at once, whole or not at all; one that holds anything, or is asked for less, is not."""

import pytest
from django.core.management import call_command
from django.db import connections, migrations
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.migration import Migration

from projects.making_at_once import is_empty, make_at_once, standing
from projects.triggers import NeverTruncated, Trigger, create, drop, gone


@pytest.fixture
def empty(tmp_path, django_db_blocker):
    """A database of SQLite that nobody has used yet."""
    settings = {"empty": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(tmp_path / "empty.sqlite3")}}
    settings["default"] = connections.settings["default"]
    connections.settings["empty"] = connections.configure_settings(settings)["empty"]
    with django_db_blocker.unblock():
        yield connections["empty"]
        connections["empty"].close()
    del connections["empty"]
    del connections.settings["empty"]


def count(connection: DatabaseWrapper, query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]


TRIGGERS = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
NOTED = "SELECT count(*) FROM django_migrations WHERE app = 'projects'"


def test_all_tables_and_triggers_are_there_and_every_migration_is_noted(empty, capsys):
    call_command("migrate", database="empty")
    said = capsys.readouterr().out
    assert "tables made at once" in said
    assert "No migrations to apply." in said
    assert count(empty, TRIGGERS) > 100
    assert count(empty, NOTED) > 30
    call_command("migrate", database="empty")
    assert "at once" not in capsys.readouterr().out


def test_whoever_is_stopped_in_the_middle_leaves_nothing(empty, monkeypatch):
    def stopped(plan):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("projects.making_at_once.standing", stopped)
        with pytest.raises(KeyboardInterrupt):
            make_at_once(empty)
    assert is_empty(empty)
    assert make_at_once(empty) > 150


def test_who_asks_for_one_room_gets_its_changes_one_by_one(empty, capsys):
    call_command("migrate", "contenttypes", database="empty")
    assert "at once" not in capsys.readouterr().out
    assert sorted(empty.introspection.table_names()) == ["django_content_type", "django_migrations"]


def test_a_database_that_holds_anything_is_not_empty(empty):
    with empty.cursor() as cursor:
        cursor.execute("CREATE TABLE somebody_elses (id integer)")
    assert not is_empty(empty)


FIRST = Trigger("first", "table", "INSERT", "NEW.a < 0", "never below zero")
SECOND = NeverTruncated("second", "table", "stays")
THIRD = Trigger("first", "table", "INSERT", "NEW.a < 1", "never below one")


def written(*operations) -> Migration:
    migration = Migration("name", "projects")
    migration.operations = list(operations)  # type: ignore[misc]
    return migration


def run(code) -> migrations.RunPython:
    return migrations.RunPython(code, migrations.RunPython.noop)


@pytest.mark.parametrize(
    ("plan", "left"),
    [
        ([written(run(create(FIRST, SECOND)))], [FIRST, SECOND]),
        ([written(run(create(FIRST, SECOND))), written(run(drop(FIRST)), run(create(THIRD)))], [SECOND, THIRD]),
        ([written(run(create(FIRST, SECOND))), written(run(gone(FIRST)))], [SECOND]),
        # What a change does to rows makes no trigger; what it does to the database alone may.
        ([written(migrations.SeparateDatabaseAndState([run(create(FIRST)), run(lambda apps, editor: None)]))], [FIRST]),
        # One that is made again under its name is the new one.
        ([written(run(create(FIRST))), written(run(create(THIRD)))], [THIRD]),
    ],
)
def test_those_triggers_are_made_that_are_left_at_the_end(plan, left):
    assert standing(plan) == left
