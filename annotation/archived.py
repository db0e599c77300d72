"""What of the tables of marks, reviews and ratings goes into an archive."""

from annotation.models import (
    Adjudication,
    CaseNote,
    CaseWord,
    CategoryChange,
    CheckMarking,
    Classification,
    CodingSample,
    ErrorCategory,
    ErrorGroup,
    ErrorScheme,
    GoldAnswer,
    GoldError,
    GroupProposal,
    IndexedAnswer,
    Marking,
    PairDesign,
    QuestionnaireAnswer,
    Rating,
    RatingSettings,
    Review,
    SettledCase,
    Span,
)
from formats.archive.contents import Contents, LeftOut, Table

MADE_AGAIN = "made again of the gold by the job that keeps the case book"

OF_ANNOTATION = Contents(
    "annotation",
    30,
    (
        Table(model=RatingSettings, project="project"),
        Table(model=PairDesign, project="project"),
        Table(model=Rating, project="question__project"),
        Table(model=QuestionnaireAnswer, project="stage__project"),
        Table(model=ErrorCategory, project="project"),
        Table(model=CategoryChange, project="project"),
        Table(model=ErrorScheme, project="project"),
        Table(model=Marking, project="response__project"),
        Table(model=CheckMarking, project="assignment__stage__project"),
        Table(model=ErrorGroup, project="response__project"),
        Table(model=GoldError, project="response__project"),
        Table(model=Span, project="response__project"),
        Table(model=Review, project="span__response__project"),
        Table(model=GroupProposal, project="response__project"),
        Table(model=GroupProposal.spans.through, project="groupproposal__response__project"),
        Table(model=Classification, project="span__response__project"),
        Table(model=CodingSample, project="project"),
        Table(model=CodingSample.spans.through, project="codingsample__project"),
        Table(model=Adjudication, project="span__response__project"),
        Table(model=GoldAnswer, project="response__project"),
        Table(model=CaseNote, project="response__project"),
    ),
    (
        LeftOut(IndexedAnswer, MADE_AGAIN),
        LeftOut(SettledCase, MADE_AGAIN),
        LeftOut(CaseWord, MADE_AGAIN),
    ),
)
