"""The registry of task types. A task type is a folder in the room that owns its answers; see TaskType.

Adding one means copying a neighbour (annotation/spans/) and naming it in the declaration of its area. Nothing else
asks what kind a stage is.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from projects.anchors import drawn
from projects.models import Project, Prompt, Rater, Response, ResponsePair
from projects.prepared import Given
from projects.problems import Problem
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.rule_words import RuleWords
from workflow.skipping import SkipReason


@dataclass(frozen=True)
class Act:
    """What a key of a screen does. `label` as the screen's script has it, in English; `key` is a letter, alone or with
    "Shift+" before it; a person's own may be another (workflow/own_keys.py)."""

    slug: str
    key: str
    label: str


@dataclass(frozen=True)
class ScreenActs:
    """The acts of a screen that have a letter for their key, beside those of every screen (workflow/own_keys.py).
    `needs` are keys that stay the screen's, each a character, with what they do as its script has it."""

    screen: str = ""
    acts: tuple[Act, ...] = ()
    needs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, screen: str, **acts: tuple[str, str]) -> Self:
        return cls(screen, tuple(Act(slug, key, label) for slug, (key, label) in acts.items()))

    def needing(self, keys: str, label: str) -> Self:
        """The same, with these keys kept for the screen."""
        return replace(self, needs=(*self.needs, (keys, label)))


