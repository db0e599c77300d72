"""UIMA CAS JSON as INCEpTION writes it: one document of one person a file, with its views and annotations.

https://github.com/apache/uima-uimaj-io-jsoncas. Offsets are UTF-16 code units (`%OFFSET_ENCODING`) unless the file says
`unicode-code-points`. Whose the annotations are, `CASMetadata` says, or a mapping. A layer of spans is a type whose
structures have begin and end; segmentation is none.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, UTF16, Answer, Document, Mark, code_points, unique_keys, wrong
from formats.reading import Record
from projects.anchors import to_utf16

READS = "json-object"
HOLDS = frozenset({"categories", "raters"})
SKIPPED = (
    "Sentence",
    "Token",
    "Paragraph",
    "DocumentMetaData",
    "CASMetadata",
    "DocumentAnnotation",
    "TagsetDescription",
    "Sofa",
)
#: Which feature of an annotation is its category: the first that has a text.
VALUES = ("value", "label", "category", "Label", "Category")
RATER = "INCEpTION"
#: Types that INCEpTION knows; that of spans is its layer “Basic annotation (span)”.
SPAN = "custom.Span"
DOCUMENT = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
WHOSE = "de.tudarmstadt.ukp.clarin.webanno.api.type.CASMetadata"
TEXT = "uima.cas.String"
TYPES = {
    name: {"%NAME": name, "%SUPER_TYPE": above, **{each: {"%NAME": each, "%RANGE": TEXT} for each in features}}
    for name, above, features in (
        (SPAN, "uima.tcas.Annotation", ("label",)),
        (DOCUMENT, "uima.tcas.DocumentAnnotation", ("documentTitle", "documentId")),
        (WHOSE, "uima.cas.AnnotationBase", ("username",)),
    )
}
#: As many bytes of a folder are held before they are written on.
BLOCK = 1 << 20


def document_of(record: Record) -> Document:
    """The document of a file. Raises Invalid where it has no text, or an annotation that is not in it."""
    fields, line = record.fields, record.line
    structures = fields.get("%FEATURE_STRUCTURES")
    if not isinstance(structures, list):
        raise wrong(_("A file of UIMA has its annotations under “%FEATURE_STRUCTURES”."), line, "%FEATURE_STRUCTURES")
    sofa: dict[str, Any] = next((each for each in structures if str(each.get("%TYPE", "")).endswith("Sofa")), {})
    text = sofa.get("sofaString")
    if not isinstance(text, str) or not text:
        raise wrong(_("The file of UIMA has no text (sofaString)."), line, "%FEATURE_STRUCTURES")
    unit = CODE_POINTS if sofa.get("%OFFSET_ENCODING") == "unicode-code-points" else UTF16
    titles = (each.get("documentTitle") or each.get("documentId") for each in structures)
    key = next((str(title) for title in titles if title), str(line))
    marks = [_mark(each, text, unit, line) for each in structures if _is_span(each)]
    users = (each.get("username") for each in structures if str(each.get("%TYPE", "")).endswith("CASMetadata"))
    answer = Answer(next((str(user) for user in users if user), RATER), marks)
    unique_keys([answer])
    return Document(key, text, {}, [answer], line)


def _is_span(structure: dict[str, Any]) -> bool:
    name = str(structure.get("%TYPE", "")).rpartition(".")[2]
    has_place = isinstance(structure.get("begin"), int) and isinstance(structure.get("end"), int)
    return has_place and name not in SKIPPED and structure["begin"] < structure["end"]


def _mark(structure: dict[str, Any], text: str, unit: str, line: int) -> Mark:
    start, end = code_points(text, structure["begin"], structure["end"], None, unit, line)
    layer = str(structure["%TYPE"]).rpartition(".")[2]
    value = next((structure[name] for name in VALUES if isinstance(structure.get(name), str)), "")
    return Mark(str(structure.get("%ID", "")) or "mark", start, end, value or layer, {"metadata": {"layer": layer}})


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """A zipped folder with a file for each answer."""
    held = io.BytesIO()
    with zipfile.ZipFile(Unseekable(held), "w", zipfile.ZIP_DEFLATED) as folder:
        number = 0
        for document in documents:
            for answer in document.answers:
                number += 1
                folder.writestr(f"{number:06}.json", orjson.dumps(_cas(document, answer)))
                if held.tell() > BLOCK:
                    yield _emptied(held)
    yield _emptied(held)


class Unseekable(io.RawIOBase):
    """What is written to it goes on; a folder that is written so needs no place to come back to."""

    def __init__(self, onto: io.BytesIO) -> None:
        self.onto = onto

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        return self.onto.write(block)


def _emptied(held: io.BytesIO) -> bytes:
    block = held.getvalue()
    held.seek(0)
    held.truncate()
    return block


def _cas(document: Document, answer: Answer) -> dict[str, Any]:
    text = document.text
    whole = {"@sofa": 1, "begin": 0, "end": to_utf16(text, len(text))}
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text/plain", "sofaString": text}
    structures: list[dict[str, Any]] = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", **sofa},
        {"%ID": 2, "%TYPE": DOCUMENT, **whole, "documentTitle": document.key, "documentId": document.key},
        {"%ID": 3, "%TYPE": WHOSE, "@sofa": 1, "username": answer.rater},
    ]
    for number, mark in enumerate(answer.marks, start=4):
        place = {"@sofa": 1, "begin": to_utf16(text, mark.start), "end": to_utf16(text, mark.end)}
        structures.append({"%ID": number, "%TYPE": SPAN, **place, "label": mark.category or "error"})
    members = [each["%ID"] for each in structures[1:]]
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}}
    return {"%TYPES": TYPES, "%FEATURE_STRUCTURES": structures, "%VIEWS": views}
