"""Who is handed a stage's work: those who passed its quizzes and are not paused.

Registered with workflow/eligibility.py. They stand before every claim of a stage that has a quiz, checks or a pause,
and of no other.
"""

from typing import Any, TypeVar

from django.db.models.signals import post_save
from django.urls import reverse
from django.utils.translation import gettext as _

from projects.models import LanguageVariety, Rater
from projects.prepared import Given, Prepared
from screening.models import Attempt, CheckSettings, Interview, InterviewResult, Pause, Quiz
from screening.models.quizzes import MAX_STEP
from workflow.eligibility import screen
from workflow.models import Stage
from workflow.refusals import Refused

OPEN_QUIZZES = Prepared(
    lambda: (
        Quiz.objects.filter(stage=Given("stage", Stage), is_open=True)
        .only("stage_id", "language", "step")
        .order_by("pk")
    )
)
PAUSED = Prepared(
    lambda: Pause.objects.filter(stage=Given("stage", Stage), rater=Given("rater", Rater), lifted_at=None).only("pk")
)


OPEN_INTERVIEWS = Prepared(
    lambda: (
        Interview.objects.filter(stage=Given("stage", Stage), is_open=True)
        .only("stage_id", "language", "step")
        .order_by("pk")
    )
)
Step = TypeVar("Step", Quiz, Interview)


def check_quiz_passed(rater: Rater, stage: Stage) -> None:
    """Raises Refused with the address of the first step that the rater has still to pass: "screening" for a quiz,
    "interview" for an interview."""
    open_quizzes, open_interviews = OPEN_QUIZZES.all(stage=stage.pk), OPEN_INTERVIEWS.all(stage=stage.pk)
    missing = None
    if open_quizzes:
        wanted = meant_for(rater, open_quizzes)
        passed = passed_of(rater, wanted)
        missing = next((quiz for quiz in wanted if quiz.pk not in passed), None)
    if interview := missing_interview(rater, open_interviews, before=missing.step if missing else MAX_STEP + 1):
        message = _("This work begins with an interview. Your lead arranges it with you.")
        raise Refused("interview", message, reverse("interview", args=[stage.project.slug, interview.pk]))
    if missing is not None:
        message = _("This work begins with a short quiz. Pass it, and the items are handed out to you.")
        raise Refused("screening", message, reverse("quiz", args=[stage.project.slug, missing.pk]))


def missing_interview(rater: Rater, interviews: list[Interview], before: int) -> Interview | None:
    """Of the open interviews of one stage the first, of a step below `before`, that the rater has not passed."""
    wanted = [each for each in meant_for(rater, interviews) if each.step < before] if interviews else []
    passed = InterviewResult.objects.filter(rater=rater, interview__in=wanted, is_passed=True)
    ids = set(passed.values_list("interview", flat=True)) if wanted else set()
    return next((each for each in wanted if each.pk not in ids), None)


def meant_for(rater: Rater, quizzes: list[Step]) -> list[Step]:
    """Of the open quizzes, or interviews, of one stage those that this rater has to pass, in this order: of each step,
    for each of their languages, the one of that language, else the one that serves every language."""
    languages = LanguageVariety.objects.filter(raters=rater).order_by().values_list("language", flat=True).distinct()
    by_place = {(quiz.step, quiz.language): quiz for quiz in quizzes}
    spoken = list(languages) or [""]
    steps = {step for step, _language in by_place}
    wanted = {by_place.get((step, each), by_place.get((step, ""))) for step in steps for each in spoken}
    return sorted((quiz for quiz in wanted if quiz is not None), key=lambda quiz: (quiz.step, quiz.pk))


def passed_of(rater: Rater, quizzes: list[Quiz]) -> set[int]:
    """The ids of those that the rater has passed."""
    attempts = Attempt.objects.filter(rater=rater, quiz__in=quizzes, is_passed=True)
    return set(attempts.values_list("quiz", flat=True))


def check_not_paused(rater: Rater, stage: Stage) -> None:
    """Raises Refused("paused") with the address of the page that says why and what helps."""
    if PAUSED.first(stage=stage.pk, rater=rater.pk) is not None:
        message = _(
            "Your work here is paused for now: some of your latest answers differ from the experts'. What you have "
            "begun you can finish. Read what helps; your lead knows and can let you go on."
        )
        raise Refused("paused", message, reverse("paused", args=[stage.project.slug, stage.pk]))


def follow(sender: Any, instance: Quiz | Interview | CheckSettings | Pause, **kwargs: Any) -> None:
    screen(instance.stage)


def connect() -> None:
    """A stage is screened from its first quiz, checks or pause on, whoever makes them."""
    for model in (Quiz, Interview, CheckSettings, Pause):
        post_save.connect(follow, sender=model, dispatch_uid=f"screening.eligibility.{model.__name__}")
