"""The task queue with a defect planted in the judging, for the one question whether a storm would tell.

Which one stands in the file `planted` of the installation's folder, and is read each time, so that one worker serves
for all of them. Each stands for a way in which queues have lost work, done it twice or let it lie.
"""

import threading
import uuid
from pathlib import Path
from typing import Any

import django

from config.celery import app

__all__ = ["app"]

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import F  # noqa: E402
from django.utils import timezone  # noqa: E402

from jobs import sweeping, tasks, working  # noqa: E402, F401
from jobs.heartbeat import kept_alive  # noqa: E402
from jobs.models import Job, JobState  # noqa: E402
from judging.engine import shards, storing  # noqa: E402
from judging.engine.runs import finish_if_over  # noqa: E402
from judging.models import Shard  # noqa: E402


def planted() -> str:
    file = Path(settings.DATA_DIR) / "planted"
    return file.read_text() if file.exists() else ""


# --- The work counts as done when it is taken up, not when it is done -------------------------------------

prepare = shards.setup_and_connections


def prepare_and_acknowledge(run: Any) -> Any:
    if planted() == "acknowledges-early":
        Shard.objects.filter(run=run).update(money_reserved=0, tokens_reserved=0)
        held = Job.objects.filter(shard__run=run, state=JobState.RUNNING)
        held.update(state=JobState.DONE, claim=None, ended_at=timezone.now())
        finish_if_over(run.pk)
    return prepare(run)


shards.setup_and_connections = prepare_and_acknowledge

# --- Whoever has the message takes the shard, be it somebody else's or over --------------------------------

work_on = working.work_on


def work_on_without_looking(pk: int) -> bool:
    if planted() != "claims-without-looking":
        return work_on(pk)
    token = uuid.uuid4()
    now = timezone.now()
    Job.objects.filter(pk=pk).update(
        state=JobState.RUNNING, claim=token, heartbeat_at=now, ended_at=None, attempts=F("attempts") + 1
    )
    held = working.Held(Job.objects.select_related("project", "asked_by").get(pk=pk), token)
    with kept_alive(token):
        working.do(held)
    return True


working.work_on = work_on_without_looking

# --- Nobody looks for what a dead worker left --------------------------------------------------------------

sweep = sweeping.sweep


def sweep_nothing(*arguments: Any, **options: Any) -> int:
    if planted() == "comes-twice":  # where no worker ends: one that was only slow keeps its work
        return sweep(120.0)
    return 0 if planted() == "never-sweeps" else sweep(*arguments, **options)


sweeping.sweep = sweep_nothing

# --- A result is stored over the one that is there ---------------------------------------------------------

write, store = storing.write, storing.store


def write_over(*arguments: Any, **options: Any) -> Any:
    statement = storing.UPDATE
    if planted() == "stores-over":
        storing.UPDATE = statement[: statement.index(" AND state IN")]
    try:
        return write(*arguments, **options)
    finally:
        storing.UPDATE = statement


def store_twice(shard: Shard, claim: Any, results: Any, *more: Any) -> bool:
    """Half a second later all of it comes once more, as from a worker that was thought dead and was only slow. That is
    no defect: whoever stores must bear it."""
    is_claim_valid = store(shard, claim, results, *more)
    if results and planted() in ("comes-twice", "stores-over"):
        threading.Timer(0.5, store_late, [shard, results]).start()
    return is_claim_valid


def store_late(shard: Shard, results: Any) -> None:
    try:
        store(shard, uuid.uuid4(), results)
    finally:
        connection.close()


storing.write = write_over
shards.store = store_twice  # type: ignore[attr-defined, assignment]
