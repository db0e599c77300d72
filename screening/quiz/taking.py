"""Taking a quiz: beginning an attempt, saving its answers as they are given, handing it in. Each is one transaction."""

import secrets
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.models import Rater
from screening.eligibility import meant_for, missing_interview, passed_of
from screening.models import Attempt, AttemptQuestion, Interview, Quiz
from screening.quiz.kinds import question_kind
from screening.quiz.shuffling import option_order, question_order
from workflow.refusals import Refused

COPIED = ("kind", "text", "content", "explanation", "pair", "response", "question_type")
MAX_SEED = 2**31


def attempts_of(rater: Rater, quiz: Quiz) -> list[Attempt]:
    """The rater's, oldest first."""
    return list(quiz.attempts.filter(rater=rater).order_by("number"))


def begin(rater: Rater, quiz: Quiz, seed: int | None = None) -> Attempt:
    """The rater's open attempt, or a new one with a copy of the questions in an order drawn from `seed`.

    Raises Refused: "quiz_closed", "quiz_passed" where nothing is left to pass, "no_attempts" where all are used,
    "quiz_before" where a quiz of an earlier step is not passed.
    """
    with transaction.atomic():
        quiz = Quiz.objects.select_for_update(no_key=True).get(pk=quiz.pk)  # one beginning at a time, one version
        attempts = attempts_of(rater, quiz)
        open_one = next((attempt for attempt in attempts if attempt.submitted_at is None), None)
        if open_one is not None:
            return open_one
        if any(attempt.is_passed for attempt in attempts):
            raise Refused("quiz_passed", _("You have passed this quiz already."))
        if not quiz.is_open:
            raise Refused("quiz_closed", _("This quiz is closed for now. Your lead can open it again."))
        if len(attempts) >= quiz.attempts_allowed:
            raise Refused("no_attempts", _("You have used all attempts. Your lead sees it and can allow more."))
        if _has_earlier_ones(rater, quiz):
            raise Refused("quiz_before", _("Another quiz comes before this one. Pass that one first."))
        if missing_interview(rater, list(Interview.objects.filter(stage=quiz.stage_id, is_open=True)), quiz.step):
            raise Refused("interview_before", _("An interview comes before this quiz."))
        attempt = Attempt.objects.create(
            quiz=quiz,
            rater=rater,
            number=len(attempts) + 1,
            version=quiz.version,
            pass_mark=quiz.pass_mark,
            tolerance=quiz.tolerance,
            span_f1=quiz.span_f1,
            verdict_share=quiz.verdict_share,
            seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        )
        _copy_questions(quiz, attempt)
    return attempt


def _has_earlier_ones(rater: Rater, quiz: Quiz) -> bool:
    others = list(Quiz.objects.filter(stage=quiz.stage_id, is_open=True))
    earlier = [each for each in meant_for(rater, others) if each.step < quiz.step]
    return len(passed_of(rater, earlier)) < len(earlier)


def _copy_questions(quiz: Quiz, attempt: Attempt) -> None:
    questions = list(quiz.questions.select_related("pair", "response", "question_type"))
    order = question_order(attempt.seed, len(questions))
    AttemptQuestion.objects.bulk_create(
        AttemptQuestion(
            attempt=attempt,
            question=questions[index],
            position=position,
            order=option_order(
                attempt.seed,
                str(questions[index].key),
                question_kind(questions[index].kind).options(questions[index].content),
            ),
            **{name: getattr(questions[index], name) for name in COPIED},
        )
        for position, index in enumerate(order, start=1)
    )


class Overtaken(Exception):
    """The answer was saved elsewhere since; `stored` is how it stands. Nothing was changed."""

    def __init__(self, stored: AttemptQuestion):
        self.stored = stored
        super().__init__("the answer was saved elsewhere meanwhile")


