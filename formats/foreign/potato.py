"""Potato: what each annotator answered, its spans by scheme, other answers as they are.

https://potato-annotation.readthedocs.io. Offsets are code points. Potato 1 writes an instance a line with its text; the
annotator is the folder that a file lies in, and stands in the line where `user_id` does. Potato 2 keeps a
`user_state.json` for each annotator, by itself or in the zipped folder of all: answers without texts, which come in as
items from the data file of the study. Spans of it may lie in several places (`additional_parts`).
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, records_of, unique_keys, wrong
from formats.reading import Record

READS = "object-or-json"
WRITES = "jsonl"
HOLDS = frozenset({"categories", "raters"})
#: Of `user_state.json`, by instance: pairs of what was said and its value.
SPANS, LABELS = "instance_id_to_span_to_value", "instance_id_to_label_to_value"


def lines_of(record: Record, kind: str) -> Iterator[Record]:
    fields = record.fields
    if "action_type" in fields and "instance_id" in fields:
        return  # annotation_history.jsonl beside it: how the answers came about
    if SPANS not in fields and LABELS not in fields:
        yield from records_of(document_of(record), kind)
    elif kind == "items":
        raise wrong(_("A line of Potato has its text under “displayed_text”."), record.line, "displayed_text")
    else:
        for document in documents_of(fields, record.line):
            yield from records_of(document, kind)


def documents_of(fields: dict[str, Any], line: int) -> Iterator[Document]:
    """What one annotator answered on each instance. Without a span it says that there are no errors where other
    questions were answered and the annotator marked spans elsewhere: only then the study is known to ask for them."""
    spans = {instance: said for instance, said in (fields.get(SPANS) or {}).items() if said}
    labels = {instance: said for instance, said in (fields.get(LABELS) or {}).items() if said}
    rater = str(fields.get("user_id") or "Potato")
    for instance in dict.fromkeys((*spans, *(labels if spans else ()))):
        marks = [mark_of(said, "", line, "") for said, _value in spans.get(instance) or ()]
        other: dict[str, dict[str, Any]] = {}
        for said, value in labels.get(instance) or ():
            other.setdefault(str(said.get("schema")), {})[str(said.get("name"))] = value
        answer = Answer(rater, marks, said={"metadata": {"potato": other}} if other else {})
        unique_keys([answer])
        yield Document(instance, "", {}, [answer], line)


def document_of(record: Record) -> Document:
    fields, line = record.fields, record.line
    text = fields.get("displayed_text") or fields.get("text")
    if not isinstance(text, str) or not text:
        raise wrong(_("A line of Potato has its text under “displayed_text”."), line, "displayed_text")
    spans = fields.get("span_annotations") or ()
    marks = [mark_of(span, text, line, str(number)) for number, span in enumerate(spans, start=1)]
    other = fields.get("label_annotations")
    said = {"metadata": {"potato": other}} if other else {}
    answer = Answer(str(fields.get("user_id") or "Potato"), marks, said=said)
    unique_keys([answer])
    return Document(str(fields.get("id") or fields.get("instance_id") or line), text, {}, [answer], line)


def mark_of(span: dict[str, Any], text: str, line: int, key: str) -> Mark:
    parts = []
    for each in (span, *(span.get("additional_parts") or ())):
        words = each.get("text") or each.get("span")
        parts.append((*code_points(text, each.get("start"), each.get("end"), words, CODE_POINTS, line), words or ""))
    (start, end, words), *more = sorted(parts)
    category = str(span.get("annotation") or span.get("name") or span.get("label") or "")
    said = {"metadata": {"schema": span.get("schema")}}
    places = [(first, last) for first, last, _words in more]
    name = key or str(span.get("id") or "")[-60:] or "span"
    return Mark(name, start, end, category, said=said, more=places, words=words)


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A line for each answer, the annotator in it; all marks under the scheme “errors”."""
    for document in documents:
        for answer in document.answers:
            spans = [
                {
                    "schema": "errors",
                    "name": mark.category,
                    "start": mark.start,
                    "end": mark.end,
                    "text": document.text[mark.start : mark.end],
                }
                for mark in answer.marks
            ]
            row = {"id": document.key, "displayed_text": document.text, "span_annotations": spans}
            yield orjson.dumps({**row, "label_annotations": {}, "user_id": answer.rater}) + b"\n"
