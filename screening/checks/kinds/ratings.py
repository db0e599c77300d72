"""Checks of grades and preferences: against the experts', within the stage's tolerance."""

from collections import defaultdict
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Rating
from projects.models import ResponsePair
from screening.checks.kinds import CheckKind
from screening.expert_gold import expert_ratings, gold_grades, gold_rule
from screening.marking import Grades, Mark, average, mark_grades
from screening.models.quizzes import Marked
from workflow.models import Assignment, Stage, WorkItem


class RatingChecks(CheckKind):
    kind = "pairs"
    subject = "pair"

    def candidates(self, stage: Stage) -> QuerySet[ResponsePair]:
        taken = WorkItem.objects.filter(stage=stage, is_check=True, pair=OuterRef("pk"))
        rated = expert_ratings(stage.project).filter(pair=OuterRef("pk"))
        pairs = ResponsePair.objects.filter(Exists(rated), ~Exists(taken), project=stage.project_id)
        return pairs.order_by("variety", "key")

    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        rows = expert_ratings(stage.project).filter(pair__in=subjects).select_related("question")
        by_pair: dict[int, dict[str, list[Rating]]] = defaultdict(lambda: defaultdict(list))
        for row in rows.order_by("question__position", "pk"):
            assert row.pair_id is not None
            by_pair[row.pair_id][row.question.slug].append(row)
        rule = gold_rule(stage.project)
        return {
            pair: {"ratings": [as_json(slug, gold_grades(ratings, rule)) for slug, ratings in questions.items()]}
            for pair, questions in by_pair.items()
        }

    def mark(self, gold: dict[str, Any], assignment: Assignment, marks: Marked) -> Mark:
        rows = Rating.objects.filter(assignment=assignment).select_related("question")
        given = {row.question.slug: Grades(row.first_grade, row.second_grade, row.preference) for row in rows}
        names = [entry["question"] for entry in gold["ratings"]]
        compared = [
            mark_grades(from_json(entry), given.get(entry["question"], Grades()), marks.tolerance)
            for entry in gold["ratings"]
        ]
        return average(compared, names)


def as_json(question: str, grades: Grades) -> dict[str, Any]:
    """One entry of a draft's "ratings" (docs/ratings.md)."""
    return {
        "question": question,
        "first": grades.first,
        "second": grades.second,
        "preference": grades.preference,
    }


def from_json(entry: dict[str, Any]) -> Grades:
    return Grades(entry["first"], entry["second"], entry["preference"])
