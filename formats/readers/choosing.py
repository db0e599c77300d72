"""Which reader a file is for: what was asked for, held against what its first bytes show."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import orjson
from django.utils.translation import gettext as _

from formats.foreign.registry import FOREIGN, foreign_records
from formats.readers.columnar import arrow_records, parquet_records
from formats.readers.json_file import json_file_records
from formats.readers.packed import Ahead, Unzipped, data_members, opened_archive, spooled
from formats.readers.tables import table_records, unquoted_records
from formats.readers.whole import object_records, paragraph_records
from formats.readers.workbooks import workbook_records
from formats.reading import BLOCK_BYTES, Record, Source, json_records, read_lines
from projects.problems import Invalid, Problem


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read.

    What sets its columns apart ("" as its first row shows), which sheet of a workbook ("" the first), which columns of
    a table of text hold JSON, whether one JSON object is taken apart, which kind of data a foreign format is read
    for, and whether only the first records are wanted: a look reads little more of the file than those. `member` is how
    each file of a folder is read ("" as its name says).
    """

    delimiter: str = ""
    sheet: str = ""
    parse_cells: frozenset[str] = frozenset()
    takes_object: bool = False
    kind: str = ""
    is_look: bool = False
    member: str = ""


#: Of a file whose lines are gathered into one record, so many are looked at.
LOOKED_AT = 200
#: Of a folder of more files, it is not said which of them a line stands in.
MAX_NOTED = 20
Reader = Callable[[Source, Reading], Iterator[Record | Problem]]


def _json(source: Source, reading: Reading) -> Iterator[Record | Problem]:
    """What is called JSON is as often lines of JSON, whose first line is an object by itself and not the only one."""
    first = source.file.read(BLOCK_BYTES)
    source.file = Ahead(first, source.file)
    head, _end, rest = first.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if head.startswith(b"{") and (rest.strip() or not reading.takes_object) and _is_json(head):
        return json_records(read_lines(source))
    return json_file_records(source, reading.takes_object)


def _object_or_json(source: Source, reading: Reading) -> Iterator[Record | Problem]:
    """One object over several lines, as tools indent it, is one record; anything else is read as JSON."""
    first = source.file.read(BLOCK_BYTES)
    source.file = Ahead(first, source.file)
    head = first.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0]
    return object_records(source) if head.strip() == b"{" else _json(source, reading)


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


READERS: dict[str, Reader] = {
    "jsonl": lambda source, _reading: json_records(read_lines(source)),
    "json": _json,
    "csv": lambda source, reading: table_records(source, reading.delimiter, reading.parse_cells),
    "tsv": lambda source, reading: table_records(source, reading.delimiter or "\t", reading.parse_cells),
    "tsv-unquoted": lambda source, _reading: unquoted_records(source),
    "xlsx": lambda source, reading: workbook_records(source, reading.sheet, is_look=reading.is_look),
    "parquet": lambda source, _reading: parquet_records(source),
    "paragraphs": lambda source, _reading: paragraph_records(source),
    "json-object": lambda source, _reading: object_records(source),
    "arrow": lambda source, _reading: arrow_records(source),
    "object-or-json": _object_or_json,
}
#: Read for formats of other tools, and by no name of their own.
INNER = ("paragraphs", "json-object", "object-or-json")
FORMATS = (*(each for each in READERS if each not in INNER), "zip", *FOREIGN)
NAMES = {
    "jsonl": "JSON lines",
    "json": "JSON",
    "csv": "CSV",
    "tsv": "TSV",
    "tsv-unquoted": "TSV",
    "xlsx": "XLSX",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "paragraphs": "text",
    "json-object": "JSON",
    "object-or-json": "JSON",
    "zip": "zip",
}
SUFFIXES = {"ndjson": "jsonl", "txt": "csv", "tab": "tsv", "xlsm": "xlsx", "pq": "parquet", "feather": "arrow"}

SIGNATURES = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"%PDF": "PDF",
    b"\xd0\xcf\x11\xe0": "xls",
    b"SQLite format 3": "SQLite",
    b"\x89PNG": "PNG",
}
# What the archive of a workbook begins with, as Excel and LibreOffice write it.
WORKBOOK = (b"[Content_Types].xml", b"_rels/.rels", b"xl/", b"docProps/")
OPEN_DOCUMENT = b"opendocument.spreadsheet"


def format_of(name: str, formats: Collection[str] = FORMATS) -> str:
    """The format a file's name announces, packed (.gz) or not; JSON lines where it announces none."""
    parts = name.lower().split(".")[1:]
    if len(parts) > 1 and parts[-1] in ("gz", "gzip"):
        parts.pop()
    suffix = SUFFIXES.get(parts[-1], parts[-1]) if parts else ""
    return suffix if suffix in formats else "jsonl"


