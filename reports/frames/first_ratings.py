"""Ratings as first handed in, of turns whose answer was amended or sent back: rows beside those that stand."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from annotation.pairs.order import SWAPPED
from projects.models import Project
from reports.frames.reading import Reading
from reports.ratings.at_first import SUBJECTS, ratings_in
from workflow.models import FirstAnswer, Status

R = TypeVar("R", bound=Any)
KEPT = (
    *("assignment_id", "assignment__rater_id", "assignment__round", "body", "submitted_at"),
    *("assignment__item__response_id", "assignment__item__pair_id", "assignment__item__pair__key"),
    *("assignment__item__pair__first_id", "assignment__item__pair__second_id"),
    *("assignment__item__response__target_model__name", "assignment__item__pair__first__target_model__name"),
    *("assignment__item__pair__second__target_model__name", "assignment__stage__scored_on__slug"),
)


def first_ratings(reading: Reading, path: str, batch: Sequence[Any], standing: Sequence[R], make: type[R]) -> list[R]:
    """Rows (`rating.RatingRow`, which is `make`) of what was first handed in about these; `path` leads to them from a
    rating, and `standing` are the rows there. A row has the id of the rating that it stands for, by which the latest of
    several is told. No statement where none was amended; the time worked is of the whole turn and stands with the later
    answer."""
    ids = {(row.assignment, row.question): row.id for row in standing if row.assignment in reading.amended}
    if not ids:
        return []
    of_turn = {turn: pk for (turn, _question), pk in sorted(ids.items(), key=lambda one: one[1])}
    questions = {question.slug: pk for pk, question in reading.questions.items()}
    rows = FirstAnswer.objects.filter(
        assignment__stage__kind__in=SUBJECTS, **reading.within(f"assignment__item__{path}", batch)
    )
    made = []
    for turn, rater, round, body, at, response, pair, *others in rows.order_by("id").values_list(*KEPT):
        key, first, second, *models, scored_on = others
        swapped = body.get(SWAPPED, False)
        for rating in ratings_in(body, scored_on) if turn in of_turn else ():
            if (question := questions.get(rating["question"])) is not None:
                of_rater = (ids.get((turn, question), of_turn[turn]), question, rater, round, swapped, False)
                grades = (rating.get("first"), rating.get("second"), rating.get("preference", ""), False)
                about = (response, pair, key, first, second, turn, None, *models)
                made.append(make._make((*of_rater, *grades, rating.get("comment", ""), False, at, *about)))
    return made


def unamended(reading: Reading, rows: Sequence[R]) -> list[R]:
    return [row for row in rows if row.assignment not in reading.amended]


def all_first_ratings(project: Project) -> list[Mapping[str, Any]]:
    """Of all that were amended, in the shape of a body, for counting rows."""
    rows = FirstAnswer.objects.filter(
        assignment__stage__project=project,
        assignment__stage__kind__in=SUBJECTS,
        assignment__item__is_check=False,
        assignment__status=Status.SUBMITTED,
    )
    found = rows.values_list("body", "assignment__stage__scored_on__slug")
    return [rating for body, scored_on in found.iterator() for rating in ratings_in(body, scored_on)]
