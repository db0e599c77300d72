"""Ratings as people first handed them in, as rows of the table that ratings are read from."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.pairs.order import is_swapped
from projects.models import Project, QuestionType
from reports.dashboard.columns import Integers
from reports.dashboard.first_answers import first_answers
from workflow.models import Assignment

#: The kinds of stages whose answers are ratings, and what an item of theirs is about.
SUBJECTS = {"pairs": "pair", "ratings": "response"}
#: As `reader._Reading.rows` reads a rating: the types of id, question, subject, rater, round, first and second grade,
#: preference, whether it was swapped, assignment.
TYPES = (*(np.int64,) * 5, np.float64, np.float64, object, np.bool_, np.int64)
PK, QUESTION, TURN = 0, 1, 9


class AtFirst:
    """First answers of a project that were amended or sent back since; one statement where there are none."""

    def __init__(self, project: Project):
        self.bodies = first_answers(project, list(SUBJECTS))
        self.turns = np.array(sorted(self.bodies), dtype=np.int64)
        self.rows: list[tuple[str, tuple]] = list(_rows(project, self.bodies)) if self.bodies else []

    def in_place(self, subject: str, values: Sequence[NDArray], questions: Integers) -> list[NDArray]:
        """Ratings of pairs or of responses as stored, columns of TYPES, with first answers in place of later ones.

        A first answer takes the id of the rating that it stands for, which says when one came among others: of who met
        a response in several pairs the same one counts.
        """
        amended = np.isin(values[TURN], self.turns)
        of_turn: dict[int, int] = {}
        of_question: dict[tuple[int, int], int] = {}
        for pk, question, turn in zip(*(values[at][amended].tolist() for at in (PK, QUESTION, TURN)), strict=True):
            of_turn[turn] = max(pk, of_turn.get(turn, 0))
            of_question[turn, question] = pk
        wanted = set(questions.tolist())
        given = [
            (of_question.get((row[TURN], row[QUESTION]), of_turn.get(row[TURN], 0)), *row[1:])
            for about, row in self.rows
            if about == subject and row[QUESTION] in wanted
        ]
        columns = list(zip(*given, strict=True)) if given else [()] * len(TYPES)
        return [
            np.concatenate((column[~amended], np.array(of_first, dtype=kind)))
            for column, of_first, kind in zip(values, columns, TYPES, strict=True)
        ]


def _rows(project: Project, bodies: Mapping[int, Mapping[str, Any]]) -> Any:
    """What each is about, "pair" or "response", and its columns in the order of TYPES, without an id. Of questions that
    are there no more nothing is left."""
    questions = dict(QuestionType.objects.filter(project=project).values_list("slug", "id"))
    turns = Assignment.objects.filter(first_answer__isnull=False, stage__project=project, stage__kind__in=SUBJECTS)
    names = ("id", "rater_id", "round", "stage__kind", "stage__seed", "item__pair_id", "item__response_id")
    for turn, rater, round, kind, seed, pair, response in turns.order_by("id").values_list(*names):
        subject = SUBJECTS[kind]
        about, swapped = (pair, is_swapped(seed, rater, pair)) if subject == "pair" else (response, False)
        for rating in bodies.get(turn, {}).get("ratings", ()):
            if rating["question"] in questions:
                first, second = (_grade(rating.get(side)) for side in ("first", "second"))
                of_rater = (0, questions[rating["question"]], about, rater, round)
                yield subject, (*of_rater, first, second, rating.get("preference", ""), swapped, turn)


def _grade(value: float | None) -> float:
    return np.nan if value is None else float(value)
