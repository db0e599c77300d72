"""Tasks of the queue's clock."""

from celery import shared_task


@shared_task
def sweep_leases() -> int:
    """Give back items whose lease has run out; return how many."""
    from workflow.claims import sweep_expired_leases

    return sweep_expired_leases()
