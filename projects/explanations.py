"""In which language a project's people explain what they find, and so its judges by default.

One of three: "" (English, as the first prompts of judges ask for), `response` (of each response the language it is in),
or a language tag.
"""

from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from projects.languages import names
from projects.languages.tags import NotATag, read_tag
from projects.models import Project

OF_RESPONSE = "response"
MAX = 35  # of a language tag
#: Tags that are registered and name no language: unknown, several, uncoded, none.
NO_LANGUAGE = ("und", "mul", "mis", "zxx")


def tidied(value: Any) -> str:
    """The value as it is kept. Raises NotATag where it is none of the three."""
    if value in (None, "", OF_RESPONSE):
        return value or ""
    if not isinstance(value, str) or len(value) > MAX:
        raise NotATag(str(value)[:MAX], [])
    tag = read_tag(value.strip())
    if tag.split("-")[0] in NO_LANGUAGE:
        raise NotATag(value)
    return tag


def in_words(value: str) -> str:
    """In the reader's language."""
    return _("the language of each response") if value == OF_RESPONSE else names.name(value, get_language() or "en")


def choices(project: Project | None, unset: Any, kept: str = "") -> list[tuple[str, Any]]:
    """What a page offers: `unset` says what is meant where nothing is chosen; then the project's languages, English and
    what is `kept`. Any other tag goes by file and API."""
    tags = project.varieties.values_list("variety__tag", flat=True) if project and project.pk else []
    offered = dict.fromkeys([*tags, "en", *([kept] if kept and kept != OF_RESPONSE else [])])
    return [("", unset), *((value, in_words(value)) for value in (OF_RESPONSE, *offered))]
