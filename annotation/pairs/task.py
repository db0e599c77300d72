"""The task types of rating: "pairs", two responses side by side, and "ratings", one by itself on the same screen."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Preference, Rating
from annotation.pairs.checking import blank, check_complete, check_draft
from annotation.pairs.order import SWAPPED, is_swapped
from annotation.pairs.questions import asked, ready_pairs, ready_responses, unrated
from annotation.pairs.rules import RULE_WORDS, RULE_WORDS_OF_PAIRS, broken
from annotation.pairs.screen import screen
from annotation.pairs.storing import RatingData, store_ratings
from projects.anchors import in_both_views
from projects.models import Project, QuestionType, Rater, Response, ResponsePair
from projects.prepared import Given
from projects.problems import Invalid, Problem
from workflow.answer_rules import rules_of
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


class RatingSkipReason(models.TextChoices):
    NOT_MY_LANGUAGE = "not_my_language", gettext_lazy("It is not in my language")
    UNREADABLE = "unreadable", gettext_lazy("The text is broken or cannot be read")
    HARMFUL = "harmful", gettext_lazy("It is harmful or upsetting")
    OTHER = "other", gettext_lazy("Another reason")


class RatingTaskType(TaskType):
    """A grade on each question type, of people who are shown neither the models nor what others said."""

    template = "annotation/pairs/rate.html"
    acts = ScreenActs.of(
        "ratings",
        next=("N", "Next grade that is missing"),
        comment=("C", "Comment"),
        together=("T", "Both responses scroll at once"),
    ).needing("0123456789", "Choose what stands beside the digit, for the side that is marked, and go on")
    skip_reasons = RatingSkipReason
    default_rules = ()
    rule_words = RULE_WORDS
    subject: ClassVar[str]  # what an item is about: "pair" or "response"

    @property
    def is_pair(self) -> bool:
        return self.subject == "pair"

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody rates the same twice, though they did it elsewhere and it came by import."""
        return unrated(items, rater, self.kind, self.subject)

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        return unrated(WorkItem.objects.filter(pk=item.pk), rater, self.kind, self.subject).exists()

    def title(self, item: WorkItem) -> str:
        return self.titles([item])[item.pk]

    def empty_draft(self, assignment: Assignment) -> dict:
        return blank(list(asked(assignment, self.is_pair)), self.is_pair)

    def screen(self, assignment: Assignment, body: dict) -> dict:
        questions = asked(assignment, self.is_pair).select_related("dimension").prefetch_related("levels")
        return screen(assignment, body, self.shown(assignment), list(questions), self.is_swapped(assignment))

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        words = [in_both_views(response.text) for response in self.shown(assignment)]
        return words[::-1] if self.is_swapped(assignment) else words

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        return check_draft(body, self.is_pair)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        draft = check_draft(body, self.is_pair)
        questions = list(asked(assignment, self.is_pair))
        return check_complete(draft, questions, self.is_pair, rules_of(assignment.stage))

    def words_of_rules(self, project: Project) -> Mapping[str, Collection[str]]:
        questions = list(project.question_types.values_list("slug", flat=True))
        named = dict.fromkeys(("question", "ask", "after"), questions)
        return {**named, "preference": Preference.values}

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        return [each.problem for each in broken(rules_of(assignment.stage), answer["ratings"]) if each.warns]

    def store(self, assignment: Assignment, answer: dict) -> None:
        subject = getattr(assignment, self.subject)
        if Rating.objects.filter(rater=assignment.rater_id, round=assignment.round, **{self.subject: subject}).exists():
            message = _("You have rated this before, elsewhere. Skip this item; what you wrote here is kept.")
            raise Invalid(Problem("rated_before", message))
        questions = {question.slug: question for question in asked(assignment, self.is_pair)}
        swapped = self.is_swapped(assignment)
        store_ratings([self._data(assignment, questions, rating, swapped) for rating in answer["ratings"]])

    def stored(self, assignment: Assignment) -> dict:
        ratings = Rating.objects.filter(assignment=assignment).select_related("question")
        in_order = ratings.order_by("question__dimension__position", "question__position", "question")
        return {"ratings": [self._as_raw(rating) for rating in in_order]}

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        Rating.objects.filter(assignment=assignment).delete()
        return body

    def outlasting(self, assignment: Assignment, body: dict) -> dict:
        """With the order of a pair, which is drawn from ids that another installation numbers anew."""
        return {**body, SWAPPED: self.is_swapped(assignment)} if self.is_pair else body

    @abstractmethod
    def shown(self, assignment: Assignment) -> Sequence[Response]:
        """The response, or the pair's first and second, with their prompt, variety and target model."""

    def is_swapped(self, assignment: Assignment) -> bool:
        return False

    def _data(
        self, assignment: Assignment, questions: Mapping[str, QuestionType], rating: dict, swapped: bool
    ) -> RatingData:
        return RatingData(
            question=questions[rating["question"]],
            subject=getattr(assignment, self.subject),
            rater=assignment.rater,
            first=rating["first"],
            second=rating.get("second"),
            preference=rating.get("preference", ""),
            comment=rating["comment"].strip(),
            round=assignment.round,
            is_swapped=swapped,
            is_check=assignment.item.is_check,
            assignment=assignment,
        )

    def _as_raw(self, rating: Rating) -> dict:
        """The stored rating as the screen reads and writes it; grades of people are whole."""
        first, second = (None if grade is None else int(grade) for grade in (rating.first_grade, rating.second_grade))
        raw = {"question": rating.question.slug, "first": first, "comment": rating.comment}
        return raw | {"second": second, "preference": rating.preference} if self.is_pair else raw


class PairsTaskType(RatingTaskType):
    kind = "pairs"
    rule_words = RULE_WORDS_OF_PAIRS
    name = gettext_lazy("Rating pairs")
    subject = "pair"

    def pairs(self, stage: Stage) -> QuerySet[ResponsePair]:
        return ready_pairs(stage)

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The prompt's key and four signs that tell its pairs apart: keys of pairs and responses may name a model."""
        rows = ResponsePair.objects.filter(work_items__in=[item.pk for item in items])
        places = rows.values_list("work_items", "prompt__key", "first__uuid", "second__uuid")
        return {item: f"{key} · {first.hex[:2]}{second.hex[:2]}" for item, key, first, second in places}

    def is_swapped(self, assignment: Assignment) -> bool:
        return is_swapped(assignment.stage.seed, assignment.rater_id, assignment.pair.pk)

    def shown(self, assignment: Assignment) -> Sequence[Response]:
        of_pair = Response.objects.select_related("prompt__variety", "variety", "target_model")
        by_id = of_pair.in_bulk([assignment.pair.first_id, assignment.pair.second_id])
        return [by_id[assignment.pair.first_id], by_id[assignment.pair.second_id]]


class RatingsTaskType(RatingTaskType):
    kind = "ratings"
    name = gettext_lazy("Rating responses")
    subject = "response"

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return ready_responses(stage)

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The prompt's key and four signs that tell its responses apart: a response's own key may name its model."""
        rows = Response.objects.filter(work_items__in=[item.pk for item in items])
        places = rows.values_list("work_items", "prompt__key", "uuid")
        return {item: f"{key} · {response.hex[:4]}" for item, key, response in places}

    def shown(self, assignment: Assignment) -> Sequence[Response]:
        responses = Response.objects.select_related("prompt__variety", "variety", "target_model")
        return [responses.get(pk=assignment.response.pk)]
