"""UIMA CAS JSON as INCEpTION writes it: one document a file, its views and annotations as feature structures.

https://github.com/apache/uima-uimaj-io-jsoncas. Offsets are UTF-16 code units (`%OFFSET_ENCODING`) unless the file says
`unicode-code-points`. A layer of spans is a type whose structures have begin and end; segmentation is none.
"""

from typing import Any

from django.utils.translation import gettext as _

from formats.foreign.documents import CODE_POINTS, UTF16, Answer, Document, Mark, code_points, unique_keys, wrong
from formats.reading import Record

READS = "json-object"
SKIPPED = ("Sentence", "Token", "Paragraph", "DocumentMetaData", "DocumentAnnotation", "TagsetDescription", "Sofa")
#: Which feature of an annotation is its category: the first that has a text.
VALUES = ("value", "label", "category", "Label", "Category")


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
    answer = Answer("INCEpTION", marks)
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
