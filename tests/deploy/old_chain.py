"""Apply the migrations that others stand for by now, one after another as they were written: run as a program in an
installation of its own. With a number it stops after so many; with "at once" the ones that stand for them are applied.

Where both end the tables are the same. What came later goes on from there, and does not know which way led to it.
"""

import gc
import sys

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from projects.migrating import fields_copied

AT_ONCE = "at once"


def main(wanted: str) -> None:
    # Each step makes thousands of classes that live as long as it does: looking through them is a tenth of the time.
    gc.set_threshold(100_000, 20, 100)
    django.setup()
    executor = MigrationExecutor(connection)
    standing = dict(MigrationLoader(None).replacements)
    if wanted == AT_ONCE:
        # Where one of those that it stands for is applied, the others are as well, and it is noted.
        nodes = executor.loader.graph.nodes
        targets = [key if key in nodes else migration.replaces[-1] for key, migration in standing.items()]
        plan = executor.migration_plan(targets)
    else:
        as_written(executor)
        targets = [migration.replaces[-1] for migration in standing.values()]
        plan = executor.migration_plan(targets)[: int(wanted) if wanted else None]
    with fields_copied():
        executor.migrate(None if plan else targets, plan)
    sys.stdout.write(f"{len(plan)}\n")


def as_written(executor: MigrationExecutor) -> None:
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    for key, migration in list(executor.loader.replacements.items()):
        # What comes after it then comes after the last of those that it stands for.
        executor.loader.graph.remove_replacement_node(key, migration.replaces)
    # An installation of that time has not heard of them.
    executor.loader.replacements = {}


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
