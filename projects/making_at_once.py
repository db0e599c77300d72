"""An empty database made at once: every table as the models have it by now, and the triggers that stand by now.

Going through every change since the first day takes a minute, most of it spent on making the models' classes anew
after each, and comes to the very same tables. What changed rows on the way finds none in an empty database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation

from projects.migrating import fields_copied
from projects.triggers import AnyTrigger, Creating, Dropping, create


def is_empty(connection: BaseDatabaseWrapper) -> bool:
    return not connection.introspection.table_names()


def make_at_once(connection: BaseDatabaseWrapper) -> int:
    """Make all tables and triggers, and note every migration as applied; how many tables. All of it or nothing.

    What follows every migration (content types, permissions, varieties, counters of writes) is left to `migrate`.
    """
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    plan = [migration for migration, _backwards in executor.migration_plan(targets)]
    with fields_copied():
        apps = executor.loader.project_state(targets).apps
    with connection.schema_editor(atomic=True) as editor:
        made = make_tables(apps, editor)
        editor.create_model(executor.recorder.Migration)
        create(*standing(plan))(apps, editor)
        for migration in plan:
            for room, name in migration.replaces or [(migration.app_label, migration.name)]:
                executor.recorder.record_applied(room, name)
        executor.check_replacements()
    return made


def make_tables(apps: Apps, editor: BaseDatabaseSchemaEditor) -> int:
    models = [model for model in apps.get_models() if model._meta.managed and not model._meta.proxy]
    for model in models:
        editor.create_model(model)
    return len(models)


def standing(plan: Sequence[Migration]) -> list[AnyTrigger]:
    """The triggers that are left at the end of these migrations, in the order in which they came."""
    left: dict[str, AnyTrigger] = {}
    for migration in plan:
        for operation in of_the_database(migration.operations):
            code = getattr(operation, "code", None)
            if isinstance(code, Dropping):
                for trigger in code.triggers:
                    del left[trigger.name]
            elif isinstance(code, Creating):
                left |= {trigger.name: trigger for trigger in code.triggers}
    return list(left.values())


def of_the_database(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from of_the_database(operation.database_operations)
        else:
            yield operation
