"""A file is read as it stands or refused with the line at fault: the corpus of bad input, one by one."""

import gzip
import io
import json
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.readers.choosing import format_of, read_records
from formats.reading import MAX_LINE_BYTES, Record, Source
from projects.problems import Invalid, Problem


def read(content: bytes, file_format: str = "jsonl", cells: frozenset[str] = frozenset()):
    source = Source(io.BytesIO(content))
    return list(read_records(source, file_format, cells)), source


def records(content: bytes, file_format: str = "jsonl", cells: frozenset[str] = frozenset()):
    found, _source = read(content, file_format, cells)
    assert all(isinstance(each, Record) for each in found), found
    return [(each.line, each.fields) for each in found]


def problems(content: bytes, file_format: str = "jsonl", cells: frozenset[str] = frozenset()):
    found, _source = read(content, file_format, cells)
    return [(each.line, each.code) for each in found if isinstance(each, Problem)]


A, B = (1, {"a": 1}), (2, {"b": 2})


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_lf_in_cr_lf_or_in_cr(end):
    assert records(f'{{"a": 1}}{end}{{"b": 2}}{end}'.encode()) == [A, B]


def test_the_last_line_needs_no_end():
    assert records(b'{"a": 1}\n{"b": 2}') == [A, B]


def test_blank_lines_are_passed_over_and_counted():
    assert records(b'\n{"a": 1}\n  \n\r\n{"b": 2}\n\n') == [(2, {"a": 1}), (5, {"b": 2})]


def test_a_byte_order_mark_is_passed_over_and_said():
    found, source = read(b'\xef\xbb\xbf{"a": 1}')
    assert found == [Record(1, {"a": 1})]
    assert "byte order mark" in source.notes[0]


@pytest.mark.parametrize("file_format", ["jsonl", "csv"])
def test_line_separators_inside_a_text_end_no_line(file_format):
    odd = "one\u2028two\u2029three\x85four\x0bfive\x0c"
    content = json.dumps({"t": odd}, ensure_ascii=False) if file_format == "jsonl" else f"t\n{odd}\n"
    assert [fields for _line, fields in records(content.encode(), file_format)] == [{"t": odd}]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_refused(encoding):
    with pytest.raises(Invalid, match="UTF-16"):
        read('{"a": 1}\n'.encode(encoding))


def test_a_gzip_bomb_is_refused_soon_after_it_shows_itself():
    bomb = gzip.compress(b" " * 100_000_000, 1)
    begun = time.process_time()
    with pytest.raises(Invalid, match=r"200 times as large"):
        read(bomb)
    assert time.process_time() - begun < 1


def workbook(member: str, content: str = "") -> bytes:
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr(member, content)
    return book.getvalue()


