"""Whether an answer is JSON."""

from typing import Any

import orjson
import regex

from agreement.answers.declaration import TABLE, TOP, Case, NotApplicable, Parameter, Rule, Score, Scorer, Target

_FENCED = regex.compile(r"\s*```[\w-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```\s*", regex.DOTALL)
_KINDS: dict[str, type | tuple[type, ...]] = {"any": object, "object": dict, "array": list}


def prepare(target: Target, kind: str, fence: bool, keys: tuple[str, ...]) -> Scorer:
    if keys and kind == "array":
        raise NotApplicable("valid_json: an array has no keys")

    def score(answer: str) -> Score:
        fenced = _FENCED.fullmatch(answer) if fence and "```" in answer else None
        try:
            value: Any = orjson.loads(fenced[1] if fenced else answer)
        except ValueError as error:
            return Score(0.0, {"problem": f"not JSON: {error}"})
        if not isinstance(value, _KINDS[kind]):
            return Score(0.0, {"problem": f"no {kind}"})
        named = value if isinstance(value, dict) else {}
        if missing := [key for key in keys if key not in named]:
            return Score(0.0, {"problem": f"keys missing: {', '.join(missing)}"})
        return Score(TOP, {"problem": ""})

    return score


RULE = Rule(
    name="valid_json",
    title="Valid JSON",
    definition=(
        "10 where the whole answer is one JSON value as RFC 8259 has it, of the kind and with the keys asked for,"
        " else 0. A code fence around it is allowed unless the question says otherwise; a sentence around it is "
        "not."
    ),
    version=1,
    published="MANUAL_IS_VALID_JSON",
    source=f"{TABLE} and section 3.4.4",
    parameters=(
        Parameter(name="kind", kind="text", default="any", choices=tuple(_KINDS), help="what the value has to be"),
        Parameter(name="fence", kind="flag", default=True, help="whether it may stand in a code fence"),
        Parameter(name="keys", kind="texts", default=(), help="keys the object has to have"),
    ),
    prepare=prepare,
    cases=(
        Case(reference="", answer='{"الاسم": "منى", "age": 3}', score=10),
        Case(reference="", answer='```json\n{"a": [1, 2]}\n```', score=10),
        Case(reference="", answer='```json\n{"a": 1}\n```', score=0, parameters={"fence": False}),
        Case(reference="", answer='Here it is: {"a": 1}', score=0),
        Case(reference="", answer="{'a': 1}", score=0),
        Case(reference="", answer='{"a": NaN}', score=0),
        Case(reference="", answer="[1, 2]", score=0, parameters={"kind": "object"}, detail={"problem": "no object"}),
        Case(
            reference="",
            answer='{"a": 1}',
            score=0,
            parameters={"keys": ["a", "b"]},
            detail={"problem": "keys missing: b"},
        ),
        Case(reference="", answer="", score=0),
        Case(reference="", parameters={"kind": "array", "keys": ["a"]}, refused="an array has no keys"),
    ),
)
