"""Frames of ratings: grades of responses, one by one, and what raters said of two side by side."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import Rating
from benchmark.held_back import canary_of
from projects.models import Project, ResponsePair
from reports.frames.columns import (
    FLAG,
    HELD_BACK,
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
)
from reports.frames.first_ratings import all_first_ratings, first_ratings, unamended
from reports.frames.frame import Columns, Frame, Row, by_column
from reports.frames.reading import RESPONSE_FIELDS, Reading, Text, held_back_cells, text_of

FIRST, SECOND, ALONE = "first", "second", "alone"

QUESTION = (
    Column("question", TEXT, "slug of the question type"),
    Column("dimension", TEXT, "slug of its dimension"),
    Column("lowest", WHOLE, "lowest grade of its scale; missing where only a preference is asked for"),
    Column("highest", WHOLE, "highest grade of its scale"),
    Column("nominal", FLAG, "its grades are names without an order"),
)
IS_CHECK = Column("is_check", FLAG, "an answer to a check: it says something of the rater and counts nowhere else")
IS_UNPARSEABLE = Column("is_unparseable", FLAG, "a judge answered, and no verdict could be read")
COMMENT = Column("comment", TEXT, "a person's comment or a judge's reasoning")
CREATED_AT = Column("created_at", TIME, "when it was stored")
RATINGS = (
    *RESPONSE,
    *RATER,
    ROUND,
    *QUESTION,
    Column("pair_key", TEXT, "key of the pair it was graded in; missing where it was graded alone"),
    Column("side", TEXT, "first or second response of the pair, or alone"),
    Column("is_shown_first", FLAG, "it was the one shown first; missing where it was graded alone"),
    Column("is_of_both_orders", FLAG, "a judge's, asked in both orders: the other order is another row"),
    Column("grade", NUMBER, "the grade; missing where it could not be read"),
    IS_UNPARSEABLE,
    COMMENT,
    *WORKED,
    IS_CHECK,
    IS_COUNTED,
    IS_FIRST,
    OWN_LABORATORY,
    CREATED_AT,
)


def columns_of(which: str) -> tuple[Column, ...]:
    """The response's columns, but for those that both have in common: they answer one prompt."""
    return tuple(
        Column(f"{which}_{column.name}", column.dtype, f"of the pair's {which} response: {column.holds}")
        for column in RESPONSE
        if column.name not in ("prompt_key", "variety") and column not in HELD_BACK
    )


PAIR = (
    Column("pair_key", TEXT, "key of the pair, unique in the project"),
    Column("prompt_key", TEXT, "key of the prompt that both responses answer"),
    Column("variety", TEXT, "tag of the pair's language variety (BCP 47)"),
    *columns_of(FIRST),
    *columns_of(SECOND),
    *HELD_BACK,
)
PREFERENCES = (
    *PAIR,
    *RATER,
    ROUND,
    *QUESTION,
    Column("is_swapped", FLAG, "the second response was the one shown first"),
    Column("is_of_both_orders", FLAG, "a judge's, asked in both orders: the other order is another row"),
    Column("first_grade", NUMBER, "grade of the first response; missing where there is none"),
    Column("second_grade", NUMBER, "grade of the second response; missing where there is none"),
    Column("stated", TEXT, "first, second or tie, where the rater said so outright"),
    Column(
        "preference",
        TEXT,
        "first, second or tie: what the two grades say, or what was stated where none are or they have no order",
    ),
    IS_UNPARSEABLE,
    COMMENT,
    *WORKED,
    IS_CHECK,
    IS_COUNTED,
    IS_FIRST,
    OWN_LABORATORY,
    CREATED_AT,
)
FIELDS = (
    *("id", "question_id", "rater_id", "round", "is_swapped", "is_of_both_orders", "first_grade", "second_grade"),
    *("preference", "is_unparseable", "comment", "is_check", "created_at", "response_id", "pair_id", "pair__key"),
    *("pair__first_id", "pair__second_id", "assignment_id", "assignment__active_seconds"),
    *("response__target_model__name", "pair__first__target_model__name", "pair__second__target_model__name"),
)
#: What has a grade to tell of a response: grades, or that they could not be read.
GRADED = Q(first_grade__isnull=False) | Q(is_unparseable=True)


class RatingRow(NamedTuple):
    """A rating as stored; `first` and `second` are the ids of the pair's responses."""

    id: int
    question: int
    rater: int
    round: int
    is_swapped: bool
    is_of_both_orders: bool
    first_grade: float | None
    second_grade: float | None
    stated: str
    is_unparseable: bool
    comment: str
    is_check: bool
    created_at: Any
    response: int | None
    pair: int | None
    pair_key: str | None
    first: int | None
    second: int | None
    assignment: int | None
    seconds: int | None
    model: str | None
    first_model: str | None
    second_model: str | None

    @property
    def models(self) -> tuple[str, ...]:
        """Names of those that it is about."""
        return tuple(name for name in (self.model, self.first_model, self.second_model) if name)

    @property
    def place(self) -> tuple:
        """Of rows that are alike in this the latest round counts."""
        return (self.question, self.pair, self.response, self.rater, self.is_swapped)


