"""Frames of rubrics: each grading of a response with its score, and its verdicts criterion by criterion."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from projects.models import Project
from reports.frames.columns import (
    FLAG,
    IS_COUNTED,
    IS_FIRST,
    NUMBER,
    OWN_LABORATORY,
    RATER,
    RESPONSE,
    ROUND,
    TEXT,
    TIME,
    WHOLE,
    WORKED,
    Column,
    offsets,
)
from reports.frames.first import number_first_given
from reports.frames.first_gradings import OF_CRITERION, first_of, number_of_first_verdicts
from reports.frames.frame import Columns, Frame, Row, by_column, responses_with_text
from reports.frames.reading import Reading, Text
from reports.rubrics.at_first import KINDS
from reports.rubrics.reader import COUNTS
from reports.rubrics.tags import newest_rubrics
from rubrics.models import Grade, GradeRole, Verdict

RUBRIC = (
    Column("rubric_version", WHOLE, "version of the prompt's rubric, from 1"),
    Column("rubric_sha256", TEXT, "SHA-256 of the frozen rubric in its canonical form"),
    Column("role", TEXT, "reference (the first grading), regrade, calibration or judge"),
)
CREATED_AT = Column("created_at", TIME, "when the grading was stored")
GRADES = (
    *RESPONSE,
    *RATER,
    ROUND,
    *RUBRIC,
    Column("is_complete", FLAG, "false where a judge's answer could be read in part; such a grading has no score"),
    Column("raw", WHOLE, "S_raw: the sum of the weights that count"),
    Column("maximum", WHOLE, "S_max: the sum of the positive weights"),
    Column("percent", NUMBER, "100 S_raw / S_max, in percent; below 0 where penalties outweigh"),
    Column("is_reference", FLAG, "people's score, which others are compared with: first grading, newest rubric"),
    Column("is_latest", FLAG, "the rater's latest complete round under the newest rubric"),
    Column(
        "is_counted", FLAG, "dashboards without filters count it: is_reference or is_latest, and not own_laboratory"
    ),
    IS_FIRST,
    OWN_LABORATORY,
    Column("by_judges_alone", FLAG, "no person has graded this response under the same rubric"),
    Column("comment", TEXT, "what the grader wrote"),
    *WORKED,
    CREATED_AT,
)
VERDICTS = (
    *RESPONSE,
    *RATER,
    ROUND,
    *RUBRIC,
    Column("criterion_key", TEXT, "key of the criterion, unique in its rubric"),
    Column("criterion", TEXT, "its words"),
    Column("weight", WHOLE, "its weight: below 0 of an error, written beforehand or found by a grader"),
    Column("band", TEXT, "slug of its band of weights"),
    Column("objectivity", TEXT, "objective or subjective"),
    Column("explicitness", TEXT, "explicit or implicit"),
    Column("tags", TEXT, "its tags, parted by commas; missing where it has none"),
    Column("failure_type", TEXT, "what kind of error; missing of positive criteria"),
    *offsets("what a negative criterion points at"),
    Column("value", TEXT, "pass or fail; of a negative criterion present or absent"),
    Column("adds_weight", FLAG, "the weight is part of the score: pass or present"),
    Column("justification", TEXT, "the grader's reason"),
    *WORKED,
    IS_COUNTED,
    IS_FIRST,
    CREATED_AT,
)
FIELDS = (
    *("id", "response_id", "rater_id", "rubric_id", "round", "role", "raw", "maximum", "is_complete", "comment"),
    *("created_at", "rubric__version", "rubric__sha256", "assignment_id", "assignment__active_seconds"),
)
VERDICT_FIELDS = ("grade_id", "value", "justification", *(f"criterion__{name}" for name in OF_CRITERION))


class GradeRow(NamedTuple):
    id: int
    response: int
    rater: int
    rubric: int
    round: int
    role: str
    raw: int | None
    maximum: int | None
    is_complete: bool
    comment: str
    created_at: Any
    version: int
    sha256: str
    assignment: int | None
    seconds: int | None

    @property
    def percent(self) -> float | None:
        return None if self.raw is None or self.maximum is None else 100 * self.raw / self.maximum


class Standing(NamedTuple):
    """`is_first`: agreement counts it."""

    is_reference: bool
    is_latest: bool
    by_judges_alone: bool
    own_laboratory: bool
    is_first: bool

    @property
    def is_counted(self) -> bool:
        return (self.is_reference or self.is_latest) and not self.own_laboratory

    def of_first(self, is_first: bool) -> "Standing":
        """What was first handed in in the same turn stands for nothing else."""
        return self._replace(is_reference=False, is_latest=False, is_first=is_first)


def grades_of(reading: Reading, batch: Sequence[Text]) -> list[tuple[GradeRow, Standing, Text]]:
    """All gradings of these responses by response and id, each with whether and as what it counts."""
    texts = {text.id: text for text in batch}
    grades = Grade.objects.filter(**reading.within("response", batch)).order_by("response_id", "id")
    rows = [row for row in map(GradeRow._make, grades.values_list(*FIELDS)) if row.response in texts]
    newest = newest_rubrics(reading.project).filter(
        pk__in=Grade.objects.filter(**reading.within("response", batch)).values("rubric")
    )
    known = set(newest.values_list("pk", flat=True))
    counting = [
        row
        for row in rows
        if row.is_complete and row.rubric in known and reading.is_shown(row.rater, texts[row.response].prompt)
    ]
    latest: dict[tuple[int, int], GradeRow] = {}
    for row in counting:
        place = (row.response, row.rater)
        if place not in latest or row.round > latest[place].round:
            latest[place] = row
    last = {row.id for row in latest.values()}
    reference = {row.id for row in counting if row.role == GradeRole.REFERENCE}
    by_people = {(row.response, row.rubric) for row in rows if row.role != GradeRole.JUDGE}
    # Who grades again answers about the errors of the reference that stands.
    built_on = {row.response for row in counting if row.role == GradeRole.REGRADE}
    made = []
    for row in rows:
        stands = Standing(
            row.id in reference,
            row.id in last,
            (row.response, row.rubric) not in by_people,
            reading.is_own(row.rater, texts[row.response].model),
            False,
        )
        is_basis = stands.is_reference and row.response in built_on
        is_first = stands.is_counted if is_basis else reading.is_first(stands.is_counted, row.assignment)
        made.append((row, stands._replace(is_first=is_first), texts[row.response]))
    return made


def grade_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    graded = grades_of(reading, batch)
    rows = [*graded, *((row, stands, text) for row, stands, text, _verdicts in first_of(reading, batch, graded))]
    made: list[Row] = []
    for row, standing, text in sorted(rows, key=lambda one: (one[0].response, one[0].id)):
        made.append(
            (
                text.cells,
                reading.raters[row.rater].cells,
                row.round,
                row.version,
                row.sha256,
                row.role,
                row.is_complete,
                row.raw,
                row.maximum,
                row.percent,
                standing.is_reference,
                standing.is_latest,
                standing.is_counted,
                standing.is_first,
                standing.own_laboratory,
                standing.by_judges_alone,
                row.comment,
                *reading.worked(row.assignment, row.seconds, row.created_at),
                row.created_at,
            )
        )
    return by_column(made)


def verdict_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    graded = grades_of(reading, batch)
    grades = {row.id: (row, standing, text) for row, standing, text in graded}
    verdicts = Verdict.objects.filter(**reading.within("grade__response", batch))
    ordered = verdicts.order_by("grade__response_id", "grade_id", "criterion__position", "id")
    made: list[tuple[GradeRow, Row]] = []
    for pk, value, justification, *about in ordered.values_list(*VERDICT_FIELDS):
        if pk in grades:  # else stored since the gradings were read
            row = grades[pk][0]
            made.append((row, verdict_cells(reading, *grades[pk], value, justification, about)))
    for row, standing, text, given in first_of(reading, batch, graded):
        made += [(row, verdict_cells(reading, row, standing, text, value, "", about)) for value, about in given]
    return by_column([cells for _row, cells in sorted(made, key=lambda one: (one[0].response, one[0].id))])


def verdict_cells(
    reading: Reading,
    row: GradeRow,
    standing: Standing,
    text: Text,
    value: str,
    justification: str,
    about: Sequence[Any],
) -> Row:
    """`about` the criterion, as of `OF_CRITERION`."""
    key, words, weight, band, objectivity, explicitness, tags, failure, start, end, quote = about
    return (
        text.cells,
        reading.raters[row.rater].cells,
        row.round,
        row.version,
        row.sha256,
        row.role,
        key,
        words,
        weight,
        band,
        objectivity,
        explicitness,
        ", ".join(tags),
        failure,
        *text.offsets(start, end),
        quote,
        value,
        value in COUNTS,
        justification,
        *reading.worked(row.assignment, row.seconds, row.created_at),
        standing.is_counted,
        standing.is_first,
        row.created_at,
    )


def number_of_grades(project: Project) -> int:
    return Grade.objects.filter(response__project=project).count() + number_first_given(project, KINDS)


def number_of_verdicts(project: Project) -> int:
    return Verdict.objects.filter(grade__response__project=project).count() + number_of_first_verdicts(project)


verdicts = Frame(
    "verdicts",
    _("Every verdict of a grading, criterion by criterion."),
    VERDICTS,
    verdict_rows,
    number_of_verdicts,
    responses_with_text,
)
grades = Frame(
    "grades",
    _("Every grading of a response under its rubric, with its score."),
    GRADES,
    grade_rows,
    number_of_grades,
)
