"""Of the tables of jobs nothing goes into an archive by itself: jobs of a judge's run go along with the run."""

from formats.archive.contents import Contents, LeftOut
from jobs.models import FileChunk, StoredFile

OF_JOBS = Contents(
    "jobs",
    15,
    (),
    (
        LeftOut(StoredFile, "kept for days, on their way to or from a job"),
        LeftOut(FileChunk, "of files that are kept for days"),
    ),
)
