"""Argilla 2: the records of a dataset (`records.json` of `Dataset.to_disk`), by itself or in its zipped folder.

https://docs.argilla.io/latest/how_to_guides/import_export. A record has `id`, `fields`, `metadata`, and by question
`responses` (a list of value and user_id) and `suggestions` (value, score, agent). A question of spans gives marks, one
with numbers ratings on the question type of its name; other answers are kept in the metadata of the marks. The text is
the field “response”, “completion”, “output”, “answer” or “text”, else the only one. A suggestion is a judge's where
its agent is named.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.text import slugify
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, records_of, whole, wrong
from formats.reading import Record

READS = "json"
HOLDS = frozenset({"categories", "raters", "scores"})
TEXTS = ("response", "completion", "output", "answer", "text")
PROMPTS = ("prompt", "instruction", "question", "source")
QUESTION, SCORE = "errors", "score"


def lines_of(record: Record, kind: str) -> Iterator[Record]:
    document, ratings = _parts(record)
    yield from records_of(document, kind)
    if kind == "answers":
        yield from (Record(record.line, {"kind": "ratings", "item": document.key, **each}) for each in ratings)


def document_of(record: Record) -> Document:
    return _parts(record)[0]


def _parts(record: Record) -> tuple[Document, list[dict[str, Any]]]:
    fields, line = record.fields.get("fields"), record.line
    texts = {name: each for name, each in (fields or {}).items() if isinstance(each, str) and each}
    name = next((each for each in TEXTS if each in texts), next(iter(texts)) if len(texts) == 1 else "")
    if not name:
        raise wrong(_("A record of Argilla has its text under “fields”: “response” or “text”."), line, "fields")
    document = Document(str(record.fields.get("id") or line), texts[name], {}, [], line)
    if prompt := next((texts[each] for each in PROMPTS if each in texts and each != name), ""):
        document.facts["prompt"] = prompt
    if metadata := record.fields.get("metadata"):
        document.facts["metadata"] = metadata
    answers: dict[tuple[str, str], Answer] = {}
    ratings = []
    for rater, model, question, value in _values(record):
        whose = {"rater": rater, **({"rater_kind": "judge", "model": model} if model else {"rater_kind": "human"})}
        if isinstance(value, list) and all(isinstance(each, dict) and "start" in each for each in value):
            answer = answers.setdefault((rater, model), Answer(rater, [], model))
            answer.marks += [_mark(document.text, each, len(answer.marks) + n, line) for n, each in enumerate(value, 1)]
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            ratings.append({"question": slugify(question)[:60], "grade": value, **whose})
        elif (rater, model) in answers:
            answers[rater, model].said.setdefault("metadata", {}).setdefault("argilla", {})[question] = value
    document.answers = list(answers.values())
    return document, ratings


def _values(record: Record) -> Iterator[tuple[str, str, str, Any]]:
    """Who (and by which model), on which question, said what; of spans first, which other answers stand beside."""
    said: list[tuple[str, str, str, Any]] = []
    for question, responses in (record.fields.get("responses") or {}).items():
        for each in responses:
            if each.get("status", "submitted") == "submitted" and each.get("value") is not None:
                said.append((str(each.get("user_id") or "Argilla"), "", question, each["value"]))
    for question, each in (record.fields.get("suggestions") or {}).items():
        if each and each.get("agent") and each.get("value") is not None:
            said.append((str(each["agent"]), str(each["agent"]), question, each["value"]))
    yield from sorted(said, key=lambda each: not isinstance(each[3], list))


def _mark(text: str, value: dict[str, Any], number: int, line: int) -> Mark:
    start, end = code_points(text, value.get("start"), value.get("end"), value.get("text"), CODE_POINTS, line)
    return Mark(str(number), start, end, str(value.get("label") or ""))


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """`records.json`: marks under the question “errors”, scores under “score”. Raters stand where Argilla has the ids
    of its users: before it takes the file, they are exchanged for those."""
    yield b"["
    for number, document in enumerate(documents):
        people = [each for each in document.answers if not each.model]
        responses: dict[str, Any] = {
            QUESTION: [{"value": [_value(mark) for mark in each.marks], "user_id": each.rater} for each in people]
        }
        if scores := [{"value": whole(each.score), "user_id": each.rater} for each in people if each.score is not None]:
            responses[SCORE] = scores
        judge = next((each for each in document.answers if each.model), None)
        suggestion = (
            {"value": [_value(mark) for mark in judge.marks], "score": None, "agent": judge.rater} if judge else {}
        )
        row = {
            "id": document.key,
            "fields": {"prompt": document.facts.get("prompt", ""), "response": document.text},
            "metadata": {name: document.facts[name] for name in ("model", "variety") if name in document.facts},
            "suggestions": {QUESTION: suggestion} if suggestion else {},
            "responses": responses,
            "vectors": {},
        }
        yield (b",\n" if number else b"\n") + orjson.dumps(row)
    yield b"\n]\n"


def _value(mark: Mark) -> dict[str, Any]:
    return {"start": mark.start, "end": mark.end, "label": mark.category or "error"}
