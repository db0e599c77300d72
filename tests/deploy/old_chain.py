"""The first tables as an installation of long ago has them, made one of two ways: run as a program in its folder.

"one by one": by the changes as they were written, which others stand for by now. "stand for others": by those.
"""

import gc
import sys

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from projects.migrating import fields_copied

ONE_BY_ONE, STAND_FOR_OTHERS = "one by one", "stand for others"


def main(way: str) -> None:
    # Each step makes thousands of classes that live as long as it does: looking through them is a tenth of the time.
    gc.set_threshold(100_000, 20, 100)
    django.setup()
    executor = MigrationExecutor(connection)
    standing = dict(MigrationLoader(None).replacements)
    targets = [*standing]
    if way == ONE_BY_ONE:
        as_written(executor)
        targets = [migration.replaces[-1] for migration in standing.values()]
    plan = executor.migration_plan(targets)
    with fields_copied():
        executor.migrate(targets, plan)
    sys.stdout.write(f"{len(plan)}\n")


def as_written(executor: MigrationExecutor) -> None:
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    for key, migration in list(executor.loader.replacements.items()):
        # What comes after it then comes after the last of those that it stands for.
        executor.loader.graph.remove_replacement_node(key, migration.replaces)
    # An installation of that time has not heard of them.
    executor.loader.replacements = {}


if __name__ == "__main__":
    main(sys.argv[1])
