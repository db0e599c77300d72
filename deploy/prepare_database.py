"""Bring the database and the collected static files up to date, in one process: starting Django costs a second.

Run by the virtual environment's Python, from the project's folder. Prints a line for each piece of work as it does it,
with its seconds: a first start, or an update of a large database, is not silent and has no deadline.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django

from deploy.preparation import ROOT, alone, read_stamp, say

# Static files of installed packages that no page of ours asks for; compressing them takes ten seconds.
UNUSED_STATIC = ["redoc", "rest_framework"]
# Another process may hold the database for a while: a backup, or what is left of the last run.
ATTEMPTS = 10


def database() -> None:
    for attempt in range(1, ATTEMPTS + 1):
        try:
            migrate()
            break
        except django.db.OperationalError as problem:
            if "locked" not in str(problem) or attempt == ATTEMPTS:
                raise
            say(f"The database is in use by another program; trying again ({attempt} of {ATTEMPTS}) ...")
    load_demo_once()


@contextlib.contextmanager
def step(what: str) -> Iterator[None]:
    """Say what begins, and how long it took."""
    began = time.monotonic()
    say(f"{what} ...")
    yield
    say(f"{what}: done in {time.monotonic() - began:.1f} s")


class Progress:
    """Says each migration as it is begun: its number of how many, and its name."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0

    def __call__(self, action: str, migration: Any = None, fake: bool | None = False, /) -> None:
        if action == "apply_start":
            self.done += 1
            say(f"  {self.done} of {self.total}  {migration}")


def migrate() -> None:
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from projects.making_at_once import is_empty
    from projects.migrating import fields_copied

    if is_empty(connection):
        with step("Preparing the database"):
            call_command("migrate", interactive=False, verbosity=0)
        return
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    targets = executor.loader.graph.leaf_nodes()
    plan = executor.migration_plan(targets)
    if not plan:
        # One that stands for others is noted as applied once they all are.
        executor.check_replacements()
        return
    with step(f"Preparing the database ({len(plan)} changes)"), fields_copied():
        executor = MigrationExecutor(connection, Progress(len(plan)))
        executor.migrate(targets, plan)
        # Permissions and content types of what is new; nothing is left to apply.
        call_command("migrate", interactive=False, verbosity=0)


def load_demo_once() -> None:
    """The demo project comes once, into an empty installation; who removed it does not get it back.

    Where it cannot be loaded the site opens without it, and the next start tries again.
    """
    from django.apps import apps
    from django.conf import settings
    from django.core.management import call_command

    stamp = Path(settings.DATA_DIR) / ".demo-loaded"
    if stamp.exists():
        return
    # Of one whose loading was interrupted the rows are still there, under another name.
    if not apps.get_model("projects", "Project").objects.exclude(slug__contains="-unfinished-").exists():
        try:
            with step("Loading the demo project"):
                call_command("load_demo", stdout=io.StringIO())  # its sign-ins are printed at the end
        except Exception as problem:
            say(f"The demo project could not be loaded: {problem!r}")
            say("Mizan opens without it, and the next start tries again.")
            return
    stamp.touch()


def collect_static() -> None:
    from django.conf import settings
    from django.core.management import call_command

    # The stamp of the bundle names all sources; the packages' own static files change with their versions.
    built = read_stamp(ROOT / "static" / "dist" / ".built-from")
    current = built + read_stamp(ROOT / ".venv" / "installed.json")
    stamp = Path(settings.STATIC_ROOT) / ".collected-from"
    if read_stamp(stamp) == current:
        return
    with alone():
        if read_stamp(stamp) != current:
            with step("Collecting the static files"):
                call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=UNUSED_STATIC)
            stamp.write_text(current)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Asked to end while it loads the demo, it tidies up before it does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    django.setup()
    try:
        # The database in the main thread, which hears of signals.
        with ThreadPoolExecutor(1) as beside:
            collecting = beside.submit(collect_static)
            database()
            collecting.result()
    except Exception as problem:
        sys.exit(f"{type(problem).__name__}: {problem}")
