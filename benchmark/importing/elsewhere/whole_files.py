"""Files of other programs that are no lines of JSON, as lines: Parquet, and HELM's one JSON text."""

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import orjson
from django.utils.translation import gettext as _

from benchmark.importing.elsewhere import helm, lighteval
from benchmark.importing.parquet import ParquetLines
from formats.format import encode
from formats.reading import BLOCK_BYTES, Readable, Source
from projects.problems import Invalid, Problem

#: A JSON text is held in memory as a whole.
MAX_JSON_BYTES = 300_000_000
IN_MEMORY = 1_000_000
PARQUET = b"PAR1"


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
    if first.lstrip()[:1] == b"{" and (b'"request_states"' in first or b'"adapter_spec"' in first):
        source.file, source.size = Blocks(helm_lines(rest)), None
        return True
    if first.lstrip()[:1] == b"[" and b'"references"' in first and b'"input"' in first:
        message = _("These are HELM's instances, questions without answers. Choose the run's scenario_state.json.")
        raise Invalid(Problem("no_answers", message))
    source.file = Blocks(rest)
    return False


def following(first: bytes, file: Readable) -> Iterator[bytes]:
    while first:
        yield first
        first = file.read(BLOCK_BYTES)


def helm_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    content = bytearray()
    for block in blocks:
        content += block
        if len(content) > MAX_JSON_BYTES:
            message = _("The file is larger than %(limit)d MB: import it in parts.")
            raise Invalid(Problem("too_large", message % {"limit": MAX_JSON_BYTES // 1_000_000}))
    try:
        read = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise Invalid(Problem("not_json", _("The file is not JSON: %(reason)s.") % {"reason": error})) from None
    states = read.get("request_states")
    if not isinstance(states, list) or not all(isinstance(state, dict) for state in states):
        raise Invalid(Problem("no_answers", _("The file has no list of request states, as HELM writes them.")))
    for state in states:
        yield encode(helm.kept_of(state))
