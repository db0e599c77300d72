"""Is this the draft of a localisation? No database.

A draft is `{"text": translation with its placeholders, "values": {placeholder: local value}}` (docs/ratings.md), with
`"rejected": true` where the speaker has put aside what a model drafted. Both may be unfinished; what a finished one
must have is said by `projects.localising.problems_of`. Texts are kept as typed.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from projects import placeholders
from projects.localising import MAX_TEXT, MAX_VALUE, MAX_VALUES
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

FIELDS = ("text", "values", "rejected")


def read_draft(body: object) -> dict:
    """The draft with its fields and nothing else. Raises Invalid with every problem found."""
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [
        Problem("unknown_field", _("There is no such field."), str(field)[:40]) for field in body if field not in FIELDS
    ]
    text = read_text(body.get("text"), MAX_TEXT, "text", problems)
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
            values[name] = read_text(value, MAX_VALUE, "values", problems, name)
    rejected = body.get("rejected", False)
    if not isinstance(rejected, bool):
        problems.append(Problem("not_true_or_false", _("This must be true or false."), "rejected"))
    if problems:
        raise Invalid(problems)
    return {"text": text, "values": values, **({"rejected": True} if rejected else {})}
