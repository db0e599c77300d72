"""Laboratories by the names they have in a file."""

from django.utils.text import slugify

from projects.models import Laboratory


def laboratory_slug(laboratory: str) -> str:
    """“Delta Lab”, “delta_lab” and “delta-lab” are one laboratory: it is known by its short name. May be empty."""
    return slugify(laboratory.replace("_", " "))[:60]


def find_laboratory(name: str) -> tuple[Laboratory | None, bool]:
    """The laboratory, created where it is new, and whether it was; None where the name gives no short name."""
    slug = laboratory_slug(name)
    if not slug:
        return None, False
    return Laboratory.objects.get_or_create(slug=slug, defaults={"name": name})
