"""Rules between rows that a constraint cannot state, as triggers for both databases. For migrations only."""

from dataclasses import dataclass

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation


@dataclass(frozen=True)
class Trigger:
    """Refuse `event` on `table` where `condition` (over NEW and OLD) holds.

    `event` is for example "UPDATE OF text" or "INSERT"; `condition` is SQL that both databases understand.
    `first_locked` is the row, as FROM and WHERE of a SELECT, that whoever writes waits for before the condition is
    looked at: where it speaks of rows that others may be writing at the same moment. SQLite has one writer at a time.
    """

    name: str
    table: str
    event: str
    condition: str
    message: str
    first_locked: str = ""

    def sqlite(self) -> list[str]:
        return [
            f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} FOR EACH ROW "
            f"WHEN {self.condition} BEGIN SELECT RAISE(ABORT, '{self.message}'); END"
        ]

    def postgresql(self) -> list[str]:
        # The condition stands in the function, not in WHEN: there it may look into other tables.
        row = "OLD" if self.event == "DELETE" else "NEW"
        # Foreign keys lock a row FOR KEY SHARE, which this lock lets pass: only two of these wait for each other.
        lock = f"PERFORM 1 FROM {self.first_locked} FOR NO KEY UPDATE; " if self.first_locked else ""
        return [
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {lock}"
            f"IF {self.condition} THEN RAISE EXCEPTION '{self.message}' "
            f"USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN {row}; END $$",
            f"CREATE TRIGGER {self.name} BEFORE {self.event} ON {self.table} FOR EACH ROW "
            f"EXECUTE FUNCTION {self.name}()",
        ]


@dataclass(frozen=True)
class NeverTruncated:
    """Refuse TRUNCATE of `table`, which row triggers do not see. SQLite has no TRUNCATE: nothing is made there."""

    name: str
    table: str
    message: str
    event = "TRUNCATE"

    def sqlite(self) -> list[str]:
        return []

    def postgresql(self) -> list[str]:
        return [
            f"CREATE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"RAISE EXCEPTION '{self.message}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
            f"CREATE TRIGGER {self.name} BEFORE TRUNCATE ON {self.table} FOR EACH STATEMENT "
            f"EXECUTE FUNCTION {self.name}()",
        ]


AnyTrigger = Trigger | NeverTruncated


@dataclass(frozen=True)
class Creating:
    """What RunPython calls. It says which triggers it makes: an empty database gets those that are left at the end."""

    triggers: tuple[AnyTrigger, ...]

    def __call__(self, apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for trigger in self.triggers:
            for statement in getattr(trigger, schema_editor.connection.vendor)():
                schema_editor.execute(statement, params=None)


@dataclass(frozen=True)
class Dropping:
    triggers: tuple[AnyTrigger, ...]

    def __call__(self, apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        for trigger in reversed(self.triggers):
            if schema_editor.connection.vendor == "postgresql":
                schema_editor.execute(f"DROP TRIGGER {trigger.name} ON {trigger.table}", params=None)
                schema_editor.execute(f"DROP FUNCTION {trigger.name}()", params=None)
            elif trigger.sqlite():
                schema_editor.execute(f"DROP TRIGGER {trigger.name}", params=None)


@dataclass(frozen=True)
class Gone(Dropping):
    """They went with a column that they name: nothing is left to drop but, on PostgreSQL, what they called."""

    def __call__(self, apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if schema_editor.connection.vendor == "postgresql":
            for trigger in self.triggers:
                schema_editor.execute(f"DROP FUNCTION IF EXISTS {trigger.name}()", params=None)


def create(*triggers: AnyTrigger) -> Creating:
    return Creating(triggers)


def drop(*triggers: AnyTrigger) -> Dropping:
    return Dropping(triggers)


def gone(*triggers: AnyTrigger) -> Gone:
    return Gone(triggers)


def _put_aside(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
        aside = cursor.fetchall()
        for name, _sql in aside:
            cursor.execute(f"DROP TRIGGER {name}")
    _aside[schema_editor.connection.alias] = [sql for _name, sql in aside]


def _put_back(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for sql in _aside.pop(schema_editor.connection.alias, []):
        schema_editor.execute(sql, params=None)


_aside: dict[str, list[str]] = {}


def without_triggers(*operations: Operation) -> list[Operation]:
    """These operations, with all triggers put aside meanwhile on SQLite: what changes a table there makes it anew,
    which drops its own triggers and stumbles over those of others that name it. Elsewhere the operations alone."""
    return [
        migrations.RunPython(_put_aside, _put_back, elidable=False),
        *operations,
        migrations.RunPython(_put_back, _put_aside, elidable=False),
    ]


def remake(apps: Apps, schema_editor: BaseDatabaseSchemaEditor, room: str, model: str) -> None:
    """Make a table of SQLite anew as the models have it, with all triggers put aside meanwhile: a column goes with the
    checks that name it, wherever in the table they stand."""
    _put_aside(apps, schema_editor)
    schema_editor._remake_table(apps.get_model(room, model))  # type: ignore[attr-defined]
    _put_back(apps, schema_editor)
