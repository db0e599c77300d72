"""Tasks of the queue's clock."""

from celery import shared_task


@shared_task
def sweep_leases() -> int:
    """Give back items whose lease has run out; return how many."""
    from workflow.claims import sweep_expired_leases

    return sweep_expired_leases()


@shared_task
def close_what_is_due() -> int:
    """Close stages that end with their date; return how many."""
    from workflow.due_dates import close_what_is_due

    return close_what_is_due()


@shared_task
def tell_of_dates() -> int:
    """Tell people of work of theirs that is soon due; return how many."""
    from workflow.telling_of_dates import tell_of_dates

    return tell_of_dates()
