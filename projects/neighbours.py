"""From the page of one response to those before and after it, and to any other by its key."""

from dataclasses import dataclass
from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet

from projects.models import Response

MOST_FOUND = 20
LONGEST = 200  # of a key, and so of what is looked for


class Named(TypedDict):
    """A response without its text, which is not read."""

    uuid: UUID
    key: str


@dataclass(frozen=True)
class Neighbours:
    """In the order of keys; None at either end. `found` has the words in its key, `is_cut` says whether more has."""

    previous: Named | None
    following: Named | None
    words: str = ""
    found: tuple[Named, ...] = ()
    is_cut: bool = False


def neighbours(responses: QuerySet[Response], current: Response, words: str = "") -> Neighbours:
    """Two queries by the index of keys, and one more where something is looked for."""
    words = words.replace("\0", "").strip()[:LONGEST]
    light = responses.values("uuid", "key")
    found = list(light.filter(key__icontains=words).order_by("key")[: MOST_FOUND + 1]) if words else []
    return Neighbours(
        previous=light.filter(key__lt=current.key).order_by("-key").first(),
        following=light.filter(key__gt=current.key).order_by("key").first(),
        words=words,
        found=tuple(found[:MOST_FOUND]),
        is_cut=len(found) > MOST_FOUND,
    )
