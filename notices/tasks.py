"""Tasks of the queue's clock."""

from celery import shared_task


@shared_task
def sweep_mail() -> int:
    """Queue the mails that are due; return how many."""
    from notices.mailing import post

    return post()
