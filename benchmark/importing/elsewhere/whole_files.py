"""Files of other programs that are no lines of JSON, as lines: Parquet, HELM's one JSON text, and lines with NaN."""

import json
import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import orjson
from django.utils.translation import gettext as _

from benchmark.importing.elsewhere import helm, lighteval, lm_harness
from benchmark.importing.parquet import ParquetLines
from formats.format import encode
from formats.reading import BLOCK_BYTES, MAX_LINE_BYTES, Readable, Source
from projects.problems import Invalid, Problem

#: A JSON text is held in memory as a whole.
MAX_JSON_BYTES = 300_000_000
IN_MEMORY = 1_000_000
PARQUET = b"PAR1"
#: What Python writes of numbers that JSON does not have.
NO_NUMBER = re.compile(rb"[:,\[]\s*-?(NaN|Infinity)\b")
#: How files begin that the programs write beside those with the answers, and the one that has them.
WITHOUT_ANSWERS = (
    (re.compile(rb"\s*\[\s*\{\s*\"input\"\s*:.*\"references\"", re.DOTALL), "scenario_state.json"),
    (re.compile(rb"\s*\[\s*\{\s*\"(instance_id\"|name\"\s*:\s*\{)"), "scenario_state.json"),
    (re.compile(rb"\s*\{\s*\"name\"\s*:.*\"scenario_spec\"", re.DOTALL), "scenario_state.json"),
    (re.compile(rb"\s*\{\s*\"results\"\s*:\s*\{"), "samples_*.jsonl"),
    (re.compile(rb"\s*\{\s*\"config_general\"\s*:\s*\{"), "details_*.parquet"),
)


class Blocks:
    """A file out of blocks of bytes."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks = blocks

    def read(self, size: int = -1, /) -> bytes:
        return next(self.blocks, b"")


def as_lines(source: Source) -> bool:
    """Have the source give lines of JSON where it is a file that another program wrote as a whole; any other stays as
    it is. Whether it was such a file. Raises Invalid where it is one and holds no answers."""
    first = source.file.read(BLOCK_BYTES)
    rest = following(first, source.file)
    if first.startswith(PARQUET):
        file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (goes with the source)
        for block in rest:
            file.write(block)
        file.seek(0)
        source.file, source.size = ParquetLines(cast(BinaryIO, file), lighteval.COLUMNS), None
        return True
    for beginning, with_answers in WITHOUT_ANSWERS:
        if beginning.match(first):
            message = _("This file holds no answers. Choose %(file)s, which the same run wrote.")
            raise Invalid(Problem("no_answers", message % {"file": with_answers}))
    if first.lstrip()[:1] == b"{" and (b'"request_states"' in first or b'"adapter_spec"' in first):
        source.file, source.size = Blocks(helm_lines(rest)), None
        return True
    is_of_harness = all(mark in first for mark in lm_harness.MARKS)
    source.file = Blocks(with_numbers(rest) if is_of_harness else rest)
    return False


def following(first: bytes, file: Readable) -> Iterator[bytes]:
    while first:
        yield first
        first = file.read(BLOCK_BYTES)


def with_numbers(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of JSON with null for what is no number (a metric that is not defined); the others byte for byte."""
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield bytes(with_null(line)) + b"\n"
        if len(rest) > MAX_LINE_BYTES:
            yield rest
            rest = b""
    if rest:
        yield bytes(with_null(rest))


def with_null(text: bytes | bytearray) -> bytes | bytearray:
    """A JSON text with null for what is no number; one that is none stays as it is."""
    if not NO_NUMBER.search(text):
        return text
    try:
        value = json.loads(text, parse_constant=lambda _name: None)
    except (ValueError, RecursionError):
        return text
    return json.dumps(value).encode()


def helm_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    content = bytearray()
    for block in blocks:
        content += block
        if len(content) > MAX_JSON_BYTES:
            message = _("The file is larger than %(limit)d MB: import it in parts.")
            raise Invalid(Problem("too_large", message % {"limit": MAX_JSON_BYTES // 1_000_000}))
    try:
        read = orjson.loads(with_null(content))
    except orjson.JSONDecodeError as error:
        raise Invalid(Problem("not_json", _("The file is not JSON: %(reason)s.") % {"reason": error})) from None
    states = read.get("request_states")
    if not isinstance(states, list) or not all(isinstance(state, dict) for state in states):
        raise Invalid(Problem("no_answers", _("The file has no list of request states, as HELM writes them.")))
    for state in states:
        yield encode(helm.kept_of(state))
