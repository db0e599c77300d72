"""The parts of a questionnaire as a judge is asked them: in words, as the JSON Schema of the answer, and read.

Of several responses each is called by its letter, in the order in which they are shown. No database.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.questionnaires.checking import check_complete, read_draft
from annotation.questionnaires.shown import LETTERS
from formats.layout import Asked, Type
from judging.kinds import WrongAnswer
from judging.kinds.forms import check_field, check_keys, closed
from judging.kinds.ratings import check_grade
from judging.prompts import Templates, fill
from projects.problems import Invalid

TEXT = {"type": "string"}
ONE, MANY, GRADE, NUMBER, WORDS, RANKS = "one_of", "any_of", "grade", "number", "words", "ranks"


def in_words(parts: Sequence[Asked], templates: Templates) -> str:
    """Each part under its key: the question, and what an answer to it is."""
    return "\n".join(_in_words(part, templates) for part in parts)


def _in_words(part: Asked, templates: Templates) -> str:
    said = [f"- {part.key}: {part.question}", *([f"  {part.help}"] if part.help else [])]
    said.append("  " + " ".join(_form_in_words(part, templates)))
    said += [f"  - {json.dumps(option, ensure_ascii=False)}" for option in part.options]
    return "\n".join(said)


def _form_in_words(part: Asked, templates: Templates) -> list[str]:
    """Sentences that say what an answer to the part is."""

    def phrase(name: str, **values: Any) -> str:
        return fill(templates.phrase(name), {key: _plain(value) for key, value in values.items()})

    forms = {
        Type.CHOICE: ONE,
        Type.CHOICES: MANY,
        Type.NUMBER: NUMBER,
        Type.TEXT: WORDS,
        Type.RANKING: "ties" if part.has_ties else RANKS,
    }
    if part.type == Type.SCALE:
        said = [phrase(GRADE, lowest=part.lowest, highest=part.highest)]
    else:
        said = [phrase(forms[Type(part.type)])]
    if part.type == Type.NUMBER:
        said += [phrase(name, number=end) for name, end in _ends(part) if end is not None]
    if part.ends:
        first, last = part.ends
        said.append(phrase("ends", lowest=part.lowest, first=first, highest=part.highest, last=last))
    if part.type == Type.CHOICES and not part.is_optional:
        said.append(phrase("least"))
    if part.most is not None:
        said.append(phrase("most", most=part.most))
    if part.is_optional:
        said.append(phrase("optional"))
    return said


def _ends(part: Asked) -> tuple[tuple[str, float | None], ...]:
    return (("lowest", part.lowest), ("highest", part.highest))


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def schema_of(parts: Sequence[Asked], responses: int) -> dict[str, Any]:
    """JSON Schema of the answer about so many responses: ticket, reasoning, and a value under the key of each part."""
    answers = closed({part.key: _schema(part, responses) for part in parts})
    return closed({"ticket": TEXT, "reasoning": TEXT, "answers": answers})


def _schema(part: Asked, responses: int) -> dict[str, Any]:
    if part.type == Type.CHOICES:
        # Of any of several none is an empty list, also where the part may be left open.
        return {"type": "array", "items": {"type": "string", "enum": list(part.options)}}
    if part.type == Type.RANKING:
        rank = _grades(1, responses)
        return _open(closed(dict.fromkeys(LETTERS[:responses], rank)), part)
    if part.type == Type.CHOICE:
        return _open({"type": "string", "enum": list(part.options)}, part)
    if part.type == Type.SCALE:
        assert part.lowest is not None
        assert part.highest is not None
        return _open(_grades(int(part.lowest), int(part.highest)), part)
    return _open({"type": "number"} if part.type == Type.NUMBER else dict(TEXT), part)


def _grades(lowest: int, highest: int) -> dict[str, Any]:
    return {"type": "integer", "enum": list(range(lowest, highest + 1))}


def _open(form: dict[str, Any], part: Asked) -> dict[str, Any]:
    """Null is an answer to a part that may be left open."""
    if not part.is_optional:
        return form
    enum = {"enum": [*form["enum"], None]} if "enum" in form else {}
    return {**form, "type": [form["type"], "null"], **enum}


def read_answers(value: object, parts: Sequence[Asked], responses: int) -> dict[str, Any]:
    """The answers as a person's are kept, of rankings by letter. Held first to the form, then to what the screen asks.

    Raises WrongAnswer where a value is of another type or none of what can be answered.
    """
    form = schema_of(parts, responses)["properties"]["answers"]["properties"]
    check_keys(value, form, "answers")
    assert isinstance(value, Mapping)
    for part in parts:
        _check(part, value[part.key], form[part.key])
    names = LETTERS[:responses]
    try:
        return check_complete(read_draft({"answers": value}, parts, names), parts, names)["answers"]
    except Invalid as refused:
        problem = refused.problems[0]
        raise WrongAnswer("unknown_value", f"{problem.span or ''} ({problem.code})".strip()) from refused


def _check(part: Asked, value: object, form: Mapping[str, Any]) -> None:
    if value is None and part.is_optional and part.type != Type.CHOICES:
        return
    if part.type == Type.CHOICES:
        if type(value) is not list:
            raise WrongAnswer("wrong_type", part.key)
        for option in value:
            check_field(part.key, option, form["items"])
    elif part.type == Type.RANKING:
        check_keys(value, form["properties"], part.key)
        assert isinstance(value, Mapping)
        for letter, rank in value.items():
            check_grade(part.key, rank, form["properties"][letter])
    elif part.type == Type.SCALE:
        check_grade(part.key, value, form)
    elif part.type == Type.NUMBER:
        if type(value) not in (int, float):
            raise WrongAnswer("wrong_type", part.key)
    else:
        check_field(part.key, value, form)
        assert isinstance(value, str)
        if not value.strip() and not part.is_optional:
            raise WrongAnswer("wrong_type", part.key)