def rows_of(rows: QuerySet[Rating]) -> list[RatingRow]:
    return [RatingRow._make(row) for row in rows.order_by("id").values_list(*FIELDS)]


def latest_rounds(rows: Sequence[RatingRow]) -> set[int]:
    """Ids of the answers in their latest round; answers to checks are none."""
    latest: dict[tuple, RatingRow] = {}
    for row in rows:
        if not row.is_check and (row.place not in latest or row.round > latest[row.place].round):
            latest[row.place] = row
    return {row.id for row in latest.values()}


class GradeRow(NamedTuple):
    """A grade of one response: the rating it is of, the side it was on, and the grade."""

    rating: RatingRow
    response: int
    side: str
    grade: float | None

    @property
    def place(self) -> tuple[int, int]:
        """In the order of responses and of the ratings' ids."""
        return (self.response, self.rating.id)


#: Of both ways of meeting a response: the side, and the path that leads to it from a rating.
SIDES = ((ALONE, "response"), (FIRST, "pair__first"), (SECOND, "pair__second"))
#: Ratings by the side on which they have the responses of a batch.
BySide = Mapping[str, list[RatingRow]]


def grades_of(reading: Reading, batch: Sequence[Text]) -> tuple[list[GradeRow], set[tuple[int, int]]]:
    """All grades of these responses, by response and id, and which count, as (rating, response)."""
    return counted_among(reading, batch, stored_by_side(reading, batch))


def stored_by_side(reading: Reading, batch: Sequence[Text]) -> BySide:
    return {side: rows_of(Rating.objects.filter(**reading.within(path, batch))) for side, path in SIDES}


def grades_at_first(
    reading: Reading, batch: Sequence[Text], stored: BySide
) -> tuple[list[GradeRow], set[tuple[int, int]]]:
    """Of turns that were amended the grades as first handed in; and which of these agreement counts, as of `grades_of`
    with first answers in place of later ones."""
    first = {side: first_ratings(reading, path, batch, stored[side], RatingRow) for side, path in SIDES}
    if not any(first.values()):
        return [], set()
    in_place = {side: unamended(reading, rows) + first[side] for side, rows in stored.items()}
    grades, counted = counted_among(reading, batch, in_place)
    return [grade for grade in grades if grade.rating.assignment in reading.amended], counted


def counted_among(
    reading: Reading, batch: Sequence[Text], by_side: BySide
) -> tuple[list[GradeRow], set[tuple[int, int]]]:
    """Of a person and a response on a question type the latest grade counts, whichever pair it was given in; of a judge
    the grade in each pair and order."""
    texts = {text.id: text for text in batch}
    grades: list[GradeRow] = []
    latest: set[int] = set()
    for side, rows in by_side.items():
        latest |= latest_rounds(rows)
        grades += [on_side(row, side) for row in rows if row.first_grade is not None or row.is_unparseable]
    grades = sorted((grade for grade in grades if grade.response in texts), key=lambda grade: grade.place)
    counted: set[tuple[int, int]] = set()
    of_person: dict[tuple, int] = {}
    for rating, response, _side, _grade in grades:
        if rating.id not in latest or not reading.is_shown(rating.rater, texts[response].prompt, *rating.models):
            continue
        if reading.raters[rating.rater].is_human:
            of_person[response, rating.question, rating.rater] = rating.id
        else:
            counted.add((rating.id, response))
    return grades, counted | {(pk, response) for (response, _question, _rater), pk in of_person.items()}


def on_side(row: RatingRow, side: str) -> GradeRow:
    response, grade = (row.first, row.first_grade) if side == FIRST else (row.second, row.second_grade)
    if side == ALONE:
        response, grade = row.response, row.first_grade
    assert response is not None  # it was found by it
    return GradeRow(row, response, side, grade)


def rating_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = {text.id: text for text in batch}
    stored = stored_by_side(reading, batch)
    grades, counted = counted_among(reading, batch, stored)
    first, agreed = grades_at_first(reading, batch, stored)
    rows = []
    for grade in grades:
        is_counted = grade.place[::-1] in counted
        rows.append((grade, is_counted, reading.is_first(is_counted, grade.rating.assignment)))
    rows += [(grade, False, grade.place[::-1] in agreed) for grade in first]
    made: list[Row] = []
    for (rating, response, side, given), is_counted, is_first in sorted(rows, key=lambda row: row[0].place):
        in_pair = side != ALONE
        made.append(
            (
                texts[response].cells,
                reading.raters[rating.rater].cells,
                rating.round,
                *reading.questions[rating.question],
                rating.pair_key,
                side,
                (side == SECOND) == rating.is_swapped if in_pair else None,
                rating.is_of_both_orders,
                given,
                rating.is_unparseable,
                rating.comment,
                *reading.worked(rating.assignment, rating.seconds, rating.created_at),
                rating.is_check,
                is_counted,
                is_first,
                reading.is_own(rating.rater, *rating.models),
                rating.created_at,
            )
        )
    return by_column(made)


