"""What of the tables of rubrics goes into an archive."""

from django.db.models import Q

from formats.archive.contents import Contents, Seal, Table
from rubrics.models import (
    CalibrationStudy,
    CheckGrading,
    Criterion,
    DifficultyCheck,
    DraftReview,
    Grade,
    ImportedOrder,
    Revision,
    Rubric,
    RubricSettings,
    Verdict,
    WeightBand,
)

# A rubric is frozen once its criteria are in, and graded by from then on; what graders add to it belongs to a grade.
OF_RUBRICS = Contents(
    "rubrics",
    40,
    (
        Table(model=RubricSettings, project="project"),
        Table(model=WeightBand, project="project"),
        Table(model=DifficultyCheck, project="assignment__stage__project"),
        Table(model=DraftReview, project="assignment__stage__project"),
        Table(model=Rubric, project="project", later=("frozen_at", "sha256")),
        Table(model=Criterion, project="rubric__project", where=Q(grade=None)),
        Seal(Rubric),
        Table(model=Revision, project="rubric__project"),
        Table(model=Grade, project="rubric__project"),
        Table(model=Criterion, project="rubric__project", name="criterion-of-grade", where=Q(grade__isnull=False)),
        Table(model=Verdict, project="grade__rubric__project"),
        Table(model=CheckGrading, project="assignment__stage__project"),
        Table(model=CalibrationStudy, project="project"),
        Table(model=ImportedOrder, project="response__project"),
    ),
)
