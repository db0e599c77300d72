"""W3C Web Annotation (JSON-LD): a list of annotations, or a page of them, that point at texts given beside them.

https://www.w3.org/TR/annotation-model. Offsets of a TextPositionSelector are code points. The text of a target stands
in the annotation's own `target.source` where that is a TextualBody with an `id`; files of ours have it so.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, wrong
from formats.reading import Record

READS = "json"
CONTEXT = "http://www.w3.org/ns/anno.jsonld"
#: Annotations of one text follow each other, and become one document.
IS_GROUPED = True


def document_of(record: Record) -> Document:
    """One annotation, as a document with one answer of one mark or none. Raises Invalid."""
    fields, line = record.fields, record.line
    target = fields.get("target")
    source = target.get("source") if isinstance(target, dict) else None
    has_text = isinstance(source, dict) and isinstance(source.get("value"), str) and source.get("id")
    if not has_text or not isinstance(source, dict) or not isinstance(target, dict):
        message = _("The target of an annotation has its text beside it: a source with id and value.")
        raise wrong(message, line, "target")
    text, marks = source["value"], []
    selectors = target.get("selector") or []
    selectors = selectors if isinstance(selectors, list) else [selectors]
    position = next((each for each in selectors if each.get("type") == "TextPositionSelector"), None)
    quote = next((each for each in selectors if each.get("type") == "TextQuoteSelector"), None)
    if position is None and quote is not None:
        exact = str(quote.get("exact", ""))
        found = text.find(str(quote.get("prefix") or "") + exact)
        start = found + len(str(quote.get("prefix") or ""))
        if found < 0 or not exact:
            raise wrong(_("The words of a mark are not in the text."), line, "target")
        position = {"start": start, "end": start + len(exact)}
    if position is not None:
        exact_words = quote.get("exact") if quote else None
        place = code_points(text, position.get("start"), position.get("end"), exact_words, CODE_POINTS, line)
        category, comment = bodies(fields.get("body"))
        said = {"explanation": comment} if comment else {}
        marks.append(Mark(str(fields.get("id") or line).rpartition("/")[2][:60], *place, category, said))
    return Document(str(source["id"]), text, {}, [Answer(creator(fields.get("creator")), marks)], line)


def bodies(body: Any) -> tuple[str, str]:
    """The tag, and what was said in words."""
    category = comment = ""
    for each in body if isinstance(body, list) else [body] if body else []:
        value = each if isinstance(each, str) else str(each.get("value", ""))
        if isinstance(each, dict) and each.get("purpose") in ("tagging", "classifying"):
            category = category or value
        else:
            comment = comment or value
    return category, comment


def creator(said: Any) -> str:
    if isinstance(said, dict):
        said = said.get("name") or said.get("nickname") or said.get("id")
    return str(said or "unnamed")


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """One JSON list; a text without marks has one annotation without a selector for each rater who found none."""
    yield b"["
    first = True
    for document in documents:
        source = {"id": document.key, "type": "TextualBody", "value": document.text, "format": "text/plain"}
        for answer in document.answers:
            for mark in answer.marks or (None,):
                target: dict[str, Any] = {"source": source}
                said: dict[str, Any] = {"body": []}
                if mark is not None:
                    words = {"type": "TextQuoteSelector", "exact": document.text[mark.start : mark.end]}
                    place = {"type": "TextPositionSelector", "start": mark.start, "end": mark.end}
                    target["selector"] = [place, words]
                    said = {"id": f"urn:mark/{mark.key}", "body": _bodies(mark)}
                annotation = {"@context": CONTEXT, "type": "Annotation", **said, "creator": {"name": answer.rater}}
                yield (b"\n" if first else b",\n") + orjson.dumps({**annotation, "target": target})
                first = False
    yield b"\n]\n"


def _bodies(mark: Mark) -> list[dict[str, str]]:
    tag = [{"type": "TextualBody", "value": mark.category, "purpose": "tagging"}] if mark.category else []
    words = mark.said.get("explanation")
    return [*tag, *([{"type": "TextualBody", "value": words, "purpose": "commenting"}] if words else [])]
