"""W3C Web Annotation (JSON-LD): a list of annotations, a page or a collection of them, that point at texts.

https://www.w3.org/TR/annotation-model. Offsets of a TextPositionSelector are code points. The text of a target stands
in the annotation's own `target.source` where that is a TextualBody with an `id`; files of ours have it so. Where the
source is an address alone, as in files of most tools, answers come in by their offsets, which are held against the
response of that name.

An error in several places is one annotation with several targets in the same text, of which the first has the text and
the others its `id`. Selectors of one target are several ways to say the same place, as the standard has it; what
refines the selector of words is their place in the whole text where it is as long as they are, as Potato writes it.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote, unquote

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, Answer, Document, Mark, code_points, records_of, wrong
from formats.reading import Record

READS = "object-or-json"
WRITES = "json"
CONTEXT = "http://www.w3.org/ns/anno.jsonld"
#: Annotations of one text follow each other, and become one document.
IS_GROUPED = True
HOLDS = frozenset({"categories", "explanations", "parts", "raters"})
#: The standard wants an IRI of everything that has an `id`; behind these stand our keys.
TEXT, MARK, NONE = "urn:mizan:text:", "urn:mizan:mark:", "urn:mizan:none:"


def lines_of(record: Record, kind: str) -> Iterator[Record]:
    """Of one annotation or of all that a page or a collection has in it. Raises Invalid."""
    found = annotations_in(record.fields, record.line)
    for number, fields in enumerate(found):
        document = document_of(Record(record.line + number, fields))
        if kind == "items" and not document.text:
            message = _("The target of an annotation has its text beside it: a source with id and value.")
            raise wrong(message, document.line, "target")
        yield from records_of(document, kind)


def annotations_in(fields: dict[str, Any], line: int) -> list[dict[str, Any]]:
    if fields.get("type") not in ("AnnotationCollection", "AnnotationPage"):
        return [fields]
    page = fields.get("first") if fields["type"] == "AnnotationCollection" else fields
    items = page.get("items") if isinstance(page, dict) else None
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        raise wrong(_("The entry is not laid out as the format has it."), line, "items")
    return items


def document_of(record: Record) -> Document:
    """One annotation, as a document with one answer of one mark or none. Raises Invalid."""
    fields, line = record.fields, record.line
    given = fields.get("target")
    targets: list[Any] = given if isinstance(given, list) and given else [given]
    key, text = source_of(targets, line)
    category, comment = bodies(fields.get("body"))
    answers, marks = [], []
    found = [place for target in targets if isinstance(target, dict) and (place := place_of(text, target, line))]
    if found:
        said = {"explanation": comment} if comment else {}
        first, *more = sorted({(start, end): words for start, end, words in found}.items())
        name = unquote(str(fields.get("id") or line).rpartition("/")[2])[-60:]
        places = [place for place, _words in more]
        marks.append(Mark(name, *first[0], category, said=said, more=places, words=first[1]))
    if marks or not (category or comment):  # what is said of the text as a whole does not say that it has no errors
        answers.append(Answer(creator(fields.get("creator")), marks))
    return Document(key, text, {}, answers, line)


def source_of(targets: list[Any], line: int) -> tuple[str, str]:
    """The key of the text that all targets are in, and the text itself where one of them has it."""
    sources = [each.get("source") if isinstance(each, dict) else each for each in targets]
    ids = {each.get("id") if isinstance(each, dict) else each for each in sources}
    texts = {each["value"] for each in sources if isinstance(each, dict) and isinstance(each.get("value"), str)}
    key = next(iter(ids))
    if len(ids) > 1 or len(texts) > 1 or not isinstance(key, str) or not key:
        message = _("The target of an annotation has its text beside it: a source with id and value.")
        raise wrong(message, line, "target")
    return unquote(key.removeprefix(TEXT)) if key.startswith(TEXT) else key, next(iter(texts), "")


def place_of(text: str, target: dict[str, Any], line: int) -> tuple[int, int, str] | None:
    """Where a target lies, in code points, and its words where the file has them; None of one that is the whole text.
    Raises Invalid."""
    selectors = target.get("selector") or []
    selectors = [each for each in (selectors if isinstance(selectors, list) else [selectors]) if isinstance(each, dict)]
    position = next((each for each in selectors if each.get("type") == "TextPositionSelector"), None)
    words = next((each for each in selectors if each.get("type") == "TextQuoteSelector"), None)
    exact = str(words.get("exact") or "") if words else ""
    if position is None and words is not None:
        position = refined(words, text) or searched(words, text, line)
    if position is None:
        return None
    exact_words = exact if words else None
    start, end = code_points(text, position.get("start"), position.get("end"), exact_words, CODE_POINTS, line)
    return start, end, exact


def refined(words: dict[str, Any], text: str) -> dict[str, Any] | None:
    exact, place = str(words.get("exact") or ""), words.get("refinedBy")
    if not isinstance(place, dict) or place.get("type") != "TextPositionSelector":
        return None
    start, end = place.get("start"), place.get("end")
    if type(start) is not int or type(end) is not int or end - start != len(exact):
        return None
    return place if not text or text[start:end] == exact else None


def searched(words: dict[str, Any], text: str, line: int) -> dict[str, Any]:
    exact, before = str(words.get("exact") or ""), str(words.get("prefix") or "")
    found = text.find(before + exact)
    if found < 0 or not exact:
        raise wrong(_("The words of a mark are not in the text."), line, "target")
    return {"start": found + len(before), "end": found + len(before) + len(exact)}


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
        source = {
            "id": TEXT + quote(document.key, safe=""),
            "type": "TextualBody",
            "value": document.text,
            "format": "text/plain",
        }
        for answer in document.answers:
            whose = f"{quote(document.key, safe='')}/{quote(answer.rater, safe='')}"
            for mark in answer.marks or (None,):
                name = NONE + whose if mark is None else f"{MARK}{whose}/{quote(mark.key, safe='')}"
                annotation: dict[str, Any] = {"@context": CONTEXT, "id": name, "type": "Annotation"}
                if mark is not None and (said := _bodies(mark)):
                    annotation["body"] = said
                annotation |= {"creator": {"name": answer.rater}, "target": _target(source, document.text, mark)}
                yield (b"\n" if first else b",\n") + orjson.dumps(annotation)
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