def shown_format(first: bytes) -> str:
    """What the first bytes of a file show it to be; "" for text."""
    found = next((name for signature, name in SIGNATURES.items() if first.startswith(signature)), "")
    if found == "zip" and OPEN_DOCUMENT in first[:200]:
        return "ods"
    if found == "zip" and any(part in first[:200] for part in WORKBOOK):
        return "xlsx"
    return found


def read_records(
    source: Source,
    file_format: str,
    parse_cells: frozenset[str] = frozenset(),
    *,
    reading: Reading | None = None,
) -> Iterator[Record | Problem]:
    """Yield each record of the file in order, or the Problem that stands in its place. gzip is unpacked on the way.

    `parse_cells` names the columns of a table of text whose cells hold JSON; `reading` says more. Raises Invalid where
    the file as a whole cannot be read: another kind than `file_format`, UTF-16, a table without a proper header.
    """
    asked = reading or Reading(parse_cells=parse_cells)
    if file_format in FOREIGN:
        reads = FOREIGN[file_format].READS
        inner = replace(asked, member=reads if reads in INNER else "")
        coming = read_records(source, _layout(source, reads), reading=inner)
        if asked.is_look:
            coming = islice(coming, LOOKED_AT)
        return foreign_records(file_format, asked.kind, coming, source)
    first = source.file.read(BLOCK_BYTES)
    source.file = Ahead(first, source.file)
    if shown_format(first) == "gzip":
        source.file, source.is_unpacked = Unzipped(source, source.file), True
        first = source.file.read(BLOCK_BYTES)
        source.file = Ahead(first, source.file)
    refuse_other_format(shown_format(first), file_format)
    if file_format == "zip":
        return _folder_records(source, asked)
    return READERS[file_format](source, asked)


def _layout(source: Source, reads: str) -> str:
    """How a file of another tool is read: as the tool writes it, or a zipped folder of such files."""
    if reads not in ("json", "jsonl", "json-object", "object-or-json"):
        return reads
    first = source.file.read(BLOCK_BYTES)
    source.file = Ahead(first, source.file)
    return "zip" if shown_format(first) == "zip" else reads


def refuse_other_format(shown: str, asked: str) -> None:
    """Raises Invalid, once for the whole file, where it is not what it is said to be, and names what it is."""
    if shown == asked or (shown == "" and asked not in ("xlsx", "parquet", "zip")) or (shown, asked) == ("", "arrow"):
        return
    if shown == "":
        message = _("This is no %(asked)s file; it looks like text. Name it for what it is, such as .csv or .jsonl.")
        raise Invalid(Problem("other_format", message % {"asked": NAMES[asked]}))
    if shown in FORMATS:
        message = _("This is a %(shown)s file, not %(asked)s. Name it .%(suffix)s, or choose %(shown)s.")
        names = {"shown": NAMES[shown], "asked": NAMES[asked], "suffix": shown}
        raise Invalid(Problem("other_format", message % names))
    if shown in ("gzip", "bzip2", "xz", "zstd"):
        message = _("The file is compressed (%(name)s). Unpack it and import what is inside.")
        raise Invalid(Problem("compressed", message % {"name": shown}))
    if shown in ("ods", "xls"):
        message = _("This is a workbook (.%(name)s). Save it as .xlsx, or its sheet as CSV in UTF-8.")
        raise Invalid(Problem("workbook", message % {"name": shown}))
    message = _("This is a %(name)s file, which holds no table that can be read.")
    raise Invalid(Problem("other_format", message % {"name": shown}))


def _folder_records(source: Source, reading: Reading) -> Iterator[Record | Problem]:
    """The files of a zipped folder one behind the other, by name; their lines are counted on from file to file."""
    with spooled(source) as file, opened_archive(file) as archive:
        before = taken = 0
        suffixes = tuple(f".{each}{packed}" for each in (*READERS, *SUFFIXES) for packed in ("", ".gz"))
        members = list(data_members(archive, suffixes))
        if not members:
            message = _("The archive holds no file that can be read: %(formats)s.")
            raise Invalid(Problem("empty_archive", message % {"formats": ", ".join(NAMES[each] for each in READERS)}))
        for member in members:
            if 1 < len(members) <= MAX_NOTED:
                note = _("Lines from %(line)d on are those of %(name)s.")
                source.notes.append(note % {"line": before + 1, "name": member.filename})
            with archive.open(member) as content:
                inner = Source(content, member.filename, member.file_size)
                for record in read_records(inner, reading.member or format_of(member.filename), reading=reading):
                    source.columns, source.nested = inner.columns, inner.nested
                    yield _moved(record, before)
                    source.lines_read = before + inner.lines_read
                    source.content_bytes = taken + inner.content_bytes
            before, taken = before + inner.lines_read, taken + inner.content_bytes


def _moved(record: Record | Problem, by: int) -> Record | Problem:
    if isinstance(record, Record):
        return Record(record.line + by, record.fields)
    return Problem(record.code, record.message, record.field, (record.line or 0) + by, record.span)
