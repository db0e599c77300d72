"""Apply the migrations one after another as they were written, without those that stand for many: run as a program in
an installation of its own. With a number it stops after so many.
"""

import gc
import sys

import django
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from projects.migrating import fields_copied


def main(count: int | None) -> None:
    # Each step makes thousands of classes that live as long as it does: looking through them is a tenth of the time.
    gc.set_threshold(100_000, 20, 100)
    django.setup()
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    for key, migration in list(executor.loader.replacements.items()):
        # What comes after it then comes after the last of those that it stands for.
        executor.loader.graph.remove_replacement_node(key, migration.replaces)
    # An installation of that time has not heard of them.
    executor.loader.replacements = {}
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    with fields_copied():
        executor.migrate(None, plan[:count])
    sys.stdout.write(f"{len(plan)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
