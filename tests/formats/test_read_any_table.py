"""A lead's tables as their tools save them: any separator, workbooks, Parquet, Arrow, JSON, packed, in a folder."""

import gzip
import io
import itertools
import json
import re
import zipfile
from datetime import date

import pyarrow
import pytest
from pyarrow import parquet

from formats.readers import looking, workbooks
from formats.readers.choosing import LOOKED_AT, Reading, read_records
from formats.reading import Record, Source
from projects.problems import Invalid, Problem
from tests.formats.odd_files import folder, parquet_file, workbook

ROWS = [{"id": "r1", "response": "Koshari, 🍚"}, {"id": "r2", "response": "كشري"}]


def read(content: bytes, file_format: str, **asked):
    source = Source(io.BytesIO(content), "file", len(content))
    return list(read_records(source, file_format, reading=Reading(**asked))), source


def fields(content: bytes, file_format: str, **asked):
    found, _source = read(content, file_format, **asked)
    assert all(isinstance(each, Record) for each in found), found
    return [each.fields for each in found]


def as_excel_saves(*sheets: list[list]) -> dict[str, bytes]:
    """The parts of a workbook, the texts of its cells apart from them and named by number, as Excel has it."""
    whole = zipfile.ZipFile(io.BytesIO(workbook(*sheets)))
    parts = {name: whole.read(name) for name in whole.namelist()}
    texts: list[bytes] = []

    def apart(cell: re.Match) -> bytes:
        texts.append(b"<si>" + cell[2] + b"</si>")
        return b'<c %s t="s"><v>%d</v></c>' % (cell[1], len(texts) - 1)

    for name in parts:
        if name.startswith("xl/worksheets/"):
            parts[name] = re.sub(rb'<c (r="[A-Z0-9]+") t="inlineStr"><is>(.*?)</is></c>', apart, parts[name])
    main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/sharedStrings.xml"] = b'<sst xmlns="%s">%s</sst>' % (main, b"".join(texts))
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    own = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % kind
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", own)
    return parts


# --- Text ---


