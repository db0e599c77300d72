"""Good records of every format, with every field that a line can have, and what they may be spoilt with."""

from collections.abc import Iterator
from typing import Any

import orjson

from formats import (
    answer,
    benchmark_answer,
    benchmark_question,
    gold,
    grade,
    item,
    localisation,
    prompt,
    question,
    questionnaire_answer,
    questionnaire_gold,
    rating_gold,
    rubric,
    rubric_gold,
    template,
)
from formats.format import Format
from formats.records import RecordType

FORMATS = [
    each.FORMAT
    for each in (
        item,
        prompt,
        question,
        template,
        localisation,
        answer,
        questionnaire_answer,
        rubric,
        grade,
        benchmark_question,
        benchmark_answer,
    )
]
WRITTEN = [each.FORMAT for each in (gold, rating_gold, rubric_gold, questionnaire_gold)]

PERSON = {"rater": "Salma", "rater_kind": "human"}
JUDGE = {"rater": "Judge", "rater_kind": "judge", "model": "m", "laboratory": "L", "simulated": True}
CORRECTED = {"start": 0, "end": 1, "quote": "x", "occurrence": 1, "type": "both", "category": "c"}
CORRECTED |= {"criticality": "low", "explanation": "", "correction": ""}
JUDGED = {"objectivity": "objective", "explicitness": "implicit"}
RATED_AT = "2026-03-05T08:00:00+00:00"
CANARY = "6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a11"
SHA256_OF_X = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"


def side(key: str) -> dict[str, Any]:
    return {"id": key, "model": "M", "laboratory": "l", "response": "x", "response_sha256": SHA256_OF_X, "metadata": {}}


ITEM = {
    "kind": "item",
    "id": "r1",
    "prompt_id": "p1",
    "prompt": "q",
    "variety": "ar-EG",
    "model": "Nile-7B",
    "laboratory": "delta-lab",
    "response": "كشري",
    "task": "how-to",
    "domain": "food",
    "prompt_variety": "en-US",
    "metadata": {"n": 1},
    "question": "formality",
    "template": "t-1",
}
REVIEWS = [
    {"span": "s", "verdict": "keep", "first_verdict": "reject", "comment": ""},
    {"span": "t", "verdict": "correct", **CORRECTED},
]
RATING = {"question": "w", "rater": "R-1", "rater_kind": "human", "expert": True, "round": 1}
RATING |= {"unparseable": False, "comment": "", "metadata": {}, "rated_at": RATED_AT}
PROMPT: dict[str, Any] = {
    "prompt_id": "p",
    "prompt": "x",
    "prompt_sha256": SHA256_OF_X,
    "prompt_variety": "ar-EG",
    "variety": "ar-EG",
}
PROMPT |= {"task": "", "domain": "food", "question": None, "template": None}
OF_PAIR = {"swapped": False, "both_orders": False, "first": 1, "second": 2, "preference": ""}
HEAD = {"format": rating_gold.VERSION}
OF_QUESTIONNAIRES = {"format": questionnaire_gold.VERSION}
NEGATIVE = {"key": "n1", "text": "t", "weight": -3, "failure_type": "omission", **JUDGED, "justification": ""}

