"""Tasks of the reports' clock."""

from celery import shared_task


@shared_task(ignore_result=True)
def compact_revisions() -> int:
    """Put the revisions of each place together; return how many rows went."""
    from reports.dashboard.freshness.revisions import compact

    return compact()