class TaskType(ABC):
    """What a kind of work shows, how a draft becomes an answer, how the answer is stored, how two compare."""

    kind: str
    name: Any  # lazy translation
    area = ""  # the area that declares it, whose pages come with this work
    template: str  # full page, rendered with the context of `screen`
    blind = True  # the target model is hidden unless the project says otherwise
    # Raters begin items of their own, on a page of the kind's, instead of taking the next of a queue.
    begin_url_name = ""  # takes the project's slug and the stage's id
    begin_label: Any = ""  # lazy translation of what the link there says
    # Who may do this work at all, a row of projects.access.PERMISSIONS; only workers take items of a queue.
    permission = "work.claim"
    # Leads add a stage of this kind by the form for stages; otherwise it comes with something of the kind's own.
    is_added_by_form = True
    # The policy of its stages says which marks of others count (workflow.models.Policy); elsewhere it is not asked for.
    has_policy = False
    # The same answer can hold a score of the whole response, on the question type of the stage (`Stage.scored_on`).
    takes_score = False
    # What answers are held to where a stage says nothing else (formats/answer_rules.py); None: the kind takes no rules.
    default_rules: Sequence[Mapping[str, Any]] | None = None
    # What such rules may say; asked of those alone that take some.
    rule_words = RuleWords()
    # The prompt can stand beside the response on its screen (`Stage.layout`).
    has_layout = False
    # Its screen is made of parts that the stage names (`Stage.show`, `Stage.ask`).
    takes_layout = False
    # Marks in the response are always part of its answer; parts that the stage names come beside them.
    has_marks = False
    # The screen draws the response paragraph by paragraph (static/src/spans/), and answers point into it.
    shows_text = False
    # What the lead reads where planning finds nothing.
    nothing_to_add: Any = gettext_lazy("There was nothing new to add: every response that is ready is an item already.")
    # What of its screen has a key that people can change; kinds with one screen share it.
    acts = ScreenActs()
    # Why an item may be left for good; where one of them is "other", it needs a note.
    skip_reasons: type[models.TextChoices] = SkipReason

    def judged_words(self, assignment: Assignment) -> Sequence[str]:
        """The words that the page draws in each place whose words are held against what is stored, in the page's order
        (HASHED of static/src/task_kit/as-shown.js); none where nothing is."""
        response = assignment.item.response
        return [drawn(response.text)] if self.shows_text and response else []

    def title(self, item: WorkItem) -> str:
        """What people call the item in lists: the key of what it is about."""
        return item.subject.key if item.subject else ""

    def titles(self, items: Collection[WorkItem]) -> dict[int, str]:
        """The titles of many items by id, in a number of queries that does not grow with them."""
        return {item.pk: self.title(item) for item in items}

    def afterwards(self, assignment: Assignment) -> str:
        """The address of what a rater sees after handing in or leaving an item; empty: the next item."""
        return ""

    def responses(self, stage: Stage) -> QuerySet[Response]:
        """The responses of the project that are ready to become items of this stage, for work about responses."""
        return Response.objects.none()

    def prompts(self, stage: Stage) -> QuerySet[Prompt]:
        """The prompts of the project that are ready to become items of this stage, for work about prompts."""
        return Prompt.objects.none()

    def pairs(self, stage: Stage) -> QuerySet[ResponsePair]:
        """The pairs of the project that are ready to become items of this stage, for work about pairs."""
        return ResponsePair.objects.none()

    def to_localise(self, stage: Stage) -> list[tuple[int, int]]:
        """Ids of the templates that are ready to become items of this stage, each with a variety's."""
        return []

    def plan(self, stage: Stage) -> int | None:
        """Make items and turns in a way of the kind's own and say how many are new; None plans as for any kind."""
        return None

    def is_answered(self, stage: Stage) -> bool:
        """Whether answers of people rest on what the stage asks."""
        return Assignment.objects.filter(stage=stage, status=Status.SUBMITTED).exists()

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """The items of the queue that this rater may be given; all of them unless the kind of work says otherwise.

        Asked once for all raters, who are `Given` when the search is run: what depends on them stands in the query.
        """
        return items

    def may_be_given(self, item: WorkItem, rater: Rater) -> bool:
        """Whether a lead may hand the item to this rater by name, who has not had it as an item."""
        return True

    @abstractmethod
    def empty_draft(self, assignment: Assignment) -> dict:
        """The body that a draft begins with."""

    @abstractmethod
    def screen(self, assignment: Assignment, body: dict) -> dict:
        """Template context of the page, with `task`: the JSON its script reads."""

    @abstractmethod
    def check_draft(self, assignment: Assignment, body: object) -> dict:
        """The body as it may be kept: well-formed and properly anchored, though unfinished.

        Raises projects.problems.Invalid with every problem found.
        """

    @abstractmethod
    def check_answer(self, assignment: Assignment, body: object) -> dict:
        """The body as an answer: a good draft that is also complete. Raises Invalid with every problem."""

    def words_of_rules(self, project: Project) -> Mapping[str, Collection[str]]:
        """The words of the project that its rules may name, by the field of the rule that names them."""
        return {}

    def words_in_stage(self, project: Project, stage: str) -> Mapping[str, Collection[str]]:
        """The same of the stage of this name, where what can be named is a stage's own."""
        return self.words_of_rules(project)

    def rules_now(self, stage: Stage, rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Rules of the stage as they are read now, in the words that stand for those they name."""
        return rules

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        """What the rules of the stage find fault with in a checked answer and let pass."""
        return []

    @abstractmethod
    def store(self, assignment: Assignment, answer: dict) -> None:
        """Write the answer's rows. Called once per submission inside its transaction."""

    @abstractmethod
    def reopen(self, assignment: Assignment) -> dict:
        """Take the stored answer back into a draft body, for amending. Its rows are gone afterwards."""

    @abstractmethod
    def stored(self, assignment: Assignment) -> dict:
        """The stored answer in the shape of a draft body, for reading it again."""

    def outlasting(self, assignment: Assignment, body: dict) -> dict:
        """The body of an answer that was taken back, as it is kept beside the later one: with nothing in it that means
        something in this turn alone."""
        return body

    def may_amend(self, assignment: Assignment) -> bool:
        """Whether the answer can still be taken back: false once others have built on it."""
        return True


_registry: dict[str, TaskType] = {}


def register(task_type: TaskType) -> None:
    if task_type.kind in _registry:
        raise ValueError(f"task type {task_type.kind!r} is registered twice")
    _registry[task_type.kind] = task_type


def task_type(kind: str) -> TaskType:
    return _registry[kind]


def task_types() -> dict[str, TaskType]:
    return dict(_registry)
