"""Is this a grade, finished or not? No database.

A body is {"verdicts": {"<criterion key>": "pass"|"fail"|"present"|"absent"}, "negatives": [...], "comment": "..."};
a negative is {"key", "text", "weight", "failure_type", "objectivity", "explicitness", "start", "end", "quote"}, of
which all but the key may be absent, null or empty while it is written. Offsets are half-open code points.
"""

from collections.abc import Container, Mapping
from typing import Any

from django.utils.translation import gettext as _

from formats.limits import MAX_COMMENT, MAX_ERRORS, MAX_KEY, MAX_WEIGHT
from projects.anchors import check_anchor
from projects.problems import Invalid, Problem
from projects.stored_text import UNSTORABLE, read_text
from projects.vocabularies import Words
from rubrics.models import Explicitness, Objectivity, VerdictValue

MAX_VERDICTS = 1000
FIELDS = ("key", "text", "weight", "failure_type", "objectivity", "explicitness", "start", "end", "quote")
CHOICES = {
    "objectivity": frozenset(Objectivity.values),
    "explicitness": frozenset(Explicitness.values),
}
OF_POSITIVE = frozenset({VerdictValue.PASS.value, VerdictValue.FAIL.value})
OF_NEGATIVE = frozenset({VerdictValue.PRESENT.value, VerdictValue.ABSENT.value})


def blank() -> dict:
    """A grade nobody has begun."""
    return {"verdicts": {}, "negatives": [], "comment": ""}


def check_draft(body: object, text: str, types: Words) -> dict:
    """The body with every field in its place: well-formed, its quotes anchored in `text`, though unfinished.

    `types` are the project's types of failure. Raises Invalid with every problem found; those of a negative criterion
    name its key as `span`.
    """
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [_unknown(field) for field in body if field not in ("verdicts", "negatives", "comment")]
    verdicts = _verdicts(body.get("verdicts", {}), problems)
    negatives = _negatives(body.get("negatives", []), text, types, problems)
    comment = read_text(body.get("comment"), MAX_COMMENT, "comment", problems)
    if problems:
        raise Invalid(problems)
    return {"verdicts": verdicts, "negatives": negatives, "comment": comment}


def check_complete(draft: Mapping[str, Any], asked: Mapping[str, bool], types: Words) -> None:
    """Raise Invalid where a checked draft is not yet an answer, with every problem in the order of the screen.

    `asked` holds the criteria the grader is asked about: their keys, and whether each is positive.
    """
    problems = []
    for key, is_positive in asked.items():
        value = draft["verdicts"].get(key)
        if value is None:
            message = _("Decide whether this passes or fails.") if is_positive else _("Decide whether this is there.")
            problems.append(Problem("required", message, "verdict", span=key))
        elif value not in (OF_POSITIVE if is_positive else OF_NEGATIVE):
            problems.append(Problem("misfit", _("This verdict does not fit the criterion."), "verdict", span=key))
    for key in draft["verdicts"]:
        if key not in asked:
            message = _("This criterion is not asked about here. Reload the page; what you wrote is kept.")
            problems.append(Problem("unknown_criterion", message, "verdicts", span=key))
    seen: dict[tuple, str] = {}
    for negative in draft["negatives"]:
        problems += _unfinished(negative, types)
        same = seen.setdefault(_claim(negative), negative["key"])
        if same != negative["key"]:
            message = _("This repeats another error on the same words. Change or delete one of them.")
            problems.append(Problem("repeated", message, "text", span=negative["key"]))
    if problems:
        raise Invalid(problems)


def _unfinished(negative: Mapping[str, Any], types: Words) -> list[Problem]:
    required = {
        "text": (negative["text"].strip(), _("Say what is wrong.")),
        "weight": (negative["weight"] is not None, _("Give the points it takes away.")),
        "failure_type": (negative["failure_type"] or not types, _("Choose the type of failure.")),
        "objectivity": (negative["objectivity"], _("Choose objective or subjective.")),
        "explicitness": (negative["explicitness"], _("Choose explicit or implicit.")),
    }
    problems = [
        Problem("required", message, field, span=negative["key"])
        for field, (given, message) in required.items()
        if not given
    ]
    if negative["failure_type"] in types.missing and negative["start"] is not None:
        message = _("What is missing has no words to point at. Take the words away, or choose another type.")
        problems.append(Problem("contradiction", message, "quote", span=negative["key"]))
    return problems


