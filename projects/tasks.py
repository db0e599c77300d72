"""Tasks of the queue's clock."""

from celery import shared_task


@shared_task
def sweep_sessions() -> int:
    """Remove sessions that have ended, and what is listed of them; return how many."""
    from projects.sessions import remove_ended

    return remove_ended()
