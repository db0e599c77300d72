"""A short survey after a batch of items: when it is due, what a good answer is, and what the answers add up to."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from projects.models import Rater
from projects.problems import Invalid, Problem
from workflow.models import Assignment, Stage, Status, Survey, SurveyAnswer

SCALE = range(1, 6)
MAX_CHARACTERS = 2000
# What a new survey begins with; the lead changes it.
PRESET = (
    {"key": "clear", "text": gettext_noop("How clear were the guidelines for these items?"), "kind": "scale"},
    {"key": "hard", "text": gettext_noop("How hard was it to decide?"), "kind": "scale"},
    {"key": "language", "text": gettext_noop("What was odd about the language of these items?"), "kind": "text"},
)


def due(rater: Rater, stage: Stage) -> int | None:
    """The number of the batch that the rater has just finished and said nothing of yet; None where none is due."""
    survey = Survey.objects.filter(stage=stage, is_open=True).first()
    if survey is None or not survey.questions:
        return None
    done = Assignment.objects.filter(rater=rater, stage=stage, status=Status.SUBMITTED).count()
    batch = done // survey.batch_size
    if not batch or SurveyAnswer.objects.filter(survey=survey, rater=rater, batch=batch).exists():
        return None
    return batch


def check(questions: list[dict], given: Mapping[str, str]) -> dict[str, Any]:
    """The answers by question key, those left empty left out. Raises Invalid for what is no answer."""
    answers: dict[str, Any] = {}
    problems = []
    for question in questions:
        key, value = question["key"], given.get(question["key"], "").replace("\0", "").strip()
        if not value:
            continue
        if question["kind"] == "scale" and value not in {str(grade) for grade in SCALE}:
            problems.append(Problem("unknown", _("Choose one of the numbers."), key))
        elif question["kind"] == "choice" and value not in question["choices"]:
            problems.append(Problem("unknown", _("Choose one of the answers."), key))
        elif len(value) > MAX_CHARACTERS:
            message = _("This is longer than %(limit)d characters.") % {"limit": MAX_CHARACTERS}
            problems.append(Problem("too_long", message, key))
        else:
            answers[key] = int(value) if question["kind"] == "scale" else value
    if problems:
        raise Invalid(problems)
    return answers


def answer(survey: Survey, rater: Rater, batch: int, answers: dict[str, Any]) -> None:
    """Keep what was answered after a batch; empty where the rater passed. Sent twice, the first stands."""
    try:
        with transaction.atomic():
            SurveyAnswer.objects.create(survey=survey, rater=rater, batch=batch, answers=answers)
    except IntegrityError:
        return


@dataclass
class Answered:
    """What was answered to one question: how often each value, and the texts with the pseudonym and batch."""

    question: dict
    counts: Counter = field(default_factory=Counter)
    texts: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def n(self) -> int:
        return sum(self.counts.values()) + len(self.texts)

    @property
    def mean(self) -> float | None:
        """Of a scale; None without answers."""
        if self.question["kind"] != "scale" or not self.counts:
            return None
        return sum(value * count for value, count in self.counts.items()) / sum(self.counts.values())

    @property
    def rows(self) -> list[tuple[Any, int]]:
        """Each value that can be chosen, with how often it was."""
        values = list(SCALE) if self.question["kind"] == "scale" else self.question.get("choices", [])
        return [(value, self.counts[value]) for value in values]


def results(survey: Survey) -> tuple[list[Answered], int]:
    """By question, and how many surveys were passed over without any answer. One query."""
    answered = {question["key"]: Answered(question) for question in survey.questions}
    passed = 0
    rows = survey.answers.order_by("-created_at").values_list("rater__pseudonym", "batch", "answers")
    for pseudonym, batch, answers in rows:
        passed += not answers
        for key, value in answers.items():
            if key not in answered:  # the question was taken out since
                continue
            if answered[key].question["kind"] == "text":
                answered[key].texts.append((pseudonym, batch, value))
            else:
                answered[key].counts[value] += 1
    return list(answered.values()), passed
