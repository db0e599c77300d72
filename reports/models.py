"""What reports keep in the database: how often the rows that figures are made of were written."""

from django.db import models

#: In place of an id: of every project, of every variety.
ALL = 0


class DataRevision(models.Model):
    """Writes of measured rows: in which project and variety, and which part of what figures are made of.

    Triggers write these rows (reports/dashboard/freshness/), whoever writes the measured ones. On PostgreSQL every
    statement adds rows of its own, so that no writer waits for another, and a sweep puts them together
    (`revisions.compact` there); on SQLite, which has one writer at a time, a row is counted up. `writes` and `token`
    summed over the rows of a place are its state: the first tells what was written here before and after, the second
    (random, of 40 bits) one history from another, as after a restored backup or a transaction that was rolled back.

    Ids, not foreign keys: a check of them would lock what a long import writes.
    """

    project_id = models.BigIntegerField()
    variety_id = models.BigIntegerField(default=ALL)
    part = models.CharField(max_length=40)
    writes = models.BigIntegerField()
    token = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["project_id", "variety_id", "part"], name="data_revision_place")]

    def __str__(self) -> str:
        return f"{self.project_id}/{self.variety_id}: {self.part} {self.writes}"
