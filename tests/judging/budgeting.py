"""Run sets of priced judges, worked through in the test's own process."""

from decimal import Decimal
from typing import Any

from jobs.models import JobState
from judging.engine import runs
from judging.engine.choice import Choice
from judging.engine.run_sets import create_set
from judging.engine.shards import work_through
from judging.models import Judge, RunSet
from providers.models import ServedModel

DOLLAR = 10**9  # billionths


def priced(judge: Judge, read: str = "1", written: str = "2") -> Judge:
    """US dollars for a million tokens: 1 for those read, 2 for those written, where nothing else is said."""
    price = {"input_price": Decimal(read), "output_price": Decimal(written)}
    ServedModel.objects.update_or_create(provider=judge.provider, name=judge.model, defaults=price)
    return judge


def a_set(*judges: Judge, choice: Choice | None = None, replicates: int = 1, **limits: Any) -> RunSet:
    return create_set(judges[0].project, judges, choice or Choice(), replicates, **limits)


def work_off(run_set: RunSet) -> RunSet:
    """What workers would do, one shard after the other."""
    for run in run_set.runs.order_by("pk"):
        runs.start_here(run)
        for shard in run.shards.filter(job__state=JobState.QUEUED).order_by("number"):
            work_through(shard.pk)
    run_set.refresh_from_db()
    return run_set
