"""Checks of marked errors: against the settled errors of the response, by the F1 of the words; and where the stage asks
parts beside its marks, each of these against what experts answered there. Right is an answer that is right in all."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import AnchorKind, CheckMarking, GoldError
from formats.layout import Subject
from projects.models import Response
from screening.checks.kinds import CheckKind, Compared
from screening.checks.kinds.questionnaires import compared_parts, gold_of_parts, scores_of_parts
from screening.expert_gold import gold_places
from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import Place, Score, in_words, score_places
from workflow.layouts import parts_of
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
        beside = gold_of_parts(stage, Subject.RESPONSE, subjects) if parts_of(stage) else {}
        return {
            response: {"places": places} | ({"answers": beside[response]} if response in beside else {})
            for response, places in gold_places(subjects).items()
        }

    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        body = CheckMarking.objects.get(assignment=assignment).body
        marks = self.score_marks(gold, body, assignment.response, scoring)
        parts = parts_of(assignment.stage) if "answers" in gold else []
        beside = scores_of_parts(parts, gold.get("answers", {}), body.get("answers") or {}, scoring.tolerance)
        return with_parts(marks, beside)

    def score_marks(
        self, gold: dict[str, Any], body: dict[str, Any], response: Response, scoring: ScoringRules
    ) -> Score:
        given = [place_of(span) for span in body["spans"] if span["anchor"] == AnchorKind.WORDS]
        places = gold["places"]
        if body["spans"] and not given and not places:
            return Score(False, 0.0, {"gold": 0, "marked": len(body["spans"]), "matched": 0})
        return score_places(response.text, response.variety.segmentation, places, given, scoring.span_f1 / 100)

    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        answers = CheckMarking.objects.in_bulk([result.assignment_id for result in results])
        parts = {result.stage_id: parts_of(result.stage) for result in results}
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
            beside = answer.body.get("answers") if answer is not None else None
            known = result.check_item.gold.get("answers", {})
            of_parts = compared_parts(parts[result.stage_id], known, beside or {})
            made[result.pk] = [Compared(_("Errors"), own, gold), *of_parts]
        return made


def with_parts(marks: Score, beside: Mapping[str, Score]) -> Score:
    """One verdict on marks and what was answered beside them; `value` is the mean of all."""
    if not beside:
        return marks
    scores = [marks, *beside.values()]
    answers = {key: {"right": score.is_right, **score.parts} for key, score in beside.items()}
    parts = {**marks.parts, "marks_right": marks.is_right, "answers": answers}
    return Score(all(each.is_right for each in scores), sum(each.value for each in scores) / len(scores), parts)


def place_of(span: dict[str, Any]) -> Place:
    """Of a mark on words as a draft holds it."""
    return [offset for part in (span, *span.get("more", ())) for offset in (part["start"], part["end"])]
