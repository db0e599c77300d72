"""The task type "questionnaire": what its stage shows and asks, part by part."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import QuestionnaireAnswer
from annotation.pairs.task import RatingSkipReason
from annotation.questionnaires.checking import check_complete, read_draft
from annotation.questionnaires.rules import RULE_WORDS, broken, rules_of_parts
from annotation.questionnaires.screen import screen
from annotation.questionnaires.shown import Item, item_of, ready_pairs, ready_prompts, ready_responses
from formats.layout import Asked, Subject, Type, subject_of
from projects.anchors import in_both_views
from projects.models import Project, Prompt, Rater, Response, ResponsePair
from projects.prepared import Given
from projects.problems import Invalid, Problem
from workflow.answer_rules import rules_of
from workflow.layouts import parts_of
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


class QuestionnaireTaskType(TaskType):
    kind = "questionnaire"
    name = gettext_lazy("Questionnaire of your own parts")
    template = "annotation/questionnaires/answer.html"
    acts = ScreenActs.of("questionnaires", next=("N", "Next answer that is missing"))
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
        return words_of(part for stage in project.stages.exclude(ask=[]) for part in parts_of(stage))

    def words_in_stage(self, project: Project, stage: str) -> Mapping[str, Collection[str]]:
        """Each questionnaire has parts of its own."""
        return words_of(part for one in project.stages.filter(name=stage) for part in parts_of(one))

    def rules_now(self, stage: Stage, rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Without those that rest on a part or an answer that is not there any more: nobody could keep them."""
        return rules_of_parts(rules, parts_of(stage))

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        return [each.problem for each in broken(rules_of(assignment.stage), answer["answers"]) if each.warns]

    def store(self, assignment: Assignment, answer: dict) -> None:
        subject = subject_of(assignment.stage.show)
        about = {
            "stage": assignment.stage,
            subject: getattr(assignment.item, subject),
            "rater": assignment.rater,
            "round": assignment.round,
        }
        if QuestionnaireAnswer.objects.filter(**about).exists():
            message = _("You have rated this before, elsewhere. Skip this item; what you wrote here is kept.")
            raise Invalid(Problem("rated_before", message))
        QuestionnaireAnswer.objects.create(
            **about,
            answers=_renamed(assignment, answer["answers"], {str(one.uuid): one.key for one in _responses(assignment)}),
            is_check=assignment.item.is_check,
            assignment=assignment,
        )

    def stored(self, assignment: Assignment) -> dict:
        row = QuestionnaireAnswer.objects.filter(assignment=assignment).first()
        if row is None:
            return self.empty_draft(assignment)
        names = {one.key: str(one.uuid) for one in _responses(assignment)}
        return {"answers": _renamed(assignment, row.answers, names)}

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        QuestionnaireAnswer.objects.filter(assignment=assignment).delete()
        return body


def words_of(parts: Iterable[Asked]) -> Mapping[str, Collection[str]]:
    """What rules may name of these parts: their keys, and the answers that they offer."""
    asked = list(parts)
    keys = [part.key for part in asked]
    return {
        **dict.fromkeys(("question", "ask", "after"), keys),
        "answer": list(dict.fromkeys(option for part in asked for option in part.options)),
    }


def _responses(assignment: Assignment) -> Sequence[Response]:
    item: Item = item_of(assignment)
    return item.responses


def _renamed(assignment: Assignment, answers: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Answers whose rankings name responses otherwise: the screen by UUID, the table by key, which an archive keeps."""
    of_type = {part.key: part.type for part in parts_of(assignment.stage)}
    return {
        key: {names[one]: rank for one, rank in value.items() if one in names}
        if of_type.get(key) == Type.RANKING
        else value
        for key, value in answers.items()
    }
