"""The task type of manual scoring: an answer gets 0 to 10 points by its reference, blind, and by as many people as the
stage asks for. The points stand in the table that rules and judges write to."""

from collections.abc import Collection, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.judged import newest_frozen
from benchmark.models import Answer, Question, RuleScore
from benchmark.scoring_task import checking
from benchmark.scoring_task.sampling import plan_sample
from benchmark.scoring_task.screen import screen, words_of
from projects.among import Among
from projects.anchors import in_both_views
from projects.models import Rater, Response
from projects.prepared import Given
from projects.problems import Invalid, Problem
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


class AnswerScoring(TaskType):
    kind = "answer_scoring"
    name = gettext_lazy("Scoring answers")
    template = "benchmark/scoring/score.html"
    acts = ScreenActs.of("answer_scoring", ten=("X", "Give ten points")).needing("0123456789", "Give so many points")
    nothing_to_add = gettext_lazy(
        "There was nothing new to add. People score answers to frozen questions, but for those that a fixed rule"
        " scores: empty, cut off, refused or in another language."
    )

    def plan(self, stage: Stage) -> int:
        return plan_sample(stage)

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The question's key and four signs that tell its answers apart: a response's own key names its model."""
        rows = Response.objects.filter(work_items__in=Among(item.pk for item in items))
        places = rows.values_list("work_items", "prompt__key", "uuid")
        return {item: f"{key} · {response.hex[:4]}" for item, key, response in places}

    def title(self, item: WorkItem) -> str:
        return self.titles([item]).get(item.pk, "")

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody scores an answer twice, though they did it in another stage."""
        return items.filter(~Exists(RuleScore.objects.filter(rater=rater, answer__response=OuterRef("response"))))

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        return not RuleScore.objects.filter(rater=rater, answer__response=item.response_id).exists()

    def empty_draft(self, assignment: Assignment) -> dict:
        return checking.blank()

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(scored_answer(assignment), question_of(assignment), body)

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        return [in_both_views(words_of(scored_answer(assignment)))]

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return checking.check_draft(body)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        answer = checking.check_draft(body)
        checking.check_complete(answer)
        return answer

    def store(self, assignment: Assignment, answer: dict) -> None:
        scored = Answer.objects.select_for_update(of=("self",)).get(response=assignment.response)
        target = question_of(assignment).target_sha256
        have = RuleScore.objects.filter(answer=scored, target_sha256=target, rater=assignment.rater_id)
        if have.filter(round=assignment.round).exists():
            message = _("You have scored this before, elsewhere. Skip this item; what you wrote here is kept.")
            raise Invalid(Problem("scored_before", message))
        RuleScore.objects.create(
            answer=scored,
            target_sha256=target,
            rater=assignment.rater,
            round=assignment.round,
            value=float(answer["score"]),
            detail={"note": answer["note"].strip()},
            metadata={"assignment": str(assignment.uuid)},
        )

    def given(self, assignment: Assignment) -> QuerySet[RuleScore]:
        return RuleScore.objects.filter(
            answer__response=assignment.response,
            rater=assignment.rater_id,
            round=assignment.round,
            metadata__assignment=str(assignment.uuid),
        )

    def stored(self, assignment: Assignment) -> dict:
        score = self.given(assignment).first()
        if score is None or score.value is None:
            return checking.blank()
        return {"score": int(score.value), "note": score.detail.get("note", "")}

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        self.given(assignment).delete()
        return body


def scored_answer(assignment: Assignment) -> Answer:
    return Answer.objects.select_related("configuration__card", "response").get(response=assignment.response)


def question_of(assignment: Assignment) -> Question:
    """The question as the newest frozen version had it when the turn began, so that one frozen meanwhile changes
    nothing under anybody's hands."""
    questions = Question.objects.filter(prompt=assignment.response.prompt_id, question_set__frozen_at__isnull=False)
    questions = questions.select_related("prompt__variety", "question_set").order_by("-question_set__frozen_at", "-pk")
    begun = assignment.claimed_at
    before = questions.filter(question_set__frozen_at__lte=begun).first() if begun else None
    found = before or questions.filter(question_set__in=newest_frozen()).first() or questions.first()
    if found is None:
        raise Question.DoesNotExist("only answers to frozen questions are handed out")
    return found
