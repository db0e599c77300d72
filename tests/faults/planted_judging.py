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

from judging import shards, storing, tasks  # noqa: E402, F401
from judging.models import Shard, ShardState  # noqa: E402
from judging.runs import finish_if_over  # noqa: E402


def planted() -> str:
    file = Path(settings.DATA_DIR) / "planted"
    return file.read_text() if file.exists() else ""


# --- The work counts as done when it is taken up, not when it is done -------------------------------------

prepare = shards.prepare


def prepare_and_acknowledge(run: Any) -> Any:
    if planted() == "acknowledges-early":
        held = Shard.objects.filter(run=run, state=ShardState.RUNNING)
        held.update(state=ShardState.DONE, claim=None, money_reserved=0, tokens_reserved=0)
        finish_if_over(run.pk)
    return prepare(run)


shards.prepare = prepare_and_acknowledge

# --- Whoever has the message takes the shard, be it somebody else's or over --------------------------------

claim = shards.claim


def claim_without_looking(shard_id: int) -> Any:
    if planted() != "claims-without-looking":
        return claim(shard_id)
    token = uuid.uuid4()
    now = timezone.now()
    Shard.objects.filter(pk=shard_id).update(
        state=ShardState.RUNNING, claim=token, heartbeat_at=now, attempts=F("attempts") + 1
    )
    return Shard.objects.select_related("run__judge__rater", "run__prompt_version").get(pk=shard_id), token


shards.claim = claim_without_looking

# --- Nobody looks for what a dead worker left --------------------------------------------------------------

sweep = shards.sweep


def sweep_nothing(*arguments: Any, **options: Any) -> int:
    return 0 if planted() == "never-sweeps" else sweep(*arguments, **options)


shards.sweep = sweep_nothing

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
    is_mine = store(shard, claim, results, *more)
    if results and planted() in ("comes-twice", "stores-over"):
        threading.Timer(0.5, store_late, [shard, results]).start()
    return is_mine


def store_late(shard: Shard, results: Any) -> None:
    try:
        store(shard, uuid.uuid4(), results)
    finally:
        connection.close()


storing.write = write_over
shards.store = store_twice  # type: ignore[attr-defined, assignment]
