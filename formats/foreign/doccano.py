"""doccano: a text a line with its labels, as triples (`label`, `labels`) or as `entities` with offsets of their own.

Layout: https://github.com/doccano/doccano. Offsets are code points. A file holds the labels of one person, or of all
who worked on the text together; whose they are, a mapping says.
"""

from collections.abc import Iterable, Iterator

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, wrong
from formats.reading import Record

READS = "jsonl"
HOLDS = frozenset({"categories"})
RATER = "doccano"


def document_of(record: Record) -> Document:
    """One line. Raises Invalid where it has no text or a label that is not in it."""
    fields, line = record.fields, record.line
    text = fields.get("text") if "text" in fields else fields.get("data")
    if not isinstance(text, str) or not text:
        raise wrong(_("A line of doccano has its text under “text”."), line, "text")
    marks = []
    labels = fields.get("entities") or fields.get("label") or fields.get("labels") or ()
    for number, label in enumerate(labels, start=1):
        if isinstance(label, dict):
            place, category = (label.get("start_offset"), label.get("end_offset")), str(label.get("label", ""))
            key = str(label.get("id") or number)
        elif isinstance(label, list) and len(label) == 3:
            place, category, key = (label[0], label[1]), str(label[2]), str(number)
        else:
            raise wrong(_("A label of doccano is a start, an end and a name."), line, "label")
        start, end = code_points(text, *place, None, CODE_POINTS, line)
        marks.append(Mark(key, start, end, category))
    known = {"id", "text", "data", "label", "labels", "entities", "relations", "Comments", "comments", "cats"}
    metadata = {name: value for name, value in fields.items() if name not in known}
    facts = {"metadata": metadata} if metadata else {}
    return Document(str(fields.get("id") or line), text, facts, [Answer(RATER, marks)], line)


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A line for each text with the marks of all its raters: doccano knows no others."""
    for document in documents:
        marks = sorted({(mark.start, mark.end, mark.category) for each in document.answers for mark in each.marks})
        yield orjson.dumps({"id": document.key, "text": document.text, "label": marks}) + b"\n"
