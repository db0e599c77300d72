"""Working time, counted from signs of life.

The page of an item tells in which stretches of time it was in view and somebody worked on it: at most a stated pause
lies between two signs of life. It tells them again until the server has answered, also after it was left, closed or
offline; here each moment of a person counts once, whatever page told of it and however often.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.models import Project, Rater
from projects.problems import Invalid, Problem
from projects.zones import beginning_of, zone_of
from workflow.claims import renew
from workflow.intervals import Interval, first_part, length, merged, without
from workflow.models import Activity, Assignment, Status, TimeRules, WorkedInterval

# What one call may tell: a page that was offline for a day, with a pause after each minute.
MAX_SIGNS = 2000
# Told later than this, nobody can say any more what it was.
LATEST = timedelta(days=14)
# Clocks and ticks: two stretches this close are one.
NEXT_TO = timedelta(seconds=2)
# A browser's numbers are milliseconds since 1970; whatever is beyond is no time.
MAX_MILLISECONDS = 10**14


def rules_of(project: Project | int) -> TimeRules:
    """The project's row, or one with the defaults that is not stored."""
    pk = project if isinstance(project, int) else project.pk
    return TimeRules.objects.filter(project=pk).first() or TimeRules(project_id=pk)


def read_signs(payload: dict, now: datetime) -> list[Interval]:
    """The stretches that a page tells of, {"now": ms, "signs": [[begin, end], ...]} by the browser's clock, as times of
    ours: both clocks are compared by `now`, so it does not matter how wrong the browser's is. Raises Invalid."""
    sent, signs = payload.get("now"), payload.get("signs")
    well_formed = _is_time(sent) and isinstance(signs, list) and len(signs) <= MAX_SIGNS
    if not well_formed or not all(_is_stretch(each) for each in signs or []):
        message = _("Stretches of time are expected as pairs of milliseconds, at most %(most)d of them.")
        raise Invalid(Problem("not_times", message % {"most": MAX_SIGNS}, "signs"))
    assert isinstance(signs, list)
    assert isinstance(sent, int | float)
    return [(_ours(begin, sent, now), _ours(end, sent, now)) for begin, end in signs]


def _ours(moment: float, sent: float, now: datetime) -> datetime:
    """A moment of the browser's clock by ours; what lies further back than any time that counts, as just that far."""
    return now - min(timedelta(milliseconds=sent - moment), 2 * LATEST)


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < MAX_MILLISECONDS  # type: ignore[operator]


def _is_stretch(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_time, value))


def record(assignment: Assignment, told: Sequence[Interval], now: datetime | None = None) -> int:
    """Count the time that a page tells of; returns the seconds counted of the item now.

    Only time since the item was claimed, until it was submitted and not in the future counts; of it what has not been
    counted yet, on whatever item; and of one item no more than the project's rules let. An item that is held is held
    for another lease: somebody is reading it.
    """
    now = now or timezone.now()
    begin = max(assignment.claimed_at or now, now - LATEST)
    end = min(now, assignment.submitted_at or now)
    stretches = merged((max(first, begin), min(last, end)) for first, last in told)
    if assignment.status == Status.CLAIMED:
        renew(assignment)
    if not stretches:
        return assignment.active_seconds
    limit = timedelta(minutes=rules_of(assignment.stage.project_id).most_minutes_per_item)
    with transaction.atomic():
        counted = _count(WorkedInterval(rater_id=assignment.rater_id, assignment=assignment), stretches, limit)
        Assignment.objects.filter(pk=assignment.pk).update(active_seconds=counted)
    assignment.active_seconds = counted
    return counted


def record_reading(rater: Rater, activity: str, told: Sequence[Interval], now: datetime | None = None) -> int:
    """Count time on what is no item, as far as the project counts it at this moment; returns the seconds of the day's
    own that the last stretch lies in. Of a day no more counts than of an item."""
    now, rules = now or timezone.now(), rules_of(rater.project_id)
    counts = {Activity.QUIZ: rules.counts_quizzes, Activity.GUIDELINES: rules.counts_guidelines}[Activity(activity)]
    begin = max(rater.created_at, now - LATEST)
    stretches = merged((max(first, begin), min(last, now)) for first, last in told)
    if not counts or not stretches:
        return 0
    limit, zone, counted = timedelta(minutes=rules.most_minutes_per_item), zone_of(rater.user), 0
    with transaction.atomic():
        day, until = stretches[0][0].astimezone(zone).date(), stretches[-1][1]
        while (midnight := beginning_of(day, zone)) < until:
            after = beginning_of(day + timedelta(days=1), zone)
            of_day = merged((max(first, midnight), min(last, after)) for first, last in stretches)
            if of_day:
                row = WorkedInterval(rater=rater, activity=activity)
                counted = _count(row, of_day, limit, Q(begun_at__gte=midnight, begun_at__lt=after))
            day += timedelta(days=1)
    return counted


def _count(row: WorkedInterval, stretches: Sequence[Interval], limit: timedelta, which: Q | None = None) -> int:
    """Store what is new of the stretches as intervals like the row, and return the seconds that are stored then of the
    same item, or of `which` intervals of the same activity. In a transaction."""
    # Of one person one page at a time: what is free is looked up and taken without another between. An answer that
    # is handed in meanwhile holds the assignment and points at the rater, so its rows must go past this lock.
    Rater.objects.select_for_update(no_key=True).only("pk").get(pk=row.rater_id)
    around = WorkedInterval.objects.filter(
        rater=row.rater_id,
        ended_at__gte=stretches[0][0] - NEXT_TO,
        begun_at__lte=stretches[-1][1],
    )
    known = list(around.order_by("begun_at"))
    new = without(stretches, [(each.begun_at, each.ended_at) for each in known])
    of_same = (
        WorkedInterval.objects.filter(assignment=row.assignment_id)
        if row.assignment_id
        else WorkedInterval.objects.filter(which or Q(), rater=row.rater_id, activity=row.activity)
    )
    own = list(of_same.values_list("begun_at", "ended_at"))
    new = first_part(new, limit - length(own))
    _store(row, new, known)
    return int((length(own) + length(new)).total_seconds())


def _store(row: WorkedInterval, new: Sequence[Interval], known: Sequence[WorkedInterval]) -> None:
    """Each stretch as the continuation of the one before, where that was the same item's and ended right there."""
    same = [each for each in known if each.assignment_id and each.assignment_id == row.assignment_id]
    ends = {each.ended_at: each for each in same}
    added: list[WorkedInterval] = []
    for begin, end in new:
        before = ends.get(begin)
        if before is not None:
            before.ended_at = end
            before.save(update_fields=["ended_at"])
        else:
            added.append(
                WorkedInterval(
                    rater_id=row.rater_id,
                    assignment_id=row.assignment_id,
                    activity=row.activity,
                    begun_at=begin,
                    ended_at=end,
                )
            )
    WorkedInterval.objects.bulk_create(added)