RICH: dict[str, list[dict[str, Any]]] = {
    "prompt": [
        {name: ITEM[name] for name in ("prompt_id", "prompt", "variety", "task", "domain", "question", "template")}
    ],
    "item": [ITEM, {"kind": "pair", "id": "x", "first": "r1", "second": "r2"}],
    "localisation": [
        {"template": "t", "variety": "bn-BD", "text": "x", "values": {"a": "x", "b_2": "y"}, "rater": "M"}
    ],
    "answer": [
        {"kind": "spans", "item": "r1", **PERSON, "round": 1, "no_errors": True, "spans": [], "metadata": {}},
        {"kind": "reviews", "item": "r1", **JUDGE, "round": 2, "offset_unit": "utf16", "reviews": REVIEWS},
        {"kind": "groups", "item": "r1", "groups": [["a", "b"], ["c", "d"]]},
        {"kind": "classifications", "item": "r1", "rater": "S", "classifications": [{"span": "s", "category": "c"}]},
        {"kind": "ratings", "pair": "x", "item": None, **PERSON, "expert": True, **OF_PAIR, "question": "w"},
        {"kind": "ratings", "pair": "x", **JUDGE, "first": 4.5, "second": 2, "both_orders": True, "unparseable": False},
        {"kind": "ratings", "item": "r1", "pair": None, **PERSON, "grade": 4, "first": None, "preference": ""},
    ],
    "questionnaire-answer": [
        {"stage": "S", "item": "r1", "pair": None, "answers": {"a": "x", "b": 1}, "rater": "M", "round": 2},
        {"stage": "S", "prompt": "p", "answers": {"rank": {"r1": 1, "r2": 2}}, "rater": "M"},
        {"stage": "S", "pair": "x", "answers": {"c": ["x", "y"]}, "rater": "M"},
    ],
    "rubric": [
        {
            "prompt_id": "p",
            "author": "A",
            "reviewed_by": "B",
            "version": 2,
            "scope": "cultural",
            "gold_answer": "x",
            "criteria": [
                {"key": "c1", "text": "t", "weight": 3, "band": "b", **JUDGED},
                {"key": "c2", "text": "t", "weight": 3, **JUDGED},
            ],
            "difficulty": {"model": "M", "outcome": "failed", "by_hand": True, "asked_at": "2026-02-27T10:00:00Z"},
            "accepted_findings": [{"code": "x", "criterion": "c1", "words": "w", "reason": "r"}],
            "frozen_at": "2026-03-01T09:30:00Z",
            "sha256": "0" * 64,
            "metadata": {},
        }
    ],
    "grade": [
        {
            "item": "r",
            **JUDGE,
            "role": "judge",
            "verdicts": [
                {"criterion": "c1", "value": "pass", "justification": "x"},
                {"criterion": "c2", "value": "fail"},
            ],
            "negatives": [],
            "varieties": ["ar-EG"],
            "version": 1,
            "offset_unit": "utf16",
            "round": 1,
            "comment": "c",
            "graded_at": "2026-03-05T08:00:00Z",
            "metadata": {"prompt_version": "p 1"},
        },
        {"item": "r", **PERSON, "role": "regrade", "verdicts": [], "negatives": [NEGATIVE]},
    ],
    "benchmark-answer": [
        {
            "kind": "configuration",
            "id": "nile-7b",
            "name": "Nile 7B",
            "type": "model",
            "model": "Nile-7B",
            "laboratory": "Delta Lab",
            "card": {
                "id": "nile",
                "name": "Nile",
                "access": "open",
                "parameters_total": 7.5,
                "parameters_active": 1,
                "licence": "MIT",
                "context_tokens": 4096,
                "link": "https://example.org/",
                "declared_overlap": "",
                "thinking_tags": [{"opens": "[T]", "closes": "[/T]"}],
            },
            "provider": "p",
            "revision": "r",
            "precision": "bf16",
            "template_sha256": "0" * 64,
            "system_prompt": "s",
            "sampling": {"temperature": 0},
            "thinking_effort": "low",
            "token_limit": 512,
            "standing": "ranked",
        },
        {"kind": "judge", "name": "Simba", "model": "m", "laboratory": "L", "simulated": True},
        {
            "kind": "answer",
            "configuration": "nile-7b",
            "set": "own",
            "id": "q1",
            "text": "x",
            "reasoning": "",
            "finish_reason": "stop",
            "refusal": False,
            "scores": [
                {
                    "rule": "judge_generation",
                    "parameters": {},
                    "judge": "Simba",
                    "value": 8.5,
                    "reason": "",
                    "round": 1,
                }
            ],
            "canary": CANARY,
        },
        {"id": "q1"},
    ],
    "benchmark-question": [
        {
            "kind": "question",
            "id": "q1",
            "instruction": "x",
            "input": "",
            "options": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}],
            "output": "A",
            "language": "ar-EG",
            "variety": "ar-EG",
            "category": "General Knowledge",
            "subcategory": "",
            "format": "mcq",
            "source": "Own questions",
            "translated": False,
            "licence": "",
            "cluster": "c",
            "held_back": True,
            "twin_of": "q2",
            "rules": [{"rule": "judge_choice", "version": 1, "parameters": {}}],
            "metadata": {"n": 1},
            "canary": CANARY,
        },
        {"instruction": "x", "category": "Summarization", "format": "generation"},
        {
            "kind": "set",
            "id": "own",
            "name": "Own",
            "version": 2,
            "licence": "",
            "canary": CANARY,
            "skills": [{"id": "a", "name": "A", "counts_refusals": True}],
            "sources": [{"id": "s", "name": "S", "translated": True, "licence": "", "link": ""}],
            "left_out": 1,
            "frozen_at": "2026-03-01T09:30:00Z",
            "sha256": "0" * 64,
        },
    ],
    "questionnaire-gold": [
        {
            **OF_QUESTIONNAIRES,
            "kind": "stage",
            "id": "Answering",
            "work": "questionnaire",
            "show": ["prompt", "pair"],
            "ask": [{"choices": "What?", "key": "what", "of": ["A", "B"], "most": 1, "optional": True, "help": "h"}],
        },
        {
            **OF_QUESTIONNAIRES,
            "kind": "pair",
            "stage": "Answering",
            "id": "p",
            "prompt_id": "p",
            "prompt": "x",
            "prompt_sha256": SHA256_OF_X,
            "messages": None,
            "prompt_variety": "ar-EG",
            "task": "",
            "domain": "",
            "responses": [{**side("a"), "variety": "ar-EG"}, {**side("b"), "variety": "ar-EG"}],
            "gold": [
                {"part": "what", "rule": "majority", "n": 2, "value": ["A"]},
                {"part": "count", "rule": "mean", "n": 2, "value": 1.5},
                {"part": "rank", "rule": "expert", "n": 1, "value": {"a": 1, "b": 2}},
            ],
            "answers": [
                {"rater": "R-1", "expert": True, "round": 2, "answers": {"what": ["A"]}, "answered_at": RATED_AT},
            ],
        },
        {
            **OF_QUESTIONNAIRES,
            "kind": "prompt",
            "stage": "Alone",
            "id": "p",
            "prompt_id": "p",
            "prompt": "x",
            "messages": [{"role": "user", "content": "x"}],
            "prompt_variety": "ar-EG",
            "metadata": {"held_back": True, "canary": CANARY},
            "responses": [],
            "gold": [],
            "answers": [{"rater": "R-1", "answers": {}, "answered_at": RATED_AT}],
        },
    ],
    "rating-gold": [
        {**HEAD, "kind": "settings", "gold_rule": "mean"},
        {
            **HEAD,
            "kind": "question",
            "id": "w",
            "dimension": {"id": "d", "name": "D", "definition": ""},
            "name": "W",
            "definition": "",
            "lowest": 1,
            "highest": 3,
            "levels": [{"grade": 1, "label": "", "summary": "s", "detail": ""}, {"grade": 2, "summary": "s"}],
        },
        {**HEAD, "kind": "template", "id": "t", "question": "w", "text": "x [a]", "split": ""},
        {
            **HEAD,
            "kind": "pair",
            "id": "p",
            **PROMPT,
            "first": side("a"),
            "second": side("b"),
            "gold": [{"question": "w", "rule": "mean", "n": 2, "first": 1, "second": 2.5, "preference": "second"}],
            "ratings": [{**RATING, **OF_PAIR}],
        },
    ],
}


