"""W3C Web Annotation (JSON-LD): a list of annotations, or a page of them, that point at texts given beside them.

https://www.w3.org/TR/annotation-model. Offsets of a TextPositionSelector are code points. The text of a target stands
in the annotation's own `target.source` where that is a TextualBody with an `id`; files of ours have it so.

An error in several places is one annotation with several targets in the same text, of which the first has the text and
the others its `id`. Selectors of one target are several ways to say the same place, as the standard has it.
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
HOLDS = frozenset({"categories", "explanations", "parts", "raters"})


def document_of(record: Record) -> Document:
    """One annotation, as a document with one answer of one mark or none. Raises Invalid."""
    fields, line = record.fields, record.line
    given = fields.get("target")
    targets: list[Any] = given if isinstance(given, list) and given else [given]
    sources = [each.get("source") if isinstance(each, dict) else None for each in targets]
    source = next((each for each in sources if isinstance(each, dict) and isinstance(each.get("value"), str)), {})
    if not source.get("id") or any(each not in (source, source["id"]) for each in sources):
        message = _("The target of an annotation has its text beside it: a source with id and value.")
        raise wrong(message, line, "target")
    text, marks = source["value"], []
    found = [place for target in targets if (place := place_of(text, target, line))]
    if found:
        category, comment = bodies(fields.get("body"))
        said = {"explanation": comment} if comment else {}
        first, *more = sorted(set(found))
        key = str(fields.get("id") or line).rpartition("/")[2][:60]
        marks.append(Mark(key, *first, category, said, more=more))
    return Document(str(source["id"]), text, {}, [Answer(creator(fields.get("creator")), marks)], line)


def place_of(text: str, target: dict[str, Any], line: int) -> tuple[int, int] | None:
    """Where a target lies, in code points; None of one that is the whole text. Raises Invalid."""
    selectors = target.get("selector") or []
    selectors = [each for each in (selectors if isinstance(selectors, list) else [selectors]) if isinstance(each, dict)]
    position = next((each for each in selectors if each.get("type") == "TextPositionSelector"), None)
    quote = next((each for each in selectors if each.get("type") == "TextQuoteSelector"), None)
    if position is None and quote is not None:
        exact = str(quote.get("exact", ""))
        found = text.find(str(quote.get("prefix") or "") + exact)
        start = found + len(str(quote.get("prefix") or ""))
        if found < 0 or not exact:
            raise wrong(_("The words of a mark are not in the text."), line, "target")
        position = {"start": start, "end": start + len(exact)}
    if position is None:
        return None
    exact_words = quote.get("exact") if quote else None
    return code_points(text, position.get("start"), position.get("end"), exact_words, CODE_POINTS, line)


def bodies(body: Any) -> tuple[str, str]:
    """The tag, and what was said in words."""
    category = comment = ""
    for each in body if isinstance(body, list) else [body] if body else []:
        if not isinstance(each, str | dict):
            continue
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
                said: dict[str, Any] = {"body": []}
                if mark is not None:
                    said = {"id": f"urn:mark/{mark.key}", "body": _bodies(mark)}
                annotation = {"@context": CONTEXT, "type": "Annotation", **said, "creator": {"name": answer.rater}}
                target = _target(source, document.text, mark)
                yield (b"\n" if first else b",\n") + orjson.dumps({**annotation, "target": target})
                first = False
    yield b"\n]\n"


def _target(source: dict[str, str], text: str, mark: Mark | None) -> dict[str, Any] | list[dict[str, Any]]:
    """The text as a whole where there is no mark; a list where one has several places."""
    if mark is None:
        return {"source": source}
    targets: list[dict[str, Any]] = []
    for start, end in ((mark.start, mark.end), *mark.more):
        place = {"type": "TextPositionSelector", "start": start, "end": end}
        words = {"type": "TextQuoteSelector", "exact": text[start:end]}
        targets.append({"source": source["id"] if targets else source, "selector": [place, words]})
    return targets if mark.more else targets[0]


def _bodies(mark: Mark) -> list[dict[str, str]]:
    tag = [{"type": "TextualBody", "value": mark.category, "purpose": "tagging"}] if mark.category else []
    words = mark.said.get("explanation")
    return [*tag, *([{"type": "TextualBody", "value": words, "purpose": "commenting"}] if words else [])]
