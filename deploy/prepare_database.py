"""Bring the database and the collected static files up to date, in one process: starting Django costs a second.

Run by the virtual environment's Python, from the project's folder. Prints a line only for work it does.
"""

from __future__ import annotations

import os
from pathlib import Path

import django

from deploy.preparation import ROOT, in_parallel, read_stamp

# Static files of installed packages that no page of ours asks for; compressing them takes ten seconds.
UNUSED_STATIC = ["redoc", "rest_framework"]


def database() -> None:
    migrate()
    load_demo_once()


def migrate() -> None:
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        print(f"Preparing the database ({len(plan)} changes) ...", flush=True)
        call_command("migrate", interactive=False, verbosity=0)


def load_demo_once() -> None:
    """The demo project comes once, into an empty installation; who removed it does not get it back."""
    from django.apps import apps
    from django.conf import settings
    from django.core.management import call_command, get_commands

    stamp = Path(settings.DATA_DIR) / ".demo-loaded"
    if stamp.exists() or "load_demo" not in get_commands():
        return
    if not apps.get_model("projects", "Project").objects.exists():
        print("Loading the demo project ...", flush=True)
        call_command("load_demo")
    stamp.touch()


def collect_static() -> None:
    from django.conf import settings
    from django.core.management import call_command

    # The stamp of the bundle names all sources; the packages' own static files change with their versions.
    built = read_stamp(ROOT / "static" / "dist" / ".built-from")
    current = built + read_stamp(ROOT / ".venv" / "installed.json")
    stamp = Path(settings.STATIC_ROOT) / ".collected-from"
    if read_stamp(stamp) != current:
        print("Collecting the static files ...", flush=True)
        call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=UNUSED_STATIC)
        stamp.write_text(current)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    in_parallel(database, collect_static)
