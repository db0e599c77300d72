"""Prodigy: a task a line with its `spans`, whether it was accepted, and who answered it.

Layout: https://prodi.gy/docs/api-interfaces. Offsets are code points, as Python counts them.
"""

from collections.abc import Iterable, Iterator

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, wrong
from formats.reading import Record

READS = "jsonl"
HOLDS = frozenset({"categories", "raters"})


def document_of(record: Record) -> Document | None:
    """One task; None for one that was ignored or rejected: nobody said that its marks are right."""
    fields, line = record.fields, record.line
    text = fields.get("text")
    if not isinstance(text, str) or not text:
        raise wrong(_("A task of Prodigy has its text under “text”."), line, "text")
    if fields.get("answer", "accept") != "accept":
        return None
    marks = []
    for number, span in enumerate(fields.get("spans") or (), start=1):
        start, end = code_points(text, span.get("start"), span.get("end"), span.get("text"), CODE_POINTS, line)
        marks.append(Mark(str(number), start, end, str(span.get("label") or "")))
    meta = fields.get("meta") or {}
    key = meta.get("id") or fields.get("_input_hash") or line
    rater = str(fields.get("_annotator_id") or fields.get("_session_id") or "Prodigy")
    facts = {"metadata": meta} if meta else {}
    return Document(str(key), text, facts, [Answer(rater, marks)], line)


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A line for each answer."""
    for document in documents:
        for answer in document.answers:
            spans = [{"start": mark.start, "end": mark.end, "label": mark.category} for mark in answer.marks]
            task = {"text": document.text, "meta": {"id": document.key}, "spans": spans, "answer": "accept"}
            yield orjson.dumps({**task, "_annotator_id": answer.rater}) + b"\n"
