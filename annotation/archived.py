"""What of the tables of marks, reviews and ratings goes into an archive."""

from django.db.models import Q

from annotation.models import (
    Acceptance,
    AcceptanceMember,
    Adjudication,
    CaseLabel,
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
    IndexedKind,
    Marking,
    PairDesign,
    QuestionnaireAnswer,
    Rating,
    RatingSettings,
    Refinement,
    Review,
    SettledCase,
    Span,
    SpanPart,
)
from formats.archive.contents import Contents, LeftOut, Renumber, Row, Table
from workflow.models import Stage

MADE_AGAIN = "made again of the gold by the job that keeps the case book"


def _stage_of_answers(row: Row, renumber: Renumber) -> None:
    """The key of a case of questionnaires names its stage (reports/questionnaires/cases.py)."""
    if row["kind"].startswith("answers"):
        stage, _colon, part = row["key"].partition(":")
        row["key"] = f"{renumber(Stage, int(stage))}:{part}"


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
        Table(model=SpanPart, project="span__response__project"),
        Table(model=Review, project="span__response__project"),
        Table(model=GroupProposal, project="response__project"),
        Table(model=GroupProposal.spans.through, project="groupproposal__response__project"),
        Table(model=Classification, project="span__response__project"),
        Table(model=Refinement, project="span__response__project"),
        Table(model=Acceptance, project="project"),
        Table(model=AcceptanceMember, project="acceptance__project"),
        Table(model=CodingSample, project="project"),
        Table(model=CodingSample.spans.through, project="codingsample__project"),
        Table(model=Adjudication, project="span__response__project"),
        Table(model=GoldAnswer, project="response__project"),
        Table(model=CaseNote, project="response__project", where=Q(prompt=None), renumber=_stage_of_answers),
        Table(
            model=CaseNote,
            project="prompt__project",
            name="casenoteofprompt",
            where=Q(response=None),
            renumber=_stage_of_answers,
        ),
    ),
    (
        LeftOut(IndexedAnswer, MADE_AGAIN),
        LeftOut(IndexedKind, MADE_AGAIN),
        LeftOut(SettledCase, MADE_AGAIN),
        LeftOut(CaseWord, MADE_AGAIN),
        LeftOut(CaseLabel, MADE_AGAIN),
    ),
)
