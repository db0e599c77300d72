"""Texts that a browser or a program hands in: whether they can be stored."""

import re

from django.utils.translation import gettext as _

from projects.problems import Problem

# Neither database stores a null character in text, and a lone surrogate is no character at all.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# A name stands in tables, files and lines of a terminal: what breaks a line there, or turns the letters around it, is
# no part of one.
NOT_IN_NAMES = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def unbroken(text: str) -> str:
    """A browser sends a line's end as two characters, whatever was shown: what was typed has one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


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


def name_fault(name: str, limit: int) -> tuple[str, str] | None:
    """As `text_fault`, of what is to be a name: one line of letters, and not empty."""
    if not name:
        return "missing", _("This is needed.")
    if NOT_IN_NAMES.search(name):
        return "unstorable", _("A name is one line, without tabs and other characters that are not seen.")
    return text_fault(name, limit)
