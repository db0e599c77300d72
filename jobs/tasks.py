"""What Celery runs: a job by its id, and the sweep. All else stands in the row."""

import threading
from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down

from jobs.models import Queue


@shared_task(bind=True, ignore_result=True, acks_late=True)
def run(task: Any, job_id: int) -> None:
    """Do the job, where it still waits and this process may hold it, and then others that wait in its queue."""
    from jobs.working import work_on, work_through, work_through_beside

    queue = (task.request.delivery_info or {}).get("routing_key")
    if queue not in Queue.values:  # called in a process that is no worker
        work_on(job_id)
    elif queue == Queue.CALLS and threading.current_thread() is threading.main_thread():
        consumed = set(task.app.amqp.queues.consume_from)
        work_through_beside(job_id, queue, is_for_others_too=consumed != {queue})
    else:
        work_through(job_id, queue)


@shared_task(ignore_result=True)
def sweep() -> int:
    """Take up again what workers left behind; return how many jobs were moved."""
    from jobs.sweeping import sweep as sweep_jobs

    return sweep_jobs()


@worker_ready.connect
def announce_worker(sender: Any = None, **_signal: Any) -> None:
    from jobs import heartbeat

    consumed = sender.task_consumer.queues if sender is not None and sender.task_consumer else []
    pool = getattr(sender, "pool", None)
    is_forking = type(pool).__module__ == "celery.concurrency.prefork"
    heartbeat.announce(sorted(queue.name for queue in consumed), pool.limit if pool and is_forking else 1)


@worker_shutting_down.connect
def take_up_nothing_more(**_signal: Any) -> None:
    from jobs import shares

    shares.close()