@pytest.mark.parametrize(("delimiter", "name"), [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")])
def test_the_first_row_shows_what_sets_columns_apart(delimiter, name):
    content = f'id{delimiter}"a, response"\nr1{delimiter}x, y\n'.encode()
    found, source = read(content, "csv")
    assert found == [Record(2, {"id": "r1", "a, response": "x, y"})]
    assert source.notes == [f"The columns are set apart by {name}."]


def test_a_lead_may_say_what_sets_columns_apart():
    assert fields(b"id^a;b\nr1^x;y\n", "csv", delimiter="^") == [{"id": "r1", "a;b": "x;y"}]


@pytest.mark.parametrize("line", ["sep=^", '"sep=^"', "SEP=^"])
def test_the_line_that_excel_reads_above_the_names_says_what_sets_columns_apart(line):
    found, source = read(f"{line}\r\nid^a;b\r\nr1^x;y\r\n".encode(), "csv")
    assert found == [Record(3, {"id": "r1", "a;b": "x;y"})]
    assert source.columns == ["id", "a;b"]


def test_that_line_may_name_a_tab_and_is_passed_over_where_a_lead_says_otherwise():
    assert fields(b"sep=\t\nid\ta\nr1\tx,y\n", "csv") == [{"id": "r1", "a": "x,y"}]
    assert fields(b"sep=;\nid^a\nr1^x\n", "csv", delimiter="^") == [{"id": "r1", "a": "x"}]
    assert fields(b"sep=;\n", "csv") == []
    # A column of that name beside others is one.
    assert fields(b"sep=x,id\n1,2\n", "csv") == [{"sep=x": "1", "id": "2"}]


# --- JSON ---


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("block", [1, 7, 262_144])
def test_a_list_is_read_entry_by_entry_wherever_its_blocks_end(indent, block, monkeypatch):
    rows = [*ROWS, {"id": 'a "quote\\" ]}', "deep": {"x": [1, {"y": "[,"}]}}, {}]
    monkeypatch.setattr("formats.reading.BLOCK_BYTES", block)
    source = Source(io.BytesIO(json.dumps(rows, indent=indent).encode()))
    found = list(read_records(source, "json"))
    assert found == [Record(number, row) for number, row in enumerate(rows, start=1)]


def test_an_object_is_taken_apart_where_a_mapping_says_what_its_members_are():
    content = json.dumps({"one": {"a": 1}, "two": {"a": 2}}, indent=1).encode()
    with pytest.raises(Invalid, match="one JSON object, not a list"):
        read(content, "json")
    assert fields(content, "json", takes_object=True) == [{"one": {"a": 1}}, {"two": {"a": 2}}]


def test_lines_of_json_are_read_whatever_their_file_is_called():
    content = b'{"id": "r1"}\n{"id": "r2"}\n'
    assert fields(content, "json") == [{"id": "r1"}, {"id": "r2"}]


BAD_JSON = {
    "cut off": (b'[{"id": 1}, {"id"', [(1, ""), (2, "not_json")]),
    "cut off behind an entry": (b'[{"id": 1}', [(1, "not_json")]),
    "goes on behind its end": (b'[{"id": 1}]]', [(1, ""), (2, "not_json")]),
    "closed by the wrong bracket": (b'[{"id": 1}}', [(1, ""), (2, "not_json")]),
    "a comma too many": (b'[{"id": 1},]', [(1, ""), (2, "not_json")]),
    "an entry that is no object": (b'[1, {"id": 1}]', [(1, "not_object"), (2, "")]),
    "equal keys": (b'[{"a": 1, "a": 2}]', [(1, "duplicate_key")]),
    "too deep": (b'[{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]", [(1, "too_deep")]),
    "an entry of 10 MB": (b'[{"a": "' + b"x" * 10_000_000 + b'"}, {"a": 1}]', [(1, "line_too_long"), (2, "")]),
    "NaN": (b'[{"a": NaN}]', [(1, "not_a_number")]),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_what_is_no_proper_list_is_named_by_its_entry(name):
    content, expected = BAD_JSON[name]
    found, _source = read(content, "json")
    assert [(each.line, getattr(each, "code", "")) for each in found] == expected


def test_an_empty_list_holds_nothing():
    assert read(b" [ ] ", "json")[0] == []


# --- Workbooks ---


def test_a_sheet_is_read_with_the_types_of_its_cells():
    content = workbook(
        [["id", "grade", "asked", "note", None], [7, 4.5, date(2026, 3, 1), None, None], [None] * 5, ["r2"]]
    )
    found, _source = read(content, "xlsx")
    assert found == [
        Record(2, {"id": 7, "grade": 4.5, "asked": "2026-03-01T00:00:00"}),
        Record(4, {"id": "r2"}),
    ]


def test_a_sheet_is_chosen_by_its_name():
    content = workbook([["id"], ["a"]], [["id"], ["b"]])
    found, source = read(content, "xlsx")
    assert [each.fields for each in found] == [{"id": "a"}]
    assert source.notes == ["Read is the first sheet of these: Sheet 1, Sheet 2."]
    assert fields(content, "xlsx", sheet="Sheet 2") == [{"id": "b"}]
    with pytest.raises(Invalid, match="no sheet “Sheet 3”"):
        read(content, "xlsx", sheet="Sheet 3")


def test_a_cell_under_no_name_is_named():
    found, _source = read(workbook([["id"], ["a", "stray"]]), "xlsx")
    assert [(each.line, each.code) for each in found] == [(2, "cell_count")]


@pytest.mark.parametrize("is_look", [False, True])
def test_a_formula_that_was_never_computed_is_named_by_its_cell(is_look):
    """As a program writes it that computes nothing: read as an empty cell, the grade would be left out in silence."""
    content = workbook([["id", "grade"], ["r1", 3], ["r2", "=B2+1"]])
    found, _source = read(content, "xlsx", is_look=is_look)
    assert found[0] == Record(2, {"id": "r1", "grade": 3})
    assert (found[1].code, found[1].field, found[1].line) == ("not_computed", "grade", 3)
    assert "B3" in found[1].message
    with pytest.raises(Invalid, match="cell B1"):
        read(workbook([["id", '=CONCATENATE("a","b")'], ["r1", 3]]), "xlsx", is_look=is_look)


def test_what_a_formula_came_to_is_read_an_empty_text_too():
    parts = as_excel_saves([["id", "grade", "note"], ["r1", 3, "x"]])
    [sheet] = [name for name in parts if name.startswith("xl/worksheets/")]
    row = b'<c r="B2"><f>1+3</f><v>4</v></c><c r="C2" t="str"><f>LEFT(A2,0)</f><v></v></c></row>'
    parts[sheet] = re.sub(rb'<c r="B2".*?</row>', row, parts[sheet])
    assert fields(folder(**parts), "xlsx") == [{"id": "r1", "grade": 4}]


def test_rows_and_cells_that_a_sheet_leaves_out_are_empty():
    parts = as_excel_saves([["id", "grade", "note"], ["r1", 3, "x"]])
    [sheet] = [name for name in parts if name.startswith("xl/worksheets/")]
    parts[sheet] = re.sub(rb'<row r="2".*?</row>', b'<row r="5"><c r="B5"><v>7</v></c></row>', parts[sheet])
    found, _source = read(folder(**parts), "xlsx")
    assert found == [Record(5, {"grade": 7})]


def test_a_damaged_workbook_is_one_problem():
    content = workbook([["id"], ["a"]])
    with pytest.raises(Invalid, match="zip archive is damaged"):
        read(content[: len(content) // 2], "xlsx")
    with pytest.raises(Invalid, match="workbook cannot be read"):
        read(folder(**{"[Content_Types].xml": b"<Types"}), "xlsx")


def test_a_workbook_whose_texts_are_missing_is_one_problem():
    """Cells name their texts by number; a part of the file that is gone has none of that number."""
    parts = as_excel_saves([["id", "response"], ["r1", "Koshari"]])
    texts = parts["xl/sharedStrings.xml"]
    assert fields(folder(**parts), "xlsx") == [{"id": "r1", "response": "Koshari"}]
    parts["xl/sharedStrings.xml"] = texts[: texts.index(b"<si>")] + b"</sst>"
    for is_look in (False, True):
        with pytest.raises(Invalid) as found:
            read(folder(**parts), "xlsx", is_look=is_look)
        assert found.value.problems[0].code == "not_workbook"


def test_a_look_into_a_workbook_reads_no_more_texts_than_its_first_rows_have(monkeypatch):
    rows = [["id", "response"], *([f"r{number}", f"Answer {number}"] for number in range(500))]
    seen = []
    as_it_was = looking.Text.from_tree
    monkeypatch.setattr(looking.Text, "from_tree", lambda node: seen.append(node) or as_it_was(node))
    content = folder(**as_excel_saves(rows))
    source = Source(io.BytesIO(content), "file", len(content))
    coming = read_records(source, "xlsx", reading=Reading(is_look=True))
    first = [each.fields for each in itertools.islice(coming, 2)]
    assert first == [{"id": "r0", "response": "Answer 0"}, {"id": "r1", "response": "Answer 1"}]
    assert len(seen) <= 12
    coming.close()
    assert len(fields(content, "xlsx", is_look=True)) == 500
    monkeypatch.setattr(looking, "MAX_TEXTS", 100)
    with pytest.raises(Invalid, match="too far down"):
        read(content, "xlsx", is_look=True)


def test_a_look_at_lines_that_become_one_record_reads_the_first_of_them():
    row = "s\td\t{n}\tr{n}\tWhy?\tWell, <v>so</v>.\tStyle/Awkward\tMinor\n"
    content = "system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    content += "".join(row.format(n=number) for number in range(1_000))
    found, source = read(content.encode(), "mqm", kind="answers", is_look=True)
    assert len(found) == LOOKED_AT
    assert source.lines_read < 1_001
    assert len(read(content.encode(), "mqm", kind="answers")[0]) == 1_000


def test_texts_beyond_what_memory_holds_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(workbooks, "MAX_TEXTS_BYTES", 100)
    with pytest.raises(Invalid, match="texts of the workbook"):
        read(folder(**{"[Content_Types].xml": b"<Types/>", "xl/sharedStrings.xml": b"<sst>" + b"x" * 100}), "xlsx")


# --- Parquet and Arrow ---


def test_parquet_is_read_row_by_row():
    found, source = read(parquet_file([*ROWS, {"id": "r3", "response": None}]), "parquet")
    assert found == [Record(1, ROWS[0]), Record(2, ROWS[1]), Record(3, {"id": "r3"})]
    assert source.columns == ["id", "response"]


def test_nested_columns_are_said_to_be_so():
    found, source = read(parquet_file([{"id": "r1", "spans": [{"start": 1}]}]), "parquet")
    assert source.nested == {"spans"}
    assert found[0].fields["spans"] == [{"start": 1}]


def test_arrow_is_read_as_data_sets_are_saved():
    table = pyarrow.Table.from_pylist(ROWS)
    for new in (pyarrow.ipc.new_stream, pyarrow.ipc.new_file):
        written = io.BytesIO()
        with new(written, table.schema) as writer:
            writer.write_table(table)
        assert fields(written.getvalue(), "arrow") == ROWS


@pytest.mark.parametrize("cell", [b"bytes", float("inf"), 2**63, "half \x00"])
def test_a_cell_that_is_no_text_and_no_number_is_named(cell):
    column = pyarrow.array([cell], pyarrow.uint64()) if cell == 2**63 else pyarrow.array([cell])
    written = io.BytesIO()
    parquet.write_table(pyarrow.table({"id": column}), written)
    found, _source = read(written.getvalue(), "parquet")
    assert [(type(each), each.line, each.field) for each in found] == [(Problem, 1, "id")]


def test_a_damaged_parquet_file_is_one_problem():
    with pytest.raises(Invalid, match="Parquet file cannot be read"):
        read(b"PAR1 and nothing of a footer PAR1", "parquet")


# --- Packed ---


def test_a_packed_file_is_unpacked_on_the_way():
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
    assert fields(gzip.compress(lines[:40]) + gzip.compress(lines[40:]), "jsonl") == ROWS
    assert fields(gzip.compress(parquet_file(ROWS)), "parquet") == ROWS


def test_a_packed_file_that_ends_too_early_or_is_damaged_is_refused():
    packed = gzip.compress(json.dumps(ROWS[0]).encode() * 100)
    with pytest.raises(Invalid, match="ends too early"):
        read(packed[:-20], "jsonl")
    with pytest.raises(Invalid, match="damaged"):
        read(packed[:12] + b"\xff" * 20, "jsonl")


def test_a_zipped_folder_is_read_file_by_file():
    content = folder(
        **{
            "set/README.md": b"# Data",
            "__MACOSX/a.jsonl": b"junk",
            "set/dataset_info.json": b"{}",
            "set/b.jsonl": b'{"id": "r2"}\n\n{"id": "r3"}\n',
            "set/a.csv": b"id\nr1\n",
            "set/c.parquet": parquet_file([{"id": "r4"}]),
        }
    )
    found, source = read(content, "zip")
    assert [(each.line, each.fields["id"]) for each in found] == [(2, "r1"), (3, "r2"), (5, "r3"), (6, "r4")]
    assert source.notes[1] == "Lines from 3 on are those of set/b.jsonl."


def test_a_folder_without_data_says_what_can_be_read():
    with pytest.raises(Invalid, match="holds no file that can be read"):
        read(folder(**{"a.docx": b"x"}), "zip")
    with pytest.raises(Invalid, match="zip archive is damaged"):
        read(b"PK\x03\x04 rest", "zip")
