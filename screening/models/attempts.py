"""One person's attempt at a quiz: what was asked, in which order, what they answered, how it was marked, once."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.db.models.lookups import GreaterThanOrEqual, LessThan

from projects.models import Rater
from screening.models.quizzes import Asked, Quiz, QuizQuestion, ScoringRules

REACHED = GreaterThanOrEqual(F("right") * 100, F("total") * F("pass_mark"))
MISSED = LessThan(F("right") * 100, F("total") * F("pass_mark"))
OPEN = Q(submitted_at=None, submission=None, right=None, total=None, is_passed=None)
GRADED = Q(submitted_at__isnull=False, submission__isnull=False, total__gte=1, right__gte=0, right__lte=F("total"))


class Attempt(ScoringRules):
    """Begun, then handed in and graded in one act; the database lets nothing change it afterwards (triggers).

    The scoring rules are copied when it begins, so a quiz edited meanwhile changes nothing in it.
    `seed` gives the order of the questions and of their options: screening/quiz/shuffling.py.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="attempts")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="quiz_attempts")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    pass_mark = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    begun_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # Chosen once per handing in and sent again with every retry: a resend changes nothing.
    submission = models.UUIDField(null=True, blank=True, unique=True)
    right = models.PositiveSmallIntegerField(null=True, blank=True)
    total = models.PositiveSmallIntegerField(null=True, blank=True)
    is_passed = models.BooleanField(null=True, blank=True)

    class Meta(ScoringRules.Meta):
        ordering = ["-begun_at", "-id"]
        constraints = [
            *ScoringRules.Meta.constraints,
            models.UniqueConstraint(fields=["quiz", "rater", "number"], name="attempt_number_once"),
            models.UniqueConstraint(
                fields=["quiz", "rater"], condition=Q(submitted_at=None), name="attempt_one_open_at_a_time"
            ),
            models.UniqueConstraint(fields=["quiz", "rater"], condition=Q(is_passed=True), name="attempt_passed_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="attempt_number_positive"),
            models.CheckConstraint(
                condition=OPEN | GRADED & (Q(is_passed=True) & Q(REACHED) | Q(is_passed=False) & Q(MISSED)),
                name="attempt_graded_by_its_mark",
            ),
        ]
        indexes = [models.Index(fields=["rater", "quiz"], condition=Q(is_passed=True), name="attempt_passed")]

    def __str__(self) -> str:
        return f"{self.rater_id} at {self.quiz_id}, {self.number}"


NOT_MARKED = Q(is_right=None, score=None)
MARKED = Q(is_right__isnull=False, score__gte=0, score__lte=1)


class AttemptQuestion(Asked):
    """A copy of a question as it was asked in one attempt, with the answer and its score.

    `order` holds the indices of the options in the order shown. `saves` counts the saves of the answer, so that
    two tabs never overwrite each other unseen.
    """

    attempt = models.ForeignKey(Attempt, models.CASCADE, related_name="questions")
    # The question it was copied from, while the lead keeps it.
    question = models.ForeignKey(QuizQuestion, models.SET_NULL, null=True, blank=True, related_name="askings")
    position = models.PositiveSmallIntegerField()
    order = models.JSONField(default=list)
    answer = models.JSONField(null=True, blank=True)
    saves = models.PositiveIntegerField(default=0)
    is_right = models.BooleanField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    parts = models.JSONField(default=dict)

    class Meta(Asked.Meta):
        ordering = ["position"]
        constraints = [
            *Asked.Meta.constraints,
            models.UniqueConstraint(fields=["attempt", "position"], name="attempt_position_once"),
            models.UniqueConstraint(fields=["attempt", "question"], name="attempt_question_once"),
            models.CheckConstraint(condition=NOT_MARKED | MARKED, name="attempt_question_marked"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.position}"
