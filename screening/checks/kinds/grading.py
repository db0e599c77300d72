"""Checks of grading by a rubric: against the verdicts of its author or of an expert, criterion by criterion."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from projects.models import Response
from rubrics.models import CheckGrading, Criterion, VerdictValue
from screening.checks.kinds import CheckKind, Compared
from screening.expert_gold import expert_grades, gold_verdicts
from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import Score, score_verdicts
from workflow.models import Assignment, Stage, WorkItem


class GradingChecks(CheckKind):
    """Errors that a person names on their own are not compared: they are theirs to find, and to word."""

    subject = "response"

    def candidates(self, stage: Stage) -> QuerySet[Response]:
        taken = WorkItem.objects.filter(stage=stage, is_check=True, response=OuterRef("pk"))
        known = expert_grades().filter(response=OuterRef("pk"))
        graded = Response.objects.filter(Exists(known), ~Exists(taken), project=stage.project_id)
        return graded.order_by("variety", "key")

    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        return {response: {"verdicts": verdicts} for response, verdicts in gold_verdicts(subjects).items() if verdicts}

    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        given = CheckGrading.objects.get(assignment=assignment).body["verdicts"]
        return score_verdicts(gold["verdicts"], given, scoring.verdict_share / 100)

    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        answers = CheckGrading.objects.in_bulk([result.assignment_id for result in results])
        prompts = {result.assignment.response.prompt_id for result in results}
        criteria = Criterion.objects.filter(rubric__prompt__in=prompts, grade=None).order_by("rubric__version")
        texts = {(row[0], row[1]): row[2] for row in criteria.values_list("rubric__prompt_id", "key", "text")}
        made = {}
        for result in results:
            answer = answers.get(result.assignment_id)
            given = answer.body["verdicts"] if answer is not None else {}
            made[result.pk] = [
                Compared(
                    texts.get((result.assignment.response.prompt_id, key), key),
                    [in_words(given[key])] if key in given else [],
                    [in_words(verdict)],
                )
                for key, verdict in result.check_item.gold["verdicts"].items()
            ]
        return made


def in_words(verdict: str) -> str:
    return str(VerdictValue(verdict).label)


class ScoringChecks(GradingChecks):
    kind = "scoring"


class RegradingChecks(GradingChecks):
    kind = "regrading"
