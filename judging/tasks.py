"""Tasks carry the id of a shard or a collection; its row says what is to be done and who does it."""

from celery import shared_task


@shared_task(ignore_result=True, acks_late=True)
def run_shard(shard_id: int) -> None:
    from judging.relays import work_on

    work_on(shard_id)


@shared_task(ignore_result=True)
def sweep_shards() -> int:
    """Send shards and collections of dead workers again; return how many."""
    from judging.collecting import working
    from judging.shards import sweep

    return sweep() + working.sweep()


@shared_task(ignore_result=True, acks_late=True)
def collect(collection_id: int) -> None:
    from judging.collecting.working import work_through

    work_through(collection_id)
