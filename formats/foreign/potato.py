"""Potato: an annotated instance a line, its spans by scheme, other answers as they are.

https://potato-annotation.readthedocs.io. Offsets are code points. The annotator is the folder that a file lies in, and
stands in the line where `user_id` does.
"""

from collections.abc import Iterable, Iterator

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, unique_keys, wrong
from formats.reading import Record

READS = "jsonl"
HOLDS = frozenset({"categories", "raters"})


def document_of(record: Record) -> Document:
    fields, line = record.fields, record.line
    text = fields.get("displayed_text") or fields.get("text")
    if not isinstance(text, str) or not text:
        raise wrong(_("A line of Potato has its text under “displayed_text”."), line, "displayed_text")
    marks = []
    for number, span in enumerate(fields.get("span_annotations") or (), start=1):
        words = span.get("text") or span.get("span")
        start, end = code_points(text, span.get("start"), span.get("end"), words, CODE_POINTS, line)
        category = str(span.get("annotation") or span.get("name") or span.get("label") or "")
        marks.append(Mark(str(number), start, end, category, {"metadata": {"schema": span.get("schema")}}))
    other = fields.get("label_annotations")
    said = {"metadata": {"potato": other}} if other else {}
    answer = Answer(str(fields.get("user_id") or "Potato"), marks, said=said)
    unique_keys([answer])
    return Document(str(fields.get("id") or fields.get("instance_id") or line), text, {}, [answer], line)


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
            yield orjson.dumps({**row, "user_id": answer.rater}) + b"\n"