WRONG = {
    "Excel": (workbook("[Content_Types].xml"), "csv", r"This is a XLSX file, not CSV"),
    "LibreOffice": (workbook("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), "csv", r"workbook \(\.ods"),
    "old Excel": (b"\xd0\xcf\x11\xe0\xa1\xb1", "csv", r"workbook \(\.xls\)"),
    "Parquet": (b"PAR1\x15\x04\x15\x10", "jsonl", r"This is a Parquet file.*Name it \.parquet, or choose Parquet"),
    "a zip archive": (workbook("a.csv"), "csv", r"This is a zip file"),
    "bzip2": (b"BZh91AY&SY", "csv", r"compressed \(bzip2\)"),
    "a picture": (b"\x89PNG\r\n", "jsonl", r"This is a PNG file"),
    "text": (b"id,response\n", "parquet", r"This is no Parquet file; it looks like text"),
    "text as a workbook": (b"id,response\n", "xlsx", r"This is no XLSX file; it looks like text"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_named_for_what_it_is(name):
    content, asked, says = WRONG[name]
    with pytest.raises(Invalid, match=says) as refused:
        read(content, asked)
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("indent", [None, 1])
def test_a_list_of_objects_is_one_problem_and_names_the_way_out(indent):
    """Outputs of alpaca_eval are such files: as lines they would be a problem each."""
    content = json.dumps([{"instruction": "What?", "output": "That."}] * 3, indent=indent).encode()
    with pytest.raises(Invalid, match=r"This is a JSON file.*Name it \.json"):
        read(content)
    with pytest.raises(Invalid, match=r"This is a JSON file"):
        read(json.dumps({"request_states": []}, indent=1).encode())
    assert records(content, "json")[-1] == (3, {"instruction": "What?", "output": "That."})


REFUSED = {
    "invalid UTF-8": (b'{"a": "\xff"}', "not_utf8"),
    "overlong UTF-8": (b'{"a": "\xc0\x80"}', "not_utf8"),
    "a surrogate as UTF-8": (b'{"a": "\xed\xa0\x80"}', "not_utf8"),
    "NaN": (b'{"a": NaN}', "not_a_number"),
    "Infinity": (b'{"a": -Infinity}', "not_a_number"),
    "1e999": (b'{"a": 1e999}', "number_too_large"),
    "5,000 digits": (b'{"a": ' + b"9" * 5000 + b"}", "number_too_large"),
    "an integer beyond 64 bits": (b'{"a": 18446744073709551616}', "number_too_large"),
    "the same deep inside": (b'{"m": {"x": [18446744073709551616]}}', "number_too_large"),
    "equal keys": (b'{"a": 1, "a": 2}', "duplicate_key"),
    "equal keys, one escaped": (b'{"a": 1, "\\u0061": 2}', "duplicate_key"),
    "equal keys deep inside": (b'{"m": [{"a": 1, "b": 2, "a": 3}]}', "duplicate_key"),
    "100,000 levels": (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "too_deep"),
    "33 levels": (b'{"a": ' + b"[" * 33 + b"]" * 33 + b"}", "too_deep"),
    "U+0000": (b'{"a": "x\\u0000"}', "null_character"),
    "U+0000 in a key": (b'{"x\\u0000": 1}', "null_character"),
    "U+0000 as a byte": (b'{"abc": "\x00"}', "not_json"),
    "a lone high surrogate": (b'{"a": "\\ud83d"}', "lone_surrogate"),
    "a lone low surrogate": (b'{"a": "\\ude00"}', "lone_surrogate"),
    "a truncated end": (b'{"a": "cut', "not_json"),
    "a list": (b"[1]", "not_object"),
    "a text": (b'"a"', "not_object"),
    "two objects": (b'{"a": 1} {"b": 2}', "not_json"),
    "a trailing comma": (b'{"a": 1,}', "not_json"),
    "single quotes": (b"{'a': 1}", "not_json"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_proper_json_is_refused_by_line(name):
    bad, code = REFUSED[name]
    found, _source = read(b'{"a": 1}\n' + bad + b'\n{"b": 2}\n')
    assert [each.line for each in found] == [1, 2, 3], "reading goes on after the faulty line"
    assert isinstance(found[1], Problem)
    assert found[1].code == code


@settings(max_examples=50)
@given(st.dictionaries(st.text(), st.recursive(st.text() | st.booleans() | st.integers(-(2**60), 2**60), st.lists)))
def test_whatever_json_writes_is_read_back(record):
    """Texts full of quotes, colons and backslashes do not trip the search for equal keys."""
    line = json.dumps(record).encode()
    if b"\\u0000" in line:
        return
    assert records(line) == [(1, record)]


@given(st.text(st.sampled_from('a":\\ {}'), max_size=12), st.text(st.sampled_from('a":\\ '), max_size=6))
def test_equal_keys_are_found_whatever_stands_around_them(value, key):
    encoded, name = json.dumps(value), json.dumps(key)
    line = f'{{{name} : {encoded}, "zz": {encoded}, {name}: {encoded}}}'.encode()
    assert problems(line) == [(1, "duplicate_key")]


def test_a_line_of_10_mb_is_passed_over_and_named():
    content = b'{"a": 1}\n{"t": "' + b"x" * 10_000_000 + b'"}\n{"b": 2}\n'
    found, _source = read(content)
    assert [(each.line, getattr(each, "code", "")) for each in found] == [(1, ""), (2, "line_too_long"), (3, "")]


def test_a_line_without_end_is_never_held_in_memory():
    class Endless(io.RawIOBase):
        sent = 0

        def read(self, size=-1):
            self.sent += size
            return b"x" * size if self.sent < 60_000_000 else b""

    tracemalloc.start()
    found = list(read_records(Source(Endless()), "jsonl"))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each.code for each in found] == ["line_too_long"]
    assert peak < 4 * MAX_LINE_BYTES


def peak_memory(lines: int) -> int:
    line = b'{"id": "r", "response": "some words"}\n'

    class Generated(io.RawIOBase):
        left = lines

        def read(self, size=-1):
            count = min(self.left, size // len(line))
            self.left -= count
            return line * count

    tracemalloc.start()
    assert sum(1 for _each in read_records(Source(Generated()), "jsonl")) == lines
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_number_of_lines():
    assert peak_memory(100_000) < 1.2 * peak_memory(20_000)


# --- Tables ---


def test_a_table_has_its_fields_as_columns():
    content = b'id,response\nr1,"two\r\nlines, and a ""quote"""\n\nr2,\n'
    assert records(content, "csv") == [(2, {"id": "r1", "response": 'two\r\nlines, and a "quote"'}), (5, {"id": "r2"})]


@pytest.mark.parametrize("cell", ["=1+1", "+49 30", "-7", "@SUM(A1)", "=HYPERLINK(0)"])
def test_cells_that_look_like_formulas_are_data(cell):
    assert records(f"id\tresponse\nr1\t{cell}\n".encode(), "tsv") == [(2, {"id": "r1", "response": cell})]


def test_a_cell_may_hold_json():
    content = b'id,metadata\nr1,"{""n"": 1}"\nr2,{\nr3,"{""n"": 1, ""n"": 2}"\n'
    found, _source = read(content, "csv", frozenset({"metadata"}))
    assert found[0] == Record(2, {"id": "r1", "metadata": {"n": 1}})
    assert [(each.line, each.field, each.code) for each in found[1:]] == [
        (3, "metadata", "not_json"),
        (4, "metadata", "duplicate_key"),
    ]


BAD_TABLES = {
    "unbalanced quotes": (b'id\tresponse\nr1\t"open\nr2\tx\n', [(2, "not_table")]),
    "text after a closing quote": (b'id\tresponse\nr1\t"a"b\n', [(2, "not_table")]),
    "a cell too few": (b"id\tresponse\nr1\nr2\tx\n", [(2, "cell_count")]),
    "a cell too many": (b"id\tresponse\nr1\tx\ty\n", [(2, "cell_count")]),
    "invalid UTF-8": (b"id\tresponse\nr1\t\xff\n", [(2, "not_utf8")]),
    "U+0000": (b"id\tresponse\nr1\tx\x00\n", [(2, "null_character")]),
    "a quote that swallows 10 MB": (b'id\tresponse\nr1\t"' + b"x\n" * 5_000_000, [(2, "not_table")]),
    "a line of 10 MB": (b"id\tresponse\nr1\t" + b"x" * 10_000_000 + b"\n", [(2, "line_too_long")]),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_what_is_no_proper_table_is_refused_by_line(name):
    content, expected = BAD_TABLES[name]
    assert problems(content, "tsv") == expected


@pytest.mark.parametrize("header", [b"id,id\n", b"id,,response\n"])
def test_columns_have_names_of_their_own(header):
    with pytest.raises(Invalid, match="line 1"):
        read(header, "csv")


def test_the_name_of_a_file_says_its_format():
    names = ("a.jsonl", "A.CSV", "b.tsv.gz", "c.json", "noname", "d.gz", "e.xlsx", "f.ndjson")
    formats = ["jsonl", "csv", "tsv", "json", "jsonl", "jsonl", "xlsx", "jsonl"]
    assert [format_of(name) for name in names] == formats


@pytest.mark.parametrize(
    ("content", "file_format", "code", "says"),
    [
        ("id,prompt\nx,Why?\n", "tsv", "delimiter", "set apart by commas.*by tabs"),
        ('{"id": "x", "prompt": "Why?"}\n', "csv", "not_table", "This is JSON"),
        ('{"id":"x","prompt":"Why?"}\n', "csv", "not_table", "This is JSON"),
        ('{"id":"x"}\n', "tsv", "not_table", "This is JSON"),
    ],
)
def test_a_file_of_another_kind_than_its_name_says_is_told_as_such(content, file_format, code, says):
    """One sentence, not seven missing fields."""
    with pytest.raises(Invalid, match=says) as refused:
        read(("\n" + content).encode(), file_format)
    assert [(each.code, each.line) for each in refused.value.problems] == [(code, 2)]


def test_a_table_of_one_column_needs_nothing_between_columns():
    assert records(b"id\nx\n", "csv") == [(2, {"id": "x"})]
