"""What the screens of several kinds of work are told in the same words."""

from typing import Any

from django.db.models import TextChoices

from projects.anchors import paragraphs
from projects.models import Response


def shown_text(response: Response) -> dict[str, Any]:
    """A response with its language, direction and paragraphs, as half-open code-point offsets; needs `variety`."""
    return {
        "text": response.text,
        "lang": response.variety.tag,
        "dir": response.variety.direction,
        "paragraphs": [list(place) for place in paragraphs(response.text)],
    }


def choices_of(choices: type[TextChoices]) -> list[dict[str, str]]:
    """The choices of a field with their labels in the reader's language."""
    return [{"value": value, "label": str(label)} for value, label in choices.choices]