def _claim(negative: Mapping[str, Any]) -> tuple:
    return (negative["start"], negative["end"], negative["failure_type"], negative["text"].strip())


def _unknown(field: object) -> Problem:
    return Problem("unknown_field", _("There is no such field."), str(field)[:40])


def _verdicts(raw: object, problems: list[Problem]) -> dict[str, str]:
    if not isinstance(raw, Mapping):
        problems.append(Problem("not_an_object", _("The verdicts must be an object."), "verdicts"))
        return {}
    if len(raw) > MAX_VERDICTS:
        problems.append(Problem("too_many", _("There are more verdicts than criteria."), "verdicts"))
        return {}
    for key, value in raw.items():
        if not isinstance(key, str) or not 0 < len(key) <= MAX_KEY or UNSTORABLE.search(key):
            problems.append(Problem("unknown_criterion", _("This is not the key of a criterion."), "verdicts"))
        elif not isinstance(value, str) or value not in OF_POSITIVE | OF_NEGATIVE:
            problems.append(Problem("unknown", _("Choose one of the verdicts."), "verdict", span=key))
    return dict(raw)


def _negatives(raws: object, text: str, types: Words, problems: list[Problem]) -> list[dict]:
    if not isinstance(raws, list):
        problems.append(Problem("not_a_list", _("The errors must be a list."), "negatives"))
        return []
    if len(raws) > MAX_ERRORS:
        message = _("One grade can carry %(limit)d errors at most; these are %(count)d.")
        numbers = {"limit": MAX_ERRORS, "count": len(raws)}
        problems.append(Problem("too_many", message % numbers, "negatives"))
        return []
    checked: list[dict] = []
    keys: set[str] = set()
    for index, raw in enumerate(raws):
        key = raw.get("key") if isinstance(raw, Mapping) else None
        if not isinstance(key, str) or not 0 < len(key) <= MAX_KEY or UNSTORABLE.search(key):
            message = _("Each error needs a key of its own.")
            problems.append(Problem("required", message, f"negatives[{index}].key"))
        elif key in keys:
            problems.append(Problem("repeated", _("Two errors have the same key."), "key", span=key))
        else:
            keys.add(key)
            try:
                checked.append(check_negative(raw, text, types))
            except Invalid as refused:
                problems += [Problem(each.code, each.message, each.field, span=key) for each in refused.problems]
    return checked


def check_negative(raw: Mapping[str, Any], text: str, types: Words) -> dict:
    """A negative criterion with every field, unfinished or not; its quote is at its place in `text`, or it has none.

    Raises Invalid with every problem, each naming its field.
    """
    problems = [_unknown(field) for field in raw if field not in FIELDS]
    start, end, quote = _place(raw, text, problems)
    negative = {
        "key": raw["key"],
        "text": read_text(raw.get("text"), MAX_COMMENT, "text", problems),
        "weight": _weight(raw, problems),
        "failure_type": _choice(raw, "failure_type", types, problems, types.refusal()),
        **{field: _choice(raw, field, known, problems) for field, known in CHOICES.items()},
        "start": start,
        "end": end,
        "quote": quote,
    }
    if problems:
        raise Invalid(problems)
    return negative


def _place(raw: Mapping[str, Any], text: str, problems: list[Problem]) -> tuple[int | None, int | None, str]:
    start, end, quote = raw.get("start"), raw.get("end"), raw.get("quote")
    if start is None and end is None and not quote:
        return None, None, ""
    try:
        return start, end, check_anchor(text, start, end, quote if isinstance(quote, str) else "")
    except Invalid as refused:
        problems += refused.problems
        return None, None, ""


def _weight(raw: Mapping[str, Any], problems: list[Problem]) -> int | None:
    value = raw.get("weight")
    if value is None:
        return None
    if type(value) is not int:  # true is an int to Python, and never a weight to us
        problems.append(Problem("not_whole_number", _("A weight must be a whole number."), "weight"))
        return None
    if not -MAX_WEIGHT <= value < 0:
        message = _("An error takes away between 1 and %(most)d points.") % {"most": MAX_WEIGHT}
        problems.append(Problem("out_of_range", message, "weight"))
        return None
    return value


def _choice(
    raw: Mapping[str, Any], field: str, known: Container[str], problems: list[Problem], refusal: str = ""
) -> str:
    value = raw.get(field) or ""
    if value and (not isinstance(value, str) or value not in known):
        problems.append(Problem("unknown", refusal or _("This is not one of the choices."), field))
        return ""
    return value