def save_answer(question: AttemptQuestion, answer: Any, saves: int) -> int:
    """Keep the answer given so far and return how often it has been saved; `saves` is how often the page knew of.

    Raises Overtaken where another tab saved it meanwhile, Refused("submitted") where the attempt is handed in.
    """
    with transaction.atomic():
        _locked_open(question.attempt)
        changed = AttemptQuestion.objects.filter(pk=question.pk, saves=saves).update(
            answer=answer, saves=F("saves") + 1
        )
        stored = AttemptQuestion.objects.get(pk=question.pk)
    if not changed and stored.answer != answer:
        raise Overtaken(stored)
    return stored.saves


def _locked_open(attempt: Attempt) -> Attempt:
    stored = Attempt.objects.select_for_update().get(pk=attempt.pk)
    if stored.submitted_at is not None:
        raise Refused("submitted", _("This attempt has been handed in already. Nothing was changed."))
    return stored


def submit(attempt: Attempt, submission: uuid.UUID, answers: Mapping[int, Any]) -> Attempt:
    """Store the answers by position, grade the attempt once and return it; a resend returns it as it was graded.

    Raises Refused("submitted") where it was handed in by another submission: what was graded stays.
    """
    try:
        with transaction.atomic():
            stored = Attempt.objects.select_for_update().get(pk=attempt.pk)
            if stored.submitted_at is not None:
                if stored.submission == submission:
                    return stored
                raise Refused("submitted", _("This attempt has been handed in already. Nothing was changed."))
            return _graded(stored, submission, answers)
    except IntegrityError:
        if Attempt.objects.filter(submission=submission).exclude(pk=attempt.pk).exists():
            raise Refused("submitted", _("This attempt has been handed in already. Nothing was changed.")) from None
        raise


def _graded(attempt: Attempt, submission: uuid.UUID, answers: Mapping[int, Any]) -> Attempt:
    questions = questions_of(attempt)
    for question in questions:
        question.answer = answers.get(question.position, question.answer)
        score = question_kind(question.kind).score(question, question.answer, attempt)
        question.is_right, question.score, question.parts = score.is_right, score.value, dict(score.parts)
    AttemptQuestion.objects.bulk_update(questions, ["answer", "is_right", "score", "parts"])
    attempt.submission, attempt.submitted_at = submission, timezone.now()
    attempt.right, attempt.total = sum(bool(question.is_right) for question in questions), len(questions)
    attempt.is_passed = attempt.right * 100 >= attempt.pass_mark * attempt.total
    attempt.save(update_fields=["submission", "submitted_at", "right", "total", "is_passed"])
    return attempt


def questions_of(attempt: Attempt) -> list[AttemptQuestion]:
    """In the order shown, with all that showing and scoring them need; a fixed number of queries."""
    rows = attempt.questions.select_related(
        "response__variety",
        "response__prompt__variety",
        "question_type",
        *(f"pair__{side}__{what}" for side in ("first", "second") for what in ("variety", "prompt__variety")),
    )
    return list(rows.prefetch_related("question_type__levels").order_by("position"))


def unanswered(questions: Iterable[AttemptQuestion], answers: Mapping[int, Any]) -> list[int]:
    """Positions of the questions that a set of answers leaves open."""
    return [
        question.position
        for question in questions
        if not question_kind(question.kind).is_complete(question, answers.get(question.position))
    ]


def keep(attempt: Attempt, questions: Iterable[AttemptQuestion], answers: Mapping[int, Any]) -> None:
    """Keep the answers of an attempt that could not be handed in yet, and put them into the questions given.

    Whoever hands in sees all answers on one page, so what they see counts, whatever another tab has saved.
    Raises Refused("submitted") where the attempt was handed in meanwhile: what was graded stays.
    """
    with transaction.atomic():
        _locked_open(attempt)
        stored = {row.pk: row for row in AttemptQuestion.objects.filter(attempt=attempt)}
        for question in questions:
            answer = answers.get(question.position)
            question.answer, question.saves = stored[question.pk].answer, stored[question.pk].saves
            if answer == question.answer:
                continue
            AttemptQuestion.objects.filter(pk=question.pk).update(answer=answer, saves=F("saves") + 1)
            question.answer, question.saves = answer, question.saves + 1
