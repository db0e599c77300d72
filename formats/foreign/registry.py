"""The formats of other tools by name. A format is a module with `READS`, `document_of` and, where it can, `written`."""

from collections.abc import Iterator
from types import ModuleType

from django.utils.translation import gettext as _

from formats.foreign import conll, doccano, label_studio, mqm, potato, prodigy, uima, web_annotation
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
    shelf = Shelf()
    try:
        for each in coming:
            source.columns = None  # the file's, and none of ours
            for record in [each] if isinstance(each, Problem) else _ours(module, kind, each):
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


def _ours(module: ModuleType, kind: str, record: Record) -> list[Record] | list[Problem]:
    try:
        document = module.document_of(record)
        return [] if document is None else list(records_of(document, kind))
    except Invalid as refused:
        return refused.problems
    except (AttributeError, TypeError, KeyError):
        return [Problem("not_of_the_format", _("The entry is not laid out as the format has it."), line=record.line)]
