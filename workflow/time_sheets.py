"""Time worked by day, as the person and the lead see it: what pages told of, what was corrected, items, pay."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from operator import itemgetter
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import TruncDate

from projects.models import Project, Rater
from projects.zones import beginning_of, zone_of
from workflow.intervals import Interval
from workflow.models import Assignment, Status, TimeCorrection, TimeRules, WorkedInterval
from workflow.skipping import REASSIGNED

CENT = Decimal("0.01")
# Begun and not handed in, worked on after the project said that this does not count. What a lead took away counts.
GIVEN_BACK = Q(
    ~Q(assignment__skip_reason=REASSIGNED),
    assignment__status__in=(Status.RELEASED, Status.EXPIRED),
    rater__project__time_rules__begun_uncounted_since__lte=F("begun_at"),
)


@dataclass
class Day:
    """One rater's day. Seconds are whole; corrections may take away, but never more than there was."""

    day: date
    worked: timedelta = field(default_factory=timedelta)
    corrections: list[TimeCorrection] = field(default_factory=list)
    items: int = 0

    @property
    def corrected(self) -> int:
        return sum(each.seconds for each in self.corrections)

    @property
    def seconds(self) -> int:
        return max(0, int(self.worked.total_seconds()) + self.corrected)

    @property
    def pace(self) -> float | None:
        """Seconds an item; None on a day without any, and where no time was counted."""
        return self.seconds / self.items if self.items and self.seconds else None

    @property
    def open_request(self) -> TimeCorrection | None:
        return next((each for each in self.corrections if each.decided_at is None), None)


def by_day(intervals: Iterable[Interval], zone: ZoneInfo) -> dict[date, timedelta]:
    """The time of each day of a zone; what goes over midnight is each day's own. Asks no database."""
    days: dict[date, timedelta] = defaultdict(timedelta)
    for begin, end in intervals:
        while begin < end:
            day = begin.astimezone(zone).date()
            midnight = beginning_of(day + timedelta(days=1), zone)
            until = min(end, midnight)
            days[day] += until - begin
            begin = until.astimezone(begin.tzinfo)
    return dict(days)


def sheet(rater: Rater, first: date, last: date) -> list[Day]:
    """The rater's days from the first to the last on which something was done, asked or corrected, the latest first.
    Three queries."""
    found = _days_of(Q(rater=rater), zone_of(rater.user), first, last)
    return found.get(rater.pk, [])


def sheets(project: Project, first: date, last: date) -> Iterator[tuple[Rater, list[Day]]]:
    """The days of everybody who worked in the project, each in their own zone; three queries for each zone of its
    people, and one. Whose account is gone has worked all the same: their days are the server's."""
    here = project.raters.filter(kind="human").select_related("user").order_by("pseudonym")
    raters = list(here.filter(Q(user__isnull=False) | Exists(WorkedInterval.objects.filter(rater=OuterRef("pk")))))
    days: dict[int, list[Day]] = {}
    for user in {rater.user and rater.user.time_zone: rater.user for rater in raters}.values():
        those = Q(rater__user__time_zone=user.time_zone) if user is not None else Q(rater__user=None)
        days |= _days_of(Q(rater__project=project) & those, zone_of(user), first, last)
    yield from ((rater, days[rater.pk]) for rater in raters if rater.pk in days)


def _days_of(raters: Q, zone: ZoneInfo, first: date, last: date) -> dict[int, list[Day]]:
    """Of each of some raters in one zone; `raters` is a condition on rows that have a rater."""
    begin, end = beginning_of(first, zone), beginning_of(last + timedelta(days=1), zone)
    days: dict[int, dict[date, Day]] = defaultdict(dict)
    stretches = WorkedInterval.objects.filter(raters, ended_at__gt=begin, begun_at__lt=end).order_by("rater_id")
    stretches = stretches.exclude(GIVEN_BACK)
    rows = stretches.values_list("rater_id", "begun_at", "ended_at").iterator()
    for rater, own in groupby(rows, itemgetter(0)):
        worked = by_day(((max(start, begin), min(stop, end)) for _rater, start, stop in own), zone)
        days[rater] = {day: Day(day, worked=time) for day, time in worked.items()}
    done = Assignment.objects.filter(raters, submitted_at__gte=begin, submitted_at__lt=end).order_by()
    by_date = done.annotate(day=TruncDate("submitted_at", tzinfo=zone)).values_list("rater_id", "day")
    for rater, day, count in by_date.annotate(count=Count("pk")):
        days[rater].setdefault(day, Day(day)).items = count
    for correction in TimeCorrection.objects.filter(raters, day__range=(first, last)):
        own_days = days[correction.rater_id]
        own_days.setdefault(correction.day, Day(correction.day)).corrections.append(correction)
    return {rater: [own[day] for day in sorted(own, reverse=True)] for rater, own in days.items()}


def pay(seconds: int, rules: TimeRules) -> Decimal | None:
    """What so much time is paid with, to the hundredth; None where the project sets no rate."""
    if rules.hourly_rate is None:
        return None
    return (Decimal(seconds) * rules.hourly_rate / 3600).quantize(CENT, ROUND_HALF_UP)


@dataclass(frozen=True)
class Total:
    """Several days together."""

    seconds: int
    items: int
    pay: Decimal | None

    @property
    def pace(self) -> float | None:
        """As of a day."""
        return self.seconds / self.items if self.items and self.seconds else None


def total(days: Iterable[Day], rules: TimeRules) -> Total:
    days = list(days)
    seconds = sum(day.seconds for day in days)
    return Total(seconds, sum(day.items for day in days), pay(seconds, rules))


CSV_COLUMNS = ("person", "day", "seconds_worked", "seconds_corrected", "seconds", "items", "pay", "currency", "reasons")


def csv_rows(person: str, days: Iterable[Day], rules: TimeRules) -> Iterator[list[object]]:
    """One row a day under CSV_COLUMNS."""
    for day in sorted(days, key=lambda each: each.day):
        paid = pay(day.seconds, rules)
        reasons = " / ".join(each.reason for each in day.corrections if each.reason)
        worked = int(day.worked.total_seconds())
        yield [
            *(person, day.day.isoformat(), worked, day.corrected, day.seconds, day.items),
            *("" if paid is None else paid, rules.currency, reasons),
        ]
