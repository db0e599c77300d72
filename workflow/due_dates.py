"""Until when the work of a stage is to be done: what a lead sets, what ends by it, and who will not be ready by then.

A moment is said as the clocks of a zone show it and kept in UTC with the name of the zone; everybody reads it in their
own. Nothing ends with it unless the lead wants the stage to close then.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil, floor
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from projects.zones import is_zone
from workflow.models import Assignment, Stage, Status
from workflow.progress import PACE_DAYS, StageProgress

CLOSED_AT_ONCE = 500
# Of the people of a stage who will not be ready, those with the most left are named on its page.
MOST_NAMED = 20
#: What nobody else can do: what ran out went back to everybody.
HELD = (Status.CLAIMED, Status.RESERVED)

# --- Said and kept ------------------------------------------------------------------------------------


def in_zone(moment: datetime, zone: str) -> datetime:
    """In UTC what the clocks of a zone show; an hour that they skip is the one after it."""
    return moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def as_said(stage: Stage) -> dict[str, Any]:
    """The date as it was set: `due` as the clocks of `zone` show it, or None; and whether the stage closes then."""
    if stage.due_at is None:
        return {"due": None, "zone": "", "closes": False}
    # An archive of another installation may name a zone that this one does not know.
    zone = stage.due_zone if is_zone(stage.due_zone) else settings.TIME_ZONE
    return {
        "due": f"{stage.due_at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}",
        "zone": zone,
        "closes": stage.closes_when_due,
    }


def set_due(stage: Stage, due: datetime | None, zone: str, closes: bool) -> None:
    """Set the date on the row, without saving it; `due` as the clocks of the zone show it. Raises Invalid."""
    problems = []
    if due is not None and not is_zone(zone):
        problems.append(
            Problem("unknown", _("There is no such time zone. Examples: Africa/Cairo, Asia/Dhaka."), "zone")
        )
    elif closes and due is None:
        problems.append(Problem("required", _("Say when."), "due"))
    elif closes and due is not None and stage.is_open and in_zone(due, zone) <= timezone.now():
        problems.append(Problem("over", _("This moment is over, so the stage would close at once."), "closes"))
    if problems:
        raise Invalid(problems)
    stage.due_at = in_zone(due, zone) if due is not None else None
    stage.due_zone = zone if due is not None else ""
    stage.closes_when_due = closes


def change_due(stage: Stage, due: datetime | None, zone: str, closes: bool, actor: User) -> None:
    """Another date from now on; raises Invalid."""
    before = as_said(stage)
    with transaction.atomic():
        set_due(stage, due, zone or settings.TIME_ZONE, closes)
        if as_said(stage) != before:
            stage.save(update_fields=["due_at", "due_zone", "closes_when_due"])
            record("stage.changed", actor=actor, project=stage.project, subject=stage.name, **as_said(stage))


def close_what_is_due() -> int:
    """Close the stages that their leads wanted closed by now; return how many. Called by the clock."""
    wanted = Q(closes_when_due=True, due_at__lte=timezone.now())
    closed = 0
    for stage in Stage.objects.filter(wanted).select_related("project").order_by("pk")[:CLOSED_AT_ONCE]:
        with transaction.atomic():
            # The lead may have moved the date meanwhile.
            if not Stage.objects.filter(wanted, pk=stage.pk).update(is_open=False, closes_when_due=False):
                continue
            if stage.is_open:
                record("stage.closed", actor=None, project=stage.project, subject=stage.name, **as_said(stage))
                closed += 1
    return closed


# --- Who will not be ready ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Late:
    """A language, or a person by their pseudonym, with more answers left than the pace of the last days brings."""

    who: Any
    left: int
    recent: int
    days_left: float

    @property
    def pace(self) -> float:
        """Answers a day."""
        return self.recent / PACE_DAYS

    @property
    def needed(self) -> float | None:
        """Answers a day from now on; None where the date is over."""
        return self.left / self.days_left if self.days_left > 0 else None

    @property
    def told(self) -> tuple[float, float] | None:
        """Both in tenths as they are told: less never reads as the same."""
        if self.needed is None:
            return None
        return floor(round(self.pace * 10, 6)) / 10, ceil(round(self.needed * 10, 6)) / 10


@dataclass
class Outlook:
    """Of a stage with a date: whose work will not be done by then. A language is everybody's who works in it; a person
    is asked about what they have begun or what was kept for them alone, for nobody else can do it."""

    is_over: bool
    left: int
    languages: list[Late] = field(default_factory=list)
    people: list[Late] = field(default_factory=list)

    @property
    def named(self) -> list[Late]:
        return sorted(self.people, key=lambda late: -late.left)[:MOST_NAMED]

    @property
    def others(self) -> str:
        """How many more people there are, in words."""
        more = len(self.people) - MOST_NAMED
        return ngettext("And %(n)d more.", "And %(n)d more.", more) % {"n": more} if more > 0 else ""


def outlooks(listed: Iterable[StageProgress]) -> dict[int, Outlook]:
    """Of the stages with a date and something left, by id; one query, where there are any."""
    now = timezone.now()
    due = {each.stage.pk: each for each in listed if each.stage.due_at is not None}
    found: dict[int, Outlook] = {}
    people = _held_by_people(list(due)) if due else {}
    for pk, each in due.items():
        assert each.stage.due_at is not None
        days = (each.stage.due_at - now) / timedelta(days=1)
        outlook = Outlook(days <= 0, sum(cell.left for cell in each.cells))
        rows = [Late(cell.variety, cell.left, cell.recent, days) for cell in each.cells]
        outlook.languages = [late for late in rows if is_late(late)]
        outlook.people = [late for late in (Late(*row, days) for row in people.get(pk, ())) if is_late(late)]
        if outlook.left or outlook.people:
            found[pk] = outlook
    return found


def is_late(row: Late) -> bool:
    """Whether less comes in by then than is left, at the pace of the last days."""
    return row.left > row.pace * max(row.days_left, 0)


def _held_by_people(stages: list[int]) -> dict[int, list[tuple[str, int, int]]]:
    """By stage: pseudonym, items that nobody else can do, and what they handed in over the last days."""
    since = timezone.now() - timedelta(days=PACE_DAYS)
    rows = Assignment.objects.filter(stage__in=stages).order_by().values("stage", "rater__pseudonym")
    held = rows.annotate(
        held=Count("pk", filter=Q(status__in=HELD)),
        recent=Count("pk", filter=Q(status=Status.SUBMITTED, submitted_at__gte=since)),
    )
    found = defaultdict(list)
    for row in held.filter(held__gt=0).order_by("rater__pseudonym"):
        found[row["stage"]].append((row["rater__pseudonym"], row["held"], row["recent"]))
    return found
