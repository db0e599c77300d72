"""In which size, line height and line width a person reads texts that are judged: kept with the account."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from projects.models import User
from projects.problems import Invalid, Problem
from workflow.models import OwnReading
from workflow.models.own_reading import LEAST, MOST, PARTS

#: What is offered of each, in percent of what is usual (templates/theme_menu.html).
OFFERED = {"size": (85, 100, 120, 140), "leading": (75, 100, 125, 150), "width": (75, 100, 125, 150)}


def of_person(user: int | None) -> dict[str, int]:
    """Percent by part. One statement."""
    row = OwnReading.objects.filter(pk=user).first()
    return {part: getattr(row, part) if row else 100 for part in PARTS}


def told(user: int | None) -> str:
    """What the head of a page says of it (templates/base.html): size, line height and line width, in percent."""
    return " ".join(map(str, of_person(user).values()))


def keep(user: User, given: Mapping[str, str]) -> dict[str, int]:
    """Keep the parts that are given, the others as they are, and return all. Raises Invalid for what is no percentage
    that can be read."""
    parts = {part: _percent(given[part], part) for part in PARTS if part in given}
    # The others are not written: another device may tell one of them in the same moment.
    OwnReading.objects.update_or_create(pk=user.pk, defaults=parts)
    return of_person(user.pk)


def _percent(value: str, part: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) <= 3 and LEAST <= int(value) <= MOST):
        message = _("This is a number from %(least)d to %(most)d.") % {"least": LEAST, "most": MOST}
        raise Invalid(Problem("out_of_range", message, part))
    return int(value)
