"""How much a person is handed in a day: as many items or minutes as the project says, or fewer that they set.

The day is the person's own. What is begun can always be finished; nothing more is handed out until their next midnight.
"""

from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from projects.models import Rater
from projects.prepared import Given, Prepared
from projects.zones import beginning_of, today_in, zone_of
from workflow.access import own_assignments
from workflow.models import Assignment, OwnLimits, Status, TimeRules
from workflow.refusals import Refused
from workflow.time_sheets import sheet


class Cap(NamedTuple):
    """The most of a day; None where there is no end."""

    items: int | None
    minutes: int | None


NO_CAP = Cap(None, None)


@dataclass(frozen=True)
class Caps:
    """The project's and the person's own, of which the lower holds."""

    project: Cap
    own: Cap

    @property
    def both(self) -> Cap:
        pairs = zip(self.project, self.own, strict=True)
        return Cap(*(min((each for each in pair if each is not None), default=None) for pair in pairs))


OF_RATER = Prepared(
    lambda: (
        Rater.objects.filter(pk=Given("rater", Rater))
        .select_related("project__time_rules", "own_limits")
        .only(
            "project__id",
            "project__time_rules__items_per_day",
            "project__time_rules__minutes_per_day",
            "own_limits__items_per_day",
            "own_limits__minutes_per_day",
        )
    )
)


def caps_of(rater: Rater) -> Caps:
    row = OF_RATER.first(rater=rater.pk)
    if row is None:
        return Caps(NO_CAP, NO_CAP)
    return Caps(_cap(getattr(row.project, "time_rules", None)), _cap(getattr(row, "own_limits", None)))


def _cap(row: TimeRules | OwnLimits | None) -> Cap:
    return Cap(row.items_per_day, row.minutes_per_day) if row is not None else NO_CAP


def check_day(rater: Rater) -> None:
    """Raises Refused("day_full") where the person has had as much today as a day may hold; one query where it holds no
    end, up to four more where it does."""
    cap = caps_of(rater).both
    if cap == NO_CAP:
        return
    if cap.items is not None and _items_today(rater) >= cap.items:
        raise _refusal(rater)
    if cap.minutes is not None and _seconds_today(rater) >= 60 * cap.minutes:
        raise _refusal(rater)


def refusal_of_day(rater: Rater) -> Refused | None:
    try:
        check_day(rater)
    except Refused as refused:
        return refused
    return None


def _refusal(rater: Rater) -> Refused:
    return Refused("day_full", url=reverse("my-time", args=[rater.project.slug]))


def _items_today(rater: Rater) -> int:
    """Handed in today, and begun where the person can go on with it by the next button: what lies in a stage that was
    closed, or of a kind of work that they may no longer do, would keep a whole day from them."""
    zone = zone_of(rater.user)
    done = Assignment.objects.filter(rater=rater, submitted_at__gte=beginning_of(today_in(zone), zone)).count()
    if rater.user_id is None:
        return done
    begun = own_assignments(rater.user_id).filter(rater=rater, status=Status.CLAIMED)
    closed_by_now = Q(stage__closes_when_due=True, stage__due_at__lte=timezone.now())
    return done + begun.filter(~closed_by_now, stage__is_open=True, stage__locked_at=None).count()


def _seconds_today(rater: Rater) -> int:
    today = today_in(zone_of(rater.user))
    return sum(day.seconds for day in sheet(rater, today, today))
