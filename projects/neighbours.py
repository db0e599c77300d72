"""From the page of one response or pair to those before and after it, and to any other by its key."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from projects.models import Response, ResponsePair

Named = dict[str, Any]  # its `key` and where it is `at` (uuid or id): texts are not read
MOST_FOUND = 20
LONGEST = 200  # of a key, and so of what is looked for


@dataclass(frozen=True)
class Neighbours:
    """In the order of keys; None at either end. `found` has the words in its key, `is_cut` says whether more has."""

    previous: Named | None
    following: Named | None
    words: str = ""
    found: tuple[Named, ...] = ()
    is_cut: bool = False


def neighbours(rows: QuerySet, current: Response | ResponsePair, words: str = "", by: str = "uuid") -> Neighbours:
    """Two queries by the index of keys, and one more where something is looked for.

    rows  responses or pairs of one project, which have a `key`; `by` is the field that the address of a page names.
    """
    words = words.replace("\0", "").strip()[:LONGEST]
    light, key = rows.values("key", at=F(by)), current.key
    found = list(light.filter(key__icontains=words).order_by("key")[: MOST_FOUND + 1]) if words else []
    return Neighbours(
        previous=light.filter(key__lt=key).order_by("-key").first(),
        following=light.filter(key__gt=key).order_by("key").first(),
        words=words,
        found=tuple(found[:MOST_FOUND]),
        is_cut=len(found) > MOST_FOUND,
    )
