"""Tasks of the judging's clock."""

from celery import shared_task


@shared_task(ignore_result=True)
def follow_submissions() -> int:
    """End submissions that are done, failed or late; return how many."""
    from judging.collecting.submitted import follow_up

    return follow_up()
