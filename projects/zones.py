"""In which time zone a person's days begin: as they chose it, else as their browser last told, else the server's."""

from datetime import date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.utils import timezone

from projects.models import User

MOST_CHARACTERS = 64


@cache
def zone_names() -> tuple[str, ...]:
    """Of all zones with a place in their name, in order."""
    return tuple(
        sorted(name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))
    )


def is_zone(name: str) -> bool:
    try:
        return bool(name) and len(name) <= MOST_CHARACTERS and ZoneInfo(name) is not None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False


def zone_of(user: User | None) -> ZoneInfo:
    return named_zone(user.time_zone if user is not None else "")


def named_zone(name: str) -> ZoneInfo:
    """The zone of that name; the server's where there is none, as of who has not told theirs."""
    return ZoneInfo(name if is_zone(name) else settings.TIME_ZONE)


def today_in(zone: ZoneInfo) -> date:
    return timezone.now().astimezone(zone).date()


def beginning_of(day: date, zone: ZoneInfo) -> datetime:
    """Midnight; where clocks skip it, the first moment after."""
    return datetime.combine(day, time(), zone)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def learn_zone(user: User, name: object) -> None:
    """What the browser tells counts until the person has chosen for themselves."""
    if not user.time_zone and isinstance(name, str) and is_zone(name):
        User.objects.filter(pk=user.pk, time_zone="").update(time_zone=name)
