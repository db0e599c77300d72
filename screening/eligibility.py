"""Who is handed a stage's work: those who passed its quizzes and are not paused.

Registered with workflow/eligibility.py. They stand before every claim of a stage that has a quiz, checks or a pause,
and of no other.
"""

from typing import Any

from django.db.models.signals import post_save
from django.urls import reverse
from django.utils.translation import gettext as _

from projects.models import LanguageVariety, Rater
from projects.prepared import Given, Prepared
from screening.models import Attempt, CheckSettings, Pause, Quiz
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


def check_quiz_passed(rater: Rater, stage: Stage) -> None:
    """Raises Refused("screening") with the address of the first quiz that the rater has still to pass."""
    open_quizzes = OPEN_QUIZZES.all(stage=stage.pk)
    if not open_quizzes:
        return
    wanted = meant_for(rater, open_quizzes)
    passed = passed_of(rater, wanted)
    missing = next((quiz for quiz in wanted if quiz.pk not in passed), None)
    if missing is not None:
        message = _("This work begins with a short quiz. Pass it, and the items are handed out to you.")
        raise Refused("screening", message, reverse("quiz", args=[stage.project.slug, missing.pk]))


def meant_for(rater: Rater, quizzes: list[Quiz]) -> list[Quiz]:
    """Of the open quizzes of one stage those that this rater has to pass, in this order: of each step, for each of
    their languages, the quiz of that language, else the one that serves every language."""
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


def follow(sender: Any, instance: Quiz | CheckSettings | Pause, **kwargs: Any) -> None:
    screen(instance.stage)


def connect() -> None:
    """A stage is screened from its first quiz, checks or pause on, whoever makes them."""
    for model in (Quiz, CheckSettings, Pause):
        post_save.connect(follow, sender=model, dispatch_uid=f"screening.eligibility.{model.__name__}")
