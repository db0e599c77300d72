"""What reports keep in the database: how often the rows that figures are made of were written, and gold as it stood."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Project

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


class GoldSnapshot(models.Model):
    """The gold file of an area as it stood, under a name. The database refuses to change or delete it."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="gold_snapshots")
    area = models.CharField(max_length=20)
    name = models.CharField(_("name"), max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)
    # Deleting a person changes no snapshot.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    # Of the whole file, in hexadecimal digits; `size` in bytes.
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField()
    lines = models.PositiveIntegerField()
    responses = models.PositiveIntegerField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "area", "name"], name="gold_snapshot_named_once"),
            models.CheckConstraint(condition=~Q(name=""), name="gold_snapshot_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class GoldSnapshotPart(models.Model):
    """Some bytes of a snapshot's file; its parts in their order are the file."""

    snapshot = models.ForeignKey(GoldSnapshot, models.PROTECT, related_name="parts")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["snapshot", "number"], name="gold_snapshot_part_once")]

    def __str__(self) -> str:
        return f"{self.snapshot_id}: {self.number}"
