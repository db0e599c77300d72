"""The frame of scores: what each answer comes to as one number, whatever kind of work it was."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.error_scheme import weighted, without_cost
from annotation.models import Marking, Span
from projects.models import Project, Vocabulary
from projects.vocabularies import words
from reports.frames import grading, marking, rating
from reports.frames.columns import (
    FLAG,
    IS_COUNTED,
    IS_FIRST,
    NUMBER,
    RATER,
    RESPONSE,
    ROUND,
    TEXT,
    TIME,
    UNSURE,
    Column,
)
from reports.frames.first import OF_MARKS, number_first_given
from reports.frames.first_gradings import first_of
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import Reading, Text
from reports.rubrics.at_first import KINDS
from rubrics.models import Grade

ERRORS, PENALTY, PERCENT, GRADE = "errors", "penalty", "percent", "grade"

SCORES = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("measure", TEXT, "errors, penalty, percent (of a rubric) or grade: what the score counts"),
    Column("question", TEXT, "slug of the question type, of grades"),
    Column("pair_key", TEXT, "key of the pair it was graded in, of grades in pairs"),
    Column(
        "score",
        NUMBER,
        "errors: a rater's spans in one group are one; penalty: points, added in the order of the spans; percent; or "
        "the grade; missing where it could not be read",
    ),
    Column("is_reference", FLAG, "people's score under the newest rubric, which others are compared with"),
    IS_COUNTED,
    IS_FIRST,
    UNSURE,
    Column("created_at", TIME, "when the answer was stored"),
)


def score_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    rows = [*of_markings(reading, batch), *of_grades(reading, batch), *of_ratings(reading, batch)]
    return by_column([row for _response, row in sorted(rows, key=lambda row: row[0])])


Placed = tuple[int, Row]


def of_markings(reading: Reading, batch: Sequence[Text]) -> Iterator[Placed]:
    """Errors of each complete answer, and penalties where errors cost points."""
    texts = marking.by_id(batch)
    answers = [row for row in marking.markings_of(reading, batch, texts) if row.is_complete]
    counted = marking.counted_of(reading, answers, texts)
    points = words(reading.project, Vocabulary.CRITICALITY).points
    units: defaultdict[int, set[int]] = defaultdict(set)
    penalties: defaultdict[int, float] = defaultdict(float)
    spans = Span.objects.filter(**reading.within("response", batch)).order_by("id")
    free = set(without_cost(reading.project, spans).values_list("id", flat=True))
    of_category = weighted(reading.project, spans)
    for pk, answer, group, level, penalty in spans.values_list(
        "id", "marking_id", "group_id", "criticality", "penalty"
    ):
        units[answer].add(group or -pk)
        if pk not in free:
            penalties[answer] += of_category.get(pk, points.get(level, 0.0)) if penalty is None else penalty
    with_penalties = is_weighted(reading.project)
    for row in answers:
        made = partial(cells, reading, texts[row.response_id], row.rater_id, row.round, row.assignment)
        is_counted = row.id in counted
        yield row.response_id, made(ERRORS, float(len(units[row.id])), False, is_counted, row.created_at)
        if with_penalties:
            yield row.response_id, made(PENALTY, penalties[row.id], False, is_counted, row.created_at)
    for one in marking.first_markings(reading, batch, answers, counted):
        made = partial(cells, reading, texts[one.response], one.rater, one.round, one.assignment)
        spans_first = one.body["spans"]
        yield one.response, made(ERRORS, float(len(spans_first)), False, False, one.at, is_first=one.is_counted)
        if with_penalties:
            penalty = penalty_at_first(reading, spans_first, points)
            yield one.response, made(PENALTY, penalty, False, False, one.at, is_first=one.is_counted)


def penalty_at_first(reading: Reading, spans: Sequence[Mapping[str, Any]], points: Mapping[str, float]) -> float:
    """Points of the errors of an answer as it was first handed in: no error had points of its own."""
    ids = {slug: pk for pk, slug in reading.categories.items()}
    total = 0.0
    for span in spans:
        category = ids.get(span["category"])
        if category not in reading.without_cost:
            of_category = reading.weights.points(category, span["criticality"])
            total += points.get(span["criticality"], 0.0) if of_category is None else of_category
    return total


def of_grades(reading: Reading, batch: Sequence[Text]) -> Iterator[Placed]:
    graded = grading.grades_of(reading, batch)
    first = [(row, standing, text) for row, standing, text, _verdicts in first_of(reading, batch, graded)]
    for row, standing, text in [*graded, *first]:
        if row.is_complete:
            made = partial(cells, reading, text, row.rater, row.round, row.assignment)
            stands = standing.is_reference, standing.is_counted
            yield text.id, made(PERCENT, row.percent, *stands, row.created_at, is_first=standing.is_first)


def of_ratings(reading: Reading, batch: Sequence[Text]) -> Iterator[Placed]:
    texts = marking.by_id(batch)
    stored = rating.stored_by_side(reading, batch)
    grades, counted = rating.counted_among(reading, batch, stored)
    first, agreed = rating.grades_at_first(reading, batch, stored)
    rows = [(grade, grade.place[::-1] in counted, None) for grade in grades]
    for (row, response, _side, given), is_counted, is_first in [
        *rows,
        *((grade, False, grade.place[::-1] in agreed) for grade in first),
    ]:
        made = partial(cells, reading, texts[response], row.rater, row.round, row.assignment)
        about = reading.questions[row.question].slug, row.pair_key
        yield response, made(GRADE, given, False, is_counted, row.created_at, *about, is_first)


def cells(
    reading: Reading,
    text: Text,
    rater: int,
    turn: int,
    assignment: int | None,
    measure: str,
    score: float | None,
    is_reference: bool,
    is_counted: bool,
    created_at: object,
    question: str | None = None,
    pair_key: str | None = None,
    is_first: bool | None = None,
) -> Row:
    """`is_first` is said of an answer as it was first handed in; of one that stands it is found out."""
    of_rater = reading.raters[rater].cells
    unsure = reading.is_unsure(assignment)
    if is_first is None:
        is_first = reading.is_first(is_counted, assignment)
    place = (turn, measure, question, pair_key, score, is_reference, is_counted, is_first, unsure, created_at)
    return (text.cells, of_rater, *place)


def is_weighted(project: Project) -> bool:
    """Whether errors cost points: by the project's scheme, or by points of their own."""
    return (
        bool(words(project, Vocabulary.CRITICALITY).points)
        or Span.objects.filter(response__project=project, penalty__isnull=False).exists()
    )


def number_of_scores(project: Project) -> int:
    answers = Marking.objects.filter(response__project=project, is_complete=True).count()
    gradings = Grade.objects.filter(response__project=project, is_complete=True).count()
    answers += number_first_given(project, OF_MARKS)
    gradings += number_first_given(project, KINDS)
    return answers * (2 if answers and is_weighted(project) else 1) + gradings + rating.number_of_ratings(project)


scores = Frame(
    "scores",
    _("Every answer as one number: errors and penalty points of a marking, percent of a grading, grades."),
    SCORES,
    score_rows,
    number_of_scores,
)
