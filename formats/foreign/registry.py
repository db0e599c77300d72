"""The formats of other tools by name. A format is a module with `READS` and, where it can, `written` (`WRITES`
where that is another kind of file).

What becomes of a record is said by its `document_of` (a text with marks), by its `lines_of` (our lines), or, where a
line says nothing without others of the file, by its `Folder` (`take` and `rest`).
"""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from django.utils.translation import gettext as _

from formats.foreign import (
    alpaca_eval,
    argilla,
    conll,
    doccano,
    esa,
    label_studio,
    mqm,
    mt_bench,
    potato,
    prodigy,
    uima,
    web_annotation,
)
from formats.foreign.documents import records_of, said_none
from formats.mapping.making import Shelf
from formats.reading import Record, Source
from projects.problems import Invalid, Problem

FOREIGN: dict[str, ModuleType] = {
    "label-studio": label_studio,
    "doccano": doccano,
    "prodigy": prodigy,
    "web-annotation": web_annotation,
    "mqm": mqm,
    "conll": conll,
    "uima": uima,
    "potato": potato,
    "esa": esa,
    "argilla": argilla,
    "alpaca-eval": alpaca_eval,
    "mt-bench": mt_bench,
}
#: What they bring: the texts, and what was marked in them.
KINDS = ("items", "answers")
#: What differs from row to row of one rater's answer.
OF_ROW = ("spans", "no_errors")


def foreign_records(
    name: str, kind: str, coming: Iterator[Record | Problem], source: Source
) -> Iterator[Record | Problem]:
    """Our records of one kind out of a file of that format. Raises Invalid where it holds no such data."""
    if kind not in KINDS:
        message = _("A file of this format holds texts and marks: import it as %(kinds)s.")
        raise Invalid(Problem("other_kind", message % {"kinds": ", ".join(KINDS)}))
    module = FOREIGN[name]
    gathers = kind == "answers" and getattr(module, "IS_GROUPED", False)
    folder = module.Folder(kind) if hasattr(module, "Folder") else None
    shelf = Shelf()
    try:
        for each in _read(module, folder, kind, coming):
            source.columns = None  # the file's, and none of ours
            for record in each:
                if isinstance(record, Problem):
                    yield record
                elif gathers:
                    fields = {
                        part: value for part, value in record.fields.items() if part not in ("spans", "no_errors")
                    }
                    shelf.add(record.line, fields, record.fields["spans"])
                elif kind != "items" or shelf.is_new({"id": record.fields["id"]}):
                    yield record  # one text is one item, however many lines are about it
        if gathers:
            for record in shelf.gathered("spans"):
                yield Record(record.line, said_none(record.fields))
    finally:
        shelf.close()


def _read(
    module: ModuleType, folder: Any, kind: str, coming: Iterator[Record | Problem]
) -> Iterator[Sequence[Record | Problem]]:
    """What becomes of each record, and at last of what was remembered of all."""
    for each in coming:
        yield [each] if isinstance(each, Problem) else _ours(module, folder, kind, each)
    if folder is not None:
        yield from ([each] for each in folder.rest())


def _ours(module: ModuleType, folder: Any, kind: str, record: Record) -> Sequence[Record | Problem]:
    try:
        if folder is not None:
            return list(folder.take(record))
        if hasattr(module, "lines_of"):
            return list(module.lines_of(record, kind))
        document = module.document_of(record)
        return [] if document is None else list(records_of(document, kind))
    except Invalid as refused:
        return refused.problems
    except (AttributeError, TypeError, KeyError, IndexError):
        return [Problem("not_of_the_format", _("The entry is not laid out as the format has it."), line=record.line)]