def good_records(each: Format) -> list[dict[str, Any]]:
    return [orjson.loads(each.example), *RICH.get(each.name, [])]


SCRAPS: list[Any] = [
    *(None, "", " ", "x", " x", "x ", "a\tb", "x\n", "\u00a0", "\x85", "كشري", "🍚"),
    *("x" * length for length in (36, 41, 61, 65, 81, 121, 161, 201, 301, 2_001, 10_001, 20_001)),
    *(True, False, 0, 1, -1, 1.5, 1.0, 101, -101, 2**31, 2**31 - 1, 2**63, 32_768),
    *([], {}, [1], [{}], [[]], ["a"], [["a", "a"]], [["a", "b"]], ["ar-EG", "ar-EG"], [None], {"a": "x"}, {"A": 1}),
    *("human", "judge", "utf16", "pair", "item", "ratings", "perfect", "correct", "words", "response", "reference"),
    *("2026-03-05 08:00:00Z", "2026-03-05T08:00Z", "2099-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "0" * 64),
]


def places(value: object, place: tuple = ()) -> Iterator[tuple]:
    """The way to each value within a record."""
    if place:
        yield place
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from places(inner, (*place, key))


def spoilt(record: Any, place: tuple, value: Any, *, is_left_out: bool = False) -> Any:
    """A copy of the record with another value at a place, or with none."""
    key, *further = place
    copy = dict(record) if isinstance(record, dict) else list(record)
    if further:
        copy[key] = spoilt(copy[key], tuple(further), value, is_left_out=is_left_out)
    elif is_left_out:
        del copy[key]
    else:
        copy[key] = value
    return copy


def misplaced(each: Format, record: dict[str, Any]) -> list[str]:
    """Where a written record has its fields in another order than they are declared, or one that is not declared."""
    type_ = each.type_of(record)
    assert type_ is not None
    return list(_misplaced(type_, record, ""))


def _misplaced(type_: RecordType, record: dict[str, Any], prefix: str) -> Iterator[str]:
    if list(record) != [name for name in type_.fields if name in record]:
        yield prefix or "line"
    for name, field in type_.nested.items():
        assert field.inner is not None
        if name == "accepted_findings":
            continue  # passed on as it is stored, its keys sorted
        entries = record.get(name) or [] if field.is_list else [record[name]]
        for index, entry in enumerate(entries):
            yield from _misplaced(field.inner, entry, f"{prefix}{name}[{index}].")
