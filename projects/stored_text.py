"""Texts that a browser or a program hands in: whether they can be stored."""

import re

from django.utils.translation import gettext as _

from projects.problems import Problem

# Neither database stores a null character in text, and a lone surrogate is no character at all.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def text_fault(value: object, limit: int) -> tuple[str, str] | None:
    """Code and message of what is wrong with a value that is to be a text of at most `limit` code points, or None."""
    if not isinstance(value, str):
        return "not_text", _("This must be text.")
    if len(value) > limit:
        return "too_long", _("This is longer than %(limit)d characters.") % {"limit": limit}
    if (not value.isascii() and UNSTORABLE.search(value)) or "\0" in value:
        return "unstorable", _("This holds a character that cannot be stored.")
    return None


def read_text(value: object, limit: int, field: str, problems: list[Problem], span: str | None = None) -> str:
    """The text; "" where there is none, or where it has a fault, which is added to the problems."""
    if value is None:
        return ""
    if fault := text_fault(value, limit):
        problems.append(Problem(*fault, field, span=span))
        return ""
    return str(value)
