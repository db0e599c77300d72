"""Are these answers to what a stage asks? One path for screen, API and imports; no database.

A draft's body is `{"answers": {key: value}}`, a value by the key of each part that was answered:

    choice    one of its options              choices   a list of its options
    scale     a whole grade                   number    a number
    text      a text                          ranking   {response: rank from 1, the best}

Responses are named by what the screen calls them (`annotation/questionnaires/shown.py`). A part without a value, or
whose value is null or empty, is open.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.questionnaires.rules import Rules, broken, is_open, left_open
from formats.layout import Asked, Type
from formats.limits import MAX_COMMENT
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

#: So many parts a draft may answer; more than any stage asks.
MAX_ANSWERS = 200
MAX_NAME = 200
FARTHEST = 1e15


def read_draft(body: object, parts: Sequence[Asked], responses: Sequence[str]) -> dict:
    """The body with a value for every part that has one, though some may still be open.

    responses  the names of those that can be ranked.

    Raises Invalid with every problem found; each names the key of its part as `span`.
    """
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [
        Problem("unknown_field", _("There is no such field."), str(field)[:40]) for field in body if field != "answers"
    ]
    given = body.get("answers", {})
    if not isinstance(given, Mapping):
        raise Invalid([*problems, Problem("not_an_object", _("This must be an object."), "answers")])
    if len(given) > MAX_ANSWERS:
        message = _("There are more than %(limit)d of these.") % {"limit": MAX_ANSWERS}
        raise Invalid([*problems, Problem("too_many", message, "answers")])
    asked = {part.key: part for part in parts}
    read: dict[str, Any] = {}
    for key, value in given.items():
        if key not in asked:
            message = _("This question is not asked about here. Reload the page; what you wrote is kept.")
            problems.append(Problem("unknown_question", message, "answers", span=str(key)[:MAX_NAME]))
        elif not is_open(value):
            found = _value(asked[key], value, responses, problems)
            if not is_open(found):
                read[key] = found
    if problems:
        raise Invalid(problems)
    return {"answers": {part.key: read[part.key] for part in parts if part.key in read}}


def check_complete(
    draft: Mapping[str, Any],
    parts: Sequence[Asked],
    responses: Sequence[str],
    rules: Rules = (),
    may_be_empty: bool = False,
) -> dict:
    """A checked draft as an answer. Raises Invalid with every part that is still open, in the order of the screen, and
    every blocking one of the stage's `rules` that it does not keep; parts that they leave open may be. All of them may
    stay open where something else is said beside them (`may_be_empty`)."""
    answers, problems = draft["answers"], []
    unasked = left_open(rules, answers)
    for part in parts:
        value = answers.get(part.key)
        if value is None:
            if not part.is_optional and part.key not in unasked:
                problems.append(Problem("required", missing(part), part.key, span=part.key))
        elif part.type == Type.RANKING and set(value) != set(responses):
            problems.append(Problem("required", missing(part), part.key, span=part.key))
    problems += [each.problem for each in broken(rules, answers) if not each.warns]
    if not answers and not problems and not may_be_empty:
        problems.append(Problem("required", _("Nothing is answered yet."), "answers"))
    if problems:
        raise Invalid(problems)
    return {"answers": dict(answers)}


def missing(part: Asked) -> str:
    """What is said where a part is open."""
    if part.type == Type.RANKING:
        return _("Each response needs its rank.")
    return _("An answer is missing.")


def _value(part: Asked, value: object, responses: Sequence[str], problems: list[Problem]) -> Any:
    def refuse(code: str, message: str) -> None:
        problems.append(Problem(code, message, part.key, span=part.key))

    if part.type == Type.CHOICE:
        if value in part.options:
            return value
        refuse("not_a_choice", _("This is none of the answers that are offered."))
    elif part.type == Type.CHOICES:
        return _choices(part, value, refuse)
    elif part.type == Type.SCALE:
        if type(value) is int and part.lowest <= value <= part.highest:  # type: ignore[operator]
            return value
        message = _("A grade lies between %(lowest)d and %(highest)d.")
        refuse("off_scale", message % {"lowest": part.lowest, "highest": part.highest})
    elif part.type == Type.NUMBER:
        return _number(part, value, refuse)
    elif part.type == Type.RANKING:
        return _ranking(part, value, responses, refuse)
    else:
        faults: list[Problem] = []
        text = read_text(value, MAX_COMMENT, part.key, faults, part.key)
        problems += faults
        return text
    return None


def _choices(part: Asked, value: object, refuse: Any) -> list[str] | None:
    if type(value) is not list or any(one not in part.options for one in value) or len(set(value)) < len(value):
        refuse("not_a_choice", _("This is none of the answers that are offered."))
        return None
    if part.most is not None and len(value) > part.most:
        refuse("too_many", _("At most %(most)d of these can be chosen.") % {"most": part.most})
        return None
    return [option for option in part.options if option in value]


def _number(part: Asked, value: object, refuse: Any) -> float | int | None:
    if type(value) not in (int, float) or abs(value) > FARTHEST or not math.isfinite(value):  # type: ignore[arg-type]
        refuse("not_a_number", _("A number is expected."))
        return None
    number: float = value  # type: ignore[assignment]
    if (part.lowest is not None and number < part.lowest) or (part.highest is not None and number > part.highest):
        refuse("off_scale", _("The number lies outside what is asked for."))
        return None
    return number


def _ranking(part: Asked, value: object, responses: Sequence[str], refuse: Any) -> dict[str, int] | None:
    """Ranks are those of the responses in hand: one that is gone has none any more."""
    if not isinstance(value, Mapping) or len(value) > MAX_ANSWERS:
        refuse("not_an_object", _("This must be an object."))
        return None
    ranks = {name: rank for name, rank in value.items() if name in responses and rank is not None}
    if any(type(rank) is not int or not 1 <= rank <= len(responses) for rank in ranks.values()):
        refuse("off_scale", _("A rank lies between 1 and %(last)d.") % {"last": len(responses)})
        return None
    if not part.has_ties and len(set(ranks.values())) < len(ranks):
        refuse("tied", _("Each rank is given once."))
        return None
    return {name: ranks[name] for name in responses if name in ranks}
