"""Checks of grades and preferences: against the experts', within the stage's tolerance."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.fitted_rules import unweighed_rule
from annotation.models import Rating
from annotation.pairs.screen import LETTERS
from projects.models import QuestionType, Response, ResponsePair
from screening.checks.kinds import CheckKind, Compared
from screening.expert_gold import expert_ratings, gold_grades
from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import FIRST, SECOND, Grades, Score, average, score_grades
from workflow.models import Assignment, Stage, WorkItem


class RatingChecks(CheckKind):
    """Of stages that rate pairs, or single responses."""

    model: type[ResponsePair] | type[Response]

    def candidates(self, stage: Stage) -> QuerySet[Any]:
        taken = WorkItem.objects.filter(stage=stage, is_check=True, **{self.subject: OuterRef("pk")})
        rated = expert_ratings(stage.project).filter(**{self.subject: OuterRef("pk")})
        unchecked = self.model.objects.filter(Exists(rated), ~Exists(taken), project=stage.project_id)
        return unchecked.order_by("variety", "key")

    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        rows = expert_ratings(stage.project).filter(**{f"{self.subject}__in": subjects}).select_related("question")
        by_subject: dict[int, dict[QuestionType, list[Rating]]] = defaultdict(lambda: defaultdict(list))
        for row in rows.order_by("question__position", "pk"):
            by_subject[getattr(row, f"{self.subject}_id")][row.question].append(row)
        rule = unweighed_rule(stage.project)
        made: dict[int, dict[str, Any]] = {}
        for subject, by_question in by_subject.items():
            golds = {question.slug: gold_grades(question, ratings, rule) for question, ratings in by_question.items()}
            # Experts who differ on a question without an order have no answer that others could be held to.
            known = [as_json(slug, gold) for slug, gold in golds.items() if gold != Grades()]
            if known:
                made[subject] = {"ratings": known}
        return made

    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        rows = Rating.objects.filter(assignment=assignment).select_related("question")
        given = {row.question.slug: Grades(row.first_grade, row.second_grade, row.preference) for row in rows}
        names = [entry["question"] for entry in gold["ratings"]]
        project = assignment.item.stage.project_id
        nominal = set(QuestionType.objects.filter(project=project, is_nominal=True).values_list("slug", flat=True))
        compared = [
            score_grades(
                from_json(entry),
                given.get(entry["question"], Grades()),
                scoring.tolerance,
                has_order=entry["question"] not in nominal,
            )
            for entry in gold["ratings"]
        ]
        return average(compared, names)

    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        rows: dict[int, dict[str, Rating]] = defaultdict(dict)
        answers = Rating.objects.filter(assignment__in=[result.assignment_id for result in results])
        for row in answers.select_related("question"):
            assert row.assignment_id is not None
            rows[row.assignment_id][row.question.slug] = row
        projects = {result.stage.project_id for result in results}
        names = {each.slug: each.label for each in QuestionType.objects.filter(project__in=projects)}
        made = {}
        for result in results:
            given = rows[result.assignment_id]
            is_swapped = any(row.is_swapped for row in given.values())
            made[result.pk] = [
                Compared(
                    str(names.get(entry["question"], entry["question"])),
                    in_words(grades_of(given.get(entry["question"])), is_swapped),
                    in_words(from_json(entry), is_swapped),
                )
                for entry in result.check_item.gold["ratings"]
            ]
        return made


def grades_of(row: Rating | None) -> Grades:
    return Grades() if row is None else Grades(row.first_grade, row.second_grade, row.preference)


def in_words(grades: Grades, is_swapped: bool) -> list[str]:
    """Each grade and the preference, a line each; sides are called as on the person's screen."""
    first, second = reversed(LETTERS) if is_swapped else LETTERS
    if grades.first is not None and grades.second is None:
        return [f"{grades.first:g}"]
    lines = [
        f"{letter}: {grade:g}"
        for letter, grade in sorted(((first, grades.first), (second, grades.second)))
        if grade is not None
    ]
    if grades.preferred in (FIRST, SECOND):
        lines.append(_("better: %(side)s") % {"side": first if grades.preferred == FIRST else second})
    elif grades.preferred:
        lines.append(_("no difference"))
    return lines


class PairChecks(RatingChecks):
    kind = "pairs"
    subject = "pair"
    model = ResponsePair


class ResponseChecks(RatingChecks):
    kind = "ratings"
    subject = "response"
    model = Response


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
