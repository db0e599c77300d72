"""Is this the draft of a localisation? No database.

A draft is `{"text": translation with its placeholders, "values": {placeholder: local value}}` (docs/ratings.md). Both
may be unfinished; what a finished one must have is said by `projects.localising.problems_of`. Texts are kept as typed.
"""

import re
from collections.abc import Mapping

from django.utils.translation import gettext as _

from projects import placeholders
from projects.localising import MAX_TEXT, MAX_VALUE, MAX_VALUES
from projects.problems import Invalid, Problem

FIELDS = ("text", "values")
# Neither database stores a null character in text, and a lone surrogate is no character at all.
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def read_draft(body: object) -> dict:
    """The draft with both its fields and nothing else. Raises Invalid with every problem found."""
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [
        Problem("unknown_field", _("There is no such field."), str(field)[:40]) for field in body if field not in FIELDS
    ]
    text = _text(body.get("text"), MAX_TEXT, "text", None, problems)
    values = {}
    given = body.get("values")
    if given is not None and not isinstance(given, Mapping):
        problems.append(Problem("not_an_object", _("This must be an object."), "values"))
    elif given is not None and len(given) > MAX_VALUES:
        message = _("There are more than %(limit)d of these.") % {"limit": MAX_VALUES}
        problems.append(Problem("too_many", message, "values"))
    else:
        for name, value in (given or {}).items():
            if not placeholders.is_name(name):
                problems.append(Problem("not_a_name", _("No placeholder has such a name."), "values", span=name[:60]))
                continue
            values[name] = _text(value, MAX_VALUE, "values", name, problems)
    if problems:
        raise Invalid(problems)
    return {"text": text, "values": values}


def _text(value: object, limit: int, field: str, name: str | None, problems: list[Problem]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.append(Problem("not_text", _("This must be text."), field, span=name))
    elif len(value) > limit:
        message = _("This is longer than %(limit)d characters.") % {"limit": limit}
        problems.append(Problem("too_long", message, field, span=name))
    elif UNSTORABLE.search(value):
        problems.append(Problem("unstorable", _("This holds a character that cannot be stored."), field, span=name))
    else:
        return value
    return ""
