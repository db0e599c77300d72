"""Checks of marked errors: against the settled errors of the response, by the F1 of the words."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import AnchorKind, CheckMarking, GoldError
from projects.models import Response
from screening.checks.kinds import CheckKind, Compared
from screening.expert_gold import gold_places
from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import Place, Score, in_words, score_places
from workflow.models import Assignment, Stage, WorkItem


class SpanChecks(CheckKind):
    kind = "spans"
    subject = "response"

    def candidates(self, stage: Stage) -> QuerySet[Response]:
        taken = WorkItem.objects.filter(stage=stage, is_check=True, response=OuterRef("pk"))
        marked_by_experts = GoldError.objects.filter(response=OuterRef("pk"), anchor=AnchorKind.WORDS)
        settled = Response.objects.filter(
            Q(gold_answer__kept=0) | Exists(marked_by_experts),
            project=stage.project_id,
            gold_answer__open=0,
            gold_answer__pending=0,
        )
        return settled.filter(~Exists(taken)).order_by("variety", "key")

    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        return {response: {"places": places} for response, places in gold_places(subjects).items()}

    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        response = assignment.response
        body = CheckMarking.objects.get(assignment=assignment).body
        given = [place_of(span) for span in body["spans"] if span["anchor"] == AnchorKind.WORDS]
        places = gold["places"]
        if body["spans"] and not given and not places:
            return Score(False, 0.0, {"gold": 0, "marked": len(body["spans"]), "matched": 0})
        return score_places(response.text, response.variety.segmentation, places, given, scoring.span_f1 / 100)

    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        answers = CheckMarking.objects.in_bulk([result.assignment_id for result in results])
        made = {}
        for result in results:
            text = result.assignment.response.text
            answer = answers.get(result.assignment_id)
            spans = answer.body["spans"] if answer is not None else []
            own = [
                in_words(text, place_of(span)) if span["quote"] else str(AnchorKind(span["anchor"]).label)
                for span in spans
            ]
            gold = [in_words(text, place) for place in result.check_item.gold["places"]]
            made[result.pk] = [Compared(_("Errors"), own, gold)]
        return made


def place_of(span: dict[str, Any]) -> Place:
    """Of a mark on words as a draft holds it."""
    return [offset for part in (span, *span.get("more", ())) for offset in (part["start"], part["end"])]
