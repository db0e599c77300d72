"""What of the tables of reports goes into an archive."""

from formats.archive.contents import Contents, LeftOut, Table
from reports.models import DataRevision, GoldSnapshot, GoldSnapshotPart

OF_REPORTS = Contents(
    "reports",
    80,
    (
        Table(model=GoldSnapshot, project="project"),
        Table(model=GoldSnapshotPart, project="snapshot__project"),
    ),
    (LeftOut(DataRevision, "counts the writes of a database, by its own triggers"),),
)
