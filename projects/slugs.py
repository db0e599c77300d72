"""Short names for what people call by long ones, in any script."""

from collections.abc import Collection

from django.utils.text import slugify

LONGEST = 50


def free_slug(name: str, taken: Collection[str], fallback: str) -> str:
    """The name in Latin letters, or `fallback` where it has none; with a number behind it where it is taken."""
    base = slugify(name)[:LONGEST] or fallback
    free = (slug for number in range(1, 100_000) if (slug := base if number == 1 else f"{base}-{number}") not in taken)
    return next(free)