class Pair(NamedTuple):
    """`cells` are the pair's first columns, those of its two responses among them."""

    id: int
    prompt: int
    cells: tuple[str | bool, ...]


def pairs(reading: Reading, after: int, size: int) -> list[Pair]:
    """The next pairs in the order of their ids."""
    rows = ResponsePair.objects.filter(project=reading.project, id__gt=after).order_by("id")
    fields = [f"{side}__{name}" for side in (FIRST, SECOND) for name in RESPONSE_FIELDS]
    n = len(RESPONSE_FIELDS)
    made = []
    columns = ("id", "key", "variety__tag", *fields)
    for pk, key, variety, *sides, canary in rows.values_list(*columns, canary_of())[:size]:
        first, second = text_of(sides[:n]), text_of(sides[n:])
        (_key, _uuid, prompt, *_others) = first.cells
        of_sides = chain.from_iterable((*side.cells[:2], *side.cells[4 : -len(HELD_BACK)]) for side in (first, second))
        made.append(Pair(pk, first.prompt, (key, prompt, variety, *of_sides, *held_back_cells(canary))))
    return made


def pairs_of(project: Project) -> int:
    return project.pairs.count()


def preference_rows(reading: Reading, batch: Sequence[Pair]) -> Columns:
    by_id = {pair.id: pair for pair in batch}
    stored = [row for row in rows_of(Rating.objects.filter(**reading.within("pair", batch))) if row.pair in by_id]
    first = [row for row in first_ratings(reading, "pair", batch, stored, RatingRow) if row.pair in by_id]
    latest, agreed = latest_rounds(stored), latest_rounds(unamended(reading, stored) + first)
    by_pair: defaultdict[int, list[tuple[RatingRow, bool, bool]]] = defaultdict(list)
    for row in stored:
        is_counted = row.id in latest and reading.is_shown(row.rater, by_id[row.pair or 0].prompt, *row.models)
        by_pair[row.pair or 0].append((row, is_counted, reading.is_first(is_counted, row.assignment)))
    for row in first:
        by_pair[row.pair or 0].append((row, False, row.id in agreed))
    made: list[Row] = []
    for pair in batch:
        for row, is_counted, is_first in by_pair[pair.id]:
            made.append(
                (
                    pair.cells,
                    reading.raters[row.rater].cells,
                    row.round,
                    *reading.questions[row.question],
                    row.is_swapped,
                    row.is_of_both_orders,
                    row.first_grade,
                    row.second_grade,
                    row.stated,
                    preferred(row, reading.questions[row.question].is_nominal),
                    row.is_unparseable,
                    row.comment,
                    *reading.worked(row.assignment, row.seconds, row.created_at),
                    row.is_check,
                    is_counted,
                    is_first,
                    reading.is_own(row.rater, *row.models),
                    row.created_at,
                )
            )
    return by_column(made)


def preferred(row: RatingRow, is_nominal: bool) -> str:
    """What the two grades say; where there are none, or they have no order, what was stated."""
    if is_nominal or row.first_grade is None or row.second_grade is None:
        return row.stated
    if row.first_grade == row.second_grade:
        return "tie"
    return FIRST if row.first_grade > row.second_grade else SECOND


def number_of_ratings(project: Project) -> int:
    """A rating of a pair grades two responses."""
    graded = Rating.objects.filter(GRADED, question__project=project)
    first = [rating for rating in all_first_ratings(project) if rating.get("first") is not None]
    at_first = sum(2 if rating.get("second") is not None else 1 for rating in first)
    return graded.filter(pair=None).count() + 2 * graded.exclude(pair=None).count() + at_first


def number_of_preferences(project: Project) -> int:
    of_pairs = [rating for rating in all_first_ratings(project) if "second" in rating]
    return Rating.objects.filter(question__project=project, pair__isnull=False).count() + len(of_pairs)


ratings = Frame(
    "ratings",
    _("Every grade of a response on a question: a pair that was graded is two rows."),
    RATINGS,
    rating_rows,
    number_of_ratings,
)
preferences = Frame(
    "preferences",
    _("Every answer about two responses side by side, with the order in which they were shown."),
    PREFERENCES,
    preference_rows,
    number_of_preferences,
    pairs,
    pairs_of,
    {0: len(PAIR), 1: len(RATER)},
)
