"""Ratings as people first handed them in, as rows of the table that ratings are read from."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.pairs.order import SWAPPED
from annotation.spans.scoring import FIELD as SCORE
from projects.models import Project, QuestionType
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.first_answers import kept_first
from workflow.models import Assignment

#: The kinds of stages whose answers are ratings or hold one, and what an item of theirs is about.
SUBJECTS = {"pairs": "pair", "ratings": "response", "spans": "response"}
#: As `reader._Reading.rows` reads a rating: the types of id, question, subject, rater, round, first and second grade,
#: preference, whether it was swapped, assignment.
TYPES = (*(np.int64,) * 5, np.float64, np.float64, object, np.bool_, np.int64)
PK, QUESTION, TURN = 0, 1, 9


class AtFirst:
    """First answers of a project that were amended or sent back since; one statement where there are none. `narrowed`
    by conditions on the assignment."""

    def __init__(self, project: Project, **narrowed: Any):
        self.kept = kept_first(project, list(SUBJECTS), **narrowed)
        self.bodies = dict(self.kept.values_list("assignment_id", "body"))
        self.turns = np.array(sorted(self.bodies), dtype=np.int64)
        self.rows: list[tuple[str, tuple]] = list(self._rows(project)) if self.bodies else []

    def grade(self, turn: int | None, question: int, side: str, grade: float | None) -> float:
        """The grade at first on a side ("first" or "second") of what a rating of that turn gave; NaN for none."""
        if turn not in self.bodies:
            return _grade(grade)
        return self._grades.get((turn, question, side), np.nan)

    @cached_property
    def _grades(self) -> dict[tuple[int, int, str], float]:
        at = {"first": 5, "second": 6}
        return {(row[TURN], row[QUESTION], side): row[at[side]] for _about, row in self.rows for side in at}

    def grades(self, turn: Integers, question: Integers, side: str, grade: Floats) -> Floats:
        """The same of many; shape (N,) each."""
        made = grade.copy()
        for at in np.flatnonzero(np.isin(turn, self.turns)).tolist():
            made[at] = self.grade(int(turn[at]), int(question[at]), side, None)
        return made

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

    def _rows(self, project: Project) -> Iterator[tuple[str, tuple]]:
        """What each is about, "pair" or "response", and its columns in the order of TYPES, without an id. Of questions
        that are there no more nothing is left."""
        questions = dict(QuestionType.objects.filter(project=project).values_list("slug", "id"))
        turns = Assignment.objects.filter(first_answer__in=self.kept)
        names = ("id", "rater_id", "round", "stage__kind", "item__pair_id", "item__response_id")
        found = turns.order_by("id").values_list(*names, "stage__scored_on__slug")
        for turn, rater, round, kind, pair, response, scored_on in found:
            subject, body = SUBJECTS[kind], self.bodies.get(turn, {})
            about, swapped = pair if subject == "pair" else response, body.get(SWAPPED, False)
            for rating in ratings_in(body, scored_on):
                if rating["question"] in questions:
                    first, second = (_grade(rating.get(side)) for side in ("first", "second"))
                    of_rater = (0, questions[rating["question"]], about, rater, round)
                    yield subject, (*of_rater, first, second, rating.get("preference", ""), swapped, turn)


def ratings_in(body: Mapping[str, Any], scored_on: str | None) -> Sequence[Mapping[str, Any]]:
    """Those that a body has; beside marks the one of the whole response, on this question."""
    score = body.get(SCORE)
    if scored_on is not None and score is not None:
        return [{"question": scored_on, "first": score}]
    return body.get("ratings", ())


def _grade(value: float | None) -> float:
    return np.nan if value is None else float(value)
