"""The task type "questionnaire": what its stage shows and asks, part by part."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy

from annotation.models import QuestionnaireAnswer
from annotation.pairs.task import RatingSkipReason
from annotation.questionnaires.checking import check_complete, read_draft
from annotation.questionnaires.rules import RULE_WORDS, broken, rules_of_parts, words_of
from annotation.questionnaires.screen import screen
from annotation.questionnaires.shown import item_of, ready_pairs, ready_prompts, ready_responses
from annotation.questionnaires.storing import by_key, has_come_in, store_answers, stored_answers, take_answers_back
from formats.layout import Subject
from projects.anchors import in_both_views
from projects.models import Project, Prompt, Rater, Response, ResponsePair
from projects.prepared import Given
from projects.problems import Problem
from workflow.answer_rules import rules_of
from workflow.layouts import parts_of
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


class QuestionnaireTaskType(TaskType):
    kind = "questionnaire"
    name = gettext_lazy("Questionnaire of your own parts")
    template = "annotation/questionnaires/answer.html"
    acts = ScreenActs.of("questionnaires", next=("N", "Next answer that is missing")).needing(
        "0123456789", "Choose what stands beside the digit, and go on"
    )
    skip_reasons = RatingSkipReason
    default_rules = ()
    rule_words = RULE_WORDS
    takes_layout = True
    has_layout = True

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return ready_responses(stage)

    def pairs(self, stage: Stage) -> QuerySet[ResponsePair]:
        return ready_pairs(stage)

    def prompts(self, stage: Stage) -> QuerySet[Prompt]:
        return ready_prompts(stage)

    def is_answered(self, stage: Stage) -> bool:
        return super().is_answered(stage) or has_come_in(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody answers the same twice, though the answer came by import."""
        of_rater = QuestionnaireAnswer.objects.filter(rater=rater, stage=OuterRef("stage"))
        for subject in Subject.values:
            items = items.filter(~Exists(of_rater.filter(**{subject: OuterRef(subject)})))
        return items

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        return self.eligible(WorkItem.objects.filter(pk=item.pk), rater).exists()

    def title(self, item: WorkItem) -> str:
        return self.titles([item])[item.pk]

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The prompt's key, and four signs that tell its responses and pairs apart: their own key may name a model."""
        chosen = WorkItem.objects.filter(pk__in=[item.pk for item in items])
        rows = chosen.values_list(
            *("pk", "prompt__key", "response__prompt__key", "response__uuid", "pair__prompt__key"),
            *("pair__first__uuid", "pair__second__uuid"),
        )
        return {
            pk: prompt
            or (
                f"{of_response} · {response.hex[:4]}"
                if response
                else f"{of_pair} · {first.hex[:2]}{second.hex[:2]}"
                if first
                else ""
            )
            for pk, prompt, of_response, response, of_pair, first, second in rows
        }

    def empty_draft(self, assignment: Assignment) -> dict:
        return {"answers": {}}

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(assignment, body, item_of(assignment))

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        item = item_of(assignment)
        return [in_both_views(text.text) for text in item.responses or (item.prompt,)]

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return read_draft(body, parts_of(assignment.stage), item_of(assignment).names)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        parts, names = parts_of(assignment.stage), item_of(assignment).names
        return check_complete(read_draft(body, parts, names), parts, names, rules_of(assignment.stage))

    def words_of_rules(self, project: Project) -> Mapping[str, Collection[str]]:
        return words_of(part for stage in project.stages.filter(kind=self.kind) for part in parts_of(stage))

    def words_in_stage(self, project: Project, stage: str) -> Mapping[str, Collection[str]]:
        """Each questionnaire has parts of its own."""
        return words_of(part for one in project.stages.filter(name=stage) for part in parts_of(one))

    def rules_now(self, stage: Stage, rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Without those that rest on a part or an answer that is not there any more: nobody could keep them."""
        return rules_of_parts(rules, parts_of(stage))

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        return [each.problem for each in broken(rules_of(assignment.stage), answer["answers"]) if each.warns]

    def store(self, assignment: Assignment, answer: dict) -> None:
        store_answers(assignment, answer["answers"])

    def stored(self, assignment: Assignment) -> dict:
        answers = stored_answers(assignment)
        return self.empty_draft(assignment) if answers is None else {"answers": answers}

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        take_answers_back(assignment)
        return body

    def outlasting(self, assignment: Assignment, body: dict) -> dict:
        """Rankings by keys of responses: an archive that is taken in beside its project gives them other UUIDs."""
        return {**body, "answers": by_key(assignment, body["answers"])}
