"""Corrections of working time: asked for by the person, decided by a lead, always with a reason."""

from datetime import date

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.audit import record
from projects.models import Rater, User
from projects.problems import Invalid, Problem
from workflow.models import TimeCorrection
from workflow.telling_people import ask_about_time, tell_about_time

MOST_TEXT = 1000
MOST_MINUTES = 24 * 60


def ask(rater: Rater, day: date, words: str) -> TimeCorrection:
    """A person says that the time counted for a day is wrong. Raises Invalid where that is being asked already."""
    words = _needed(words, _("Say in a few words what is wrong."), "request")
    try:
        with transaction.atomic():
            asked = TimeCorrection.objects.create(rater=rater, day=day, request=words, asked_at=timezone.now())
            ask_about_time(rater, f"time-{asked.pk}")
            return asked
    except IntegrityError:
        message = _("You have asked about this day already. Your lead's answer will stand here.")
        raise Invalid(Problem("asked_already", message, "request")) from None


def decide(asked: TimeCorrection, minutes: int, reason: str, by: User) -> None:
    """A lead answers: so many minutes more or fewer, or none, and why. A second answer changes nothing.

    Raises Invalid where no reason is given or the day would have more than 24 hours.
    """
    reason = _needed(reason, _("Say why: the person reads it."), "reason")
    decided = TimeCorrection.objects.filter(pk=asked.pk, decided_at=None)
    with transaction.atomic():
        if decided.update(seconds=_checked(minutes) * 60, reason=reason, decided_by=by, decided_at=timezone.now()):
            _audit(asked.rater, asked.day, minutes, reason, by)
            tell_about_time(asked.rater, str(asked.pk))


def correct(rater: Rater, day: date, minutes: int, reason: str, by: User) -> TimeCorrection:
    """A lead corrects a day that nobody asked about. Raises Invalid."""
    reason = _needed(reason, _("Say why: the person reads it."), "reason")
    with transaction.atomic():
        made = TimeCorrection.objects.create(
            rater=rater,
            day=day,
            seconds=_checked(minutes) * 60,
            reason=reason,
            decided_by=by,
            decided_at=timezone.now(),
        )
        _audit(rater, day, minutes, reason, by)
        tell_about_time(rater, str(made.pk))
    return made


def _audit(rater: Rater, day: date, minutes: int, reason: str, by: User) -> None:
    detail = {"day": day.isoformat(), "minutes": minutes, "reason": reason}
    record("time.corrected", actor=by, project=rater.project, subject=rater.pseudonym, **detail)


def _needed(words: str, message: str, field: str) -> str:
    words = words.strip()[:MOST_TEXT]
    if not words:
        raise Invalid(Problem("required", message, field))
    return words


def _checked(minutes: int) -> int:
    if abs(minutes) > MOST_MINUTES:
        raise Invalid(Problem("out_of_range", _("A day has 24 hours."), "minutes"))
    return minutes
