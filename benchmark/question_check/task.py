"""The task type "question check": a native speaker answers a question, then says whether it is fit for the set."""

import copy
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy

from benchmark.editing import problems_of_wording, texts_of
from benchmark.models import Decision, Question, QuestionCheck, QuestionRevision, QuestionSet
from benchmark.question_check import checking
from benchmark.question_check.planning import KIND, question_of, round_of, to_check
from benchmark.question_check.revealing import is_gone, own_answer
from benchmark.question_check.screen import screen
from benchmark.wording import FIELDS
from projects.anchors import in_both_views
from projects.models import Prompt, Rater
from projects.prepared import Given
from projects.problems import Invalid
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


class QuestionCheckTaskType(TaskType):
    kind = KIND
    name = gettext_lazy("Checking questions")
    template = "benchmark/question_check/check.html"
    acts = ScreenActs.of(
        "question_check",
        fits=("Y", "Question and reference fit each other"),
        does_not_fit=("N", "They do not fit each other"),
    )
    acts = acts.needing("123", "Keep, repair or drop the question").needing("45678", "Name the fault")

    def prompts(self, stage: Stage) -> QuerySet[Prompt]:
        return to_check(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """None whose question was worded otherwise, dropped or frozen meanwhile."""
        asked = Question.objects.filter(prompt=OuterRef("prompt"), question_set__frozen_at=None)
        return items.filter(Exists(asked))

    def empty_draft(self, assignment: Assignment) -> dict:
        return checking.blank()

    def screen(self, assignment: Assignment, body: dict) -> dict:
        check = QuestionCheck.objects.filter(assignment=assignment).select_related("question__prompt__variety").first()
        return screen(assignment, body, check.question if check else question_of(assignment), check)

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        """None of one that was worded otherwise meanwhile: that is told as such."""
        question = question_of(assignment)
        if question is None:
            return []
        texts, options = texts_of(question), question.options
        listed = "".join(f"{option['label']}.{option['text']}" for option in options)
        return [in_both_views(texts["instruction"]) + in_both_views(texts["input"]) + listed]

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return checking.read_draft(body)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        """Complete, and where it repairs, worded so that the question's rules can score it."""
        draft, question = checking.read_draft(body), question_of(assignment)
        if question is None:
            raise Invalid(is_gone())
        checked = texts_of(question)
        answer = checking.check_complete(draft, checked, own_answer(assignment))
        if answer["decision"] == Decision.REPAIR:
            worded = copy.copy(question)
            after = {part: answer[part] or checked[part] for part in FIELDS}
            for part, field in FIELDS.items():
                setattr(worded, field, after[part])
            if problems := problems_of_wording(worded, checked, after):
                raise Invalid(problems)
        return answer

    def store(self, assignment: Assignment, answer: dict) -> None:
        question = question_of(assignment)
        if question is None:
            raise Invalid(is_gone())
        # Nobody drops it between here and the end of the transaction.
        QuestionSet.objects.select_for_update(no_key=True).get(pk=question.question_set_id)
        QuestionCheck.objects.create(
            question=question,
            rater=assignment.rater,
            assignment=assignment,
            round=round_of(assignment.stage),
            answer=answer["answer"],
            is_aligned=answer["is_aligned"],
            decision=answer["decision"],
            fault=answer["fault"],
            repaired_instruction=answer["instruction"],
            repaired_input=answer["input"],
            repaired_reference=answer["reference"],
            note=answer["note"].strip(),
            checked=texts_of(question),
        )

    def stored(self, assignment: Assignment) -> dict:
        check = QuestionCheck.objects.filter(assignment=assignment).first()
        if check is None:
            return checking.blank()
        wording = {part: getattr(check, f"repaired_{part}") or check.checked[part] for part in FIELDS}
        return {
            **checking.blank(),
            **(wording if check.decision == Decision.REPAIR else {}),
            **{field: getattr(check, field) for field in ("answer", "decision", "fault", "is_aligned", "note")},
        }

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        QuestionCheck.objects.filter(assignment=assignment).delete()
        return body

    def may_amend(self, assignment: Assignment) -> bool:
        """Until the lead has decided about the question, or the set is frozen."""
        check = QuestionCheck.objects.filter(assignment=assignment).select_related("question__question_set").first()
        if check is None or check.question.question_set.is_frozen:
            return False
        decided = QuestionRevision.objects.filter(
            question_set=check.question.question_set_id, key=check.question.key, round__gte=check.round
        )
        return not decided.exists()
