"""Which judges can be a reward, what they are asked about a rollout, and what number from 0 to 1 their answer is.

rubric     S_raw / S_max under the newest frozen rubric of the prompt (docs/metrics of rubrics), of its criteria
           alone: errors that a grader found belong to one response, and a rollout has none
pointwise  (grade - lowest) / (highest - lowest) on the scale of the question type, without examples
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from judging.kinds.questions import question_types
from judging.kinds.ratings import QUESTION, named
from judging.models import Judge, Reward, Rollout, Shots
from projects.among import Among
from projects.models import Prompt, QuestionType
from projects.problems import Invalid, Problem
from rubrics.models import Criterion, Rubric

LATER = Rubric.objects.filter(prompt=OuterRef("prompt"), version__gt=OuterRef("version"), frozen_at__isnull=False)


class Basis(NamedTuple):
    """By what a prompt's rollouts are scored: a frozen rubric, or a question type. `key` is of its content."""

    key: str
    rubric: int | None = None
    question: int | None = None


class Scored(NamedTuple):
    """The reward, from 0 to 1, and what it is made of."""

    value: float
    parts: dict[str, Any]


class RewardKind(ABC):
    """How judges of one kind score rollouts."""

    def check(self, judge: Judge, question: QuestionType | None) -> None:
        """Raises Invalid where this judge, with this question type or without one, can be no reward."""

    @abstractmethod
    def bases(self, reward: Reward, prompts: Collection[Prompt]) -> dict[int, Basis]:
        """By id of prompt; those that cannot be scored are left out. The statements do not grow with the prompts."""

    @abstractmethod
    def about(self, rollouts: Sequence[Rollout]) -> dict[int, tuple[int | str, ...]]:
        """By id of rollout, what its call is about. One statement."""

    @abstractmethod
    def scored(self, rollout: Rollout, parsed: Mapping[str, Any]) -> Scored:
        """What the judge's answer is worth."""


class ByRubric(RewardKind):
    def bases(self, reward: Reward, prompts: Collection[Prompt]) -> dict[int, Basis]:
        rows = Rubric.objects.filter(~Exists(LATER), prompt__in=Among(each.pk for each in prompts))
        newest = rows.filter(frozen_at__isnull=False).values_list("prompt_id", "pk", "sha256")
        return {prompt: Basis(sha256, rubric=pk) for prompt, pk, sha256 in newest}

    def about(self, rollouts: Sequence[Rollout]) -> dict[int, tuple[int | str, ...]]:
        of_rubrics: dict[int | None, list[int]] = {}
        rubrics = Among(each.rubric_id for each in rollouts if each.rubric_id)
        criteria = Criterion.objects.filter(rubric__in=rubrics, grade=None).order_by("position", "pk")
        for pk, rubric in criteria.values_list("pk", "rubric_id"):
            of_rubrics.setdefault(rubric, []).append(pk)
        return {each.pk: tuple(of_rubrics.get(each.rubric_id, ())) for each in rollouts}

    def scored(self, rollout: Rollout, parsed: Mapping[str, Any]) -> Scored:
        """The positive criteria that are met, by the points of all; with weights below 0 where a rubric has such, what
        these take away, and never less than 0."""
        verdicts = parsed["verdicts"]
        raw = sum(each["weight"] for each in verdicts if each["value"] in ("pass", "present"))
        most = sum(each["weight"] for each in verdicts if each["weight"] > 0)
        shown = [{name: each[name] for name in ("text", "weight", "value", "justification")} for each in verdicts]
        return Scored(min(1.0, max(0.0, raw / most)), {"raw": raw, "maximum": most, "verdicts": shown})


class ByQuestion(RewardKind):
    def check(self, judge: Judge, question: QuestionType | None) -> None:
        if judge.options.get("shots") == Shots.FEW:
            message = _("A judge that is shown examples cannot be a reward: choose one without.")
            raise Invalid(Problem("shows_examples", message, "judge"))
        if question is not None and not is_ordered(question):
            raise Invalid(Problem("no_scale", _("This question type has no scale with an order."), "question"))

    def bases(self, reward: Reward, prompts: Collection[Prompt]) -> dict[int, Basis]:
        questions = {each.pk: each for each in question_types(reward.project_id) if is_ordered(each)}
        only = next(iter(questions)) if len(questions) == 1 else None
        found = {}
        for prompt in prompts:
            pk = reward.question_id or prompt.question_id or only
            if pk in questions:
                found[prompt.pk] = Basis(f"question {pk}", question=pk)
        return found

    def about(self, rollouts: Sequence[Rollout]) -> dict[int, tuple[int | str, ...]]:
        return {each.pk: (named(QUESTION, each.question_id or 0),) for each in rollouts}

    def scored(self, rollout: Rollout, parsed: Mapping[str, Any]) -> Scored:
        question = rollout.question
        assert question is not None
        assert question.lowest is not None
        assert question.highest is not None
        value = (parsed["grade"] - question.lowest) / (question.highest - question.lowest)
        parts = {"question": question.slug, "grade": parsed["grade"], "reasoning": parsed["reasoning"]}
        return Scored(value, parts | {"lowest": question.lowest, "highest": question.highest})


KINDS: dict[str, RewardKind] = {"rubric": ByRubric(), "pointwise": ByQuestion()}


def is_ordered(question: QuestionType) -> bool:
    return question.has_scale and not question.is_nominal


def kind_for(judge: Judge) -> RewardKind:
    """Raises Invalid where judges of this kind give no reward."""
    if judge.kind not in KINDS:
        message = _("Judges that grade by rubric, or rate responses one by one, can be a reward.")
        raise Invalid(Problem("no_reward", message, "judge"))
    return KINDS[judge.kind]
