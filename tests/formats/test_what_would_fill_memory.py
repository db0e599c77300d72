"""A lead's file that would fill the server's memory is refused in little of it, or read a few rows at a time."""

import gzip
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest

from tests.formats.odd_files import folder, nested, parquet_file, sheet_of_empty_rows

# Each file is read by a process of its own, whose memory is counted from where it begins: a fork of one that has loaded
# what reads files, for loading it takes longer than to refuse most of them.
MEASURING = """
import os, resource, sys, traceback
sys.path.insert(0, {root!r})
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
import openpyxl, pyarrow.parquet
from formats.readers.choosing import read_records
from formats.reading import Source
from projects.problems import Invalid

def measure(path, kind):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open(path, "rb") as file:
        try:
            said = "; ".join(sorted({{getattr(each, "code", "record") for each in read_records(Source(file), kind)}}))
        except Invalid as refused:
            said = refused.problems[0].code
    print(said, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, flush=True)

for line in sys.stdin:
    if os.fork():
        _child, status = os.wait()
        if status:
            print("ended with", status, flush=True)
        continue
    try:
        measure(*line.rstrip().split("\\t"))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
"""


@pytest.fixture(scope="module")
def measuring() -> Iterator[subprocess.Popen]:
    program = MEASURING.format(root=str(Path(__file__).resolve().parents[2]))
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.communicate()


def arrow_of_shared(length: int, rows: int, of_list: int = 0) -> bytes:
    """Rows that share one text, or each a list of it, in an Arrow file."""
    texts = pyarrow.DictionaryArray.from_arrays([0] * rows * max(of_list, 1), ["x" * length])
    if of_list:
        texts = pyarrow.ListArray.from_arrays(range(0, len(texts) + 1, of_list), texts)
    table, sink = pyarrow.table({"a": texts}), io.BytesIO()
    with pyarrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


BOMBS = {
    "a gzip bomb": (lambda: gzip.compress(b" " * 200_000_000, 1), "jsonl", "bomb"),
    "a zip bomb": (lambda: folder(**{"a.csv": b"0" * 50_000_000}), "zip", "bomb"),
    "a workbook that is one": (
        lambda: folder(**{"[Content_Types].xml": b"", "xl/sharedStrings.xml": b"0" * 50_000_000}),
        "xlsx",
        "bomb",
    ),
    "a million empty rows": (sheet_of_empty_rows, "xlsx", "empty_rows"),
    "a cell of 10 MB": (lambda: parquet_file([{"a": "x" * 10_000_000}, {"a": "y"}]), "parquet", "line_too_long; record"),  # noqa: E501
    "one text in a million rows": (
        lambda: parquet_file([{"a": "x" * 4_000_000}] * 130, use_dictionary=True), "parquet", "record"
    ),
    "one text in many rows of Arrow": (lambda: arrow_of_shared(4_000_000, 130), "arrow", "group_too_large"),
    "one text in a long list of Arrow": (lambda: arrow_of_shared(1_000, 1, 1_000_000), "arrow", "group_too_large"),
    "one text in a long list": (
        lambda: parquet_file([{"a": ["x" * 1_000] * 1_000_000}], use_dictionary=True), "parquet", "group_too_large"
    ),
    "a list of thirteen million numbers in one cell": (
        lambda: parquet_file([{"a": [0] * 13_000_000}], use_dictionary=True), "parquet", "group_too_large"
    ),
    "columns within columns without end": (lambda: parquet_file([{"a": nested(40)}]), "parquet", "too_deep"),
    "a zip within which a workbook is one": (
        lambda: folder(**{"a.xlsx": folder(**{"xl/sharedStrings.xml": b"0" * 50_000_000})}), "zip", "bomb"
    ),
    "a quote that never ends": (lambda: b'id\n"' + b"x\n" * 20_000_000, "csv", "not_table"),
    "deep JSON": (lambda: b"[" * 20_000_000, "json", "not_json"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_what_would_fill_memory_takes_little_of_it(name, tmp_path, measuring):
    make, kind, code = BOMBS[name]
    path = tmp_path / "file"
    path.write_bytes(make())
    print(path, kind, sep="\t", file=measuring.stdin, flush=True)
    said, _space, megabytes = measuring.stdout.readline().strip().rpartition(" ")
    assert said == code
    assert int(megabytes) < 150, f"{name} took {megabytes} MB"
