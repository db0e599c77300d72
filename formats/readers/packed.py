"""What is packed, and how much of it is unpacked: gzip as a stream, a zipped folder member by member.

A file that grows two hundredfold or more holds nothing that anybody wrote: text packs to a fifth or a twentieth.
"""

import posixpath
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from django.utils.translation import gettext as _

from formats.reading import BLOCK_BYTES, Readable, Source
from projects.problems import Invalid, Problem

#: So many bytes are unpacked whatever they were packed from.
FREE_BYTES = 10_000_000
MAX_RATIO = 200
MAX_UNPACKED_BYTES = 20_000_000_000
MAX_MEMBERS = 1_000
# Up to here a file that must be read out of order is kept in memory, beyond it on the disk, without a name.
IN_MEMORY = 1_000_000


class Ahead:
    """A file whose first bytes were looked at, and are read again."""

    def __init__(self, first: bytes, file: Readable) -> None:
        self.first, self.file = first, file

    def read(self, size: int = -1, /) -> bytes:
        if not self.first:
            return self.file.read(size)
        if size < 0:
            block, self.first = self.first + self.file.read(), b""
            return block
        block, self.first = self.first[:size], self.first[size:]
        return block


class Unzipped:
    """The content of a gzip file, of one part or several, as it is read from a source. Raises Invalid for a bomb and
    for what is cut off."""

    def __init__(self, source: Source, file: Readable) -> None:
        self.source, self.file = source, file
        self.engine = zlib.decompressobj(wbits=31)
        self.waiting = b""
        self.given = 0

    def read(self, size: int = BLOCK_BYTES, /) -> bytes:
        try:
            block = self._next(size if size > 0 else BLOCK_BYTES)
        except zlib.error:
            raise Invalid(Problem("not_gzip", _("The gzip file is damaged."))) from None
        self.given += len(block)
        refuse_bomb(self.given, self.source.bytes_read)
        return block

    def _next(self, size: int) -> bytes:
        while True:
            if self.engine.eof:
                self.waiting = self.engine.unused_data or self._more()
                if not self.waiting:
                    return b""
                self.engine = zlib.decompressobj(wbits=31)
            elif not self.waiting:
                self.waiting = self._more()
                if not self.waiting:
                    raise Invalid(Problem("not_gzip", _("The gzip file ends too early: a part of it is missing.")))
            block = self.engine.decompress(self.waiting, size)
            self.waiting = self.engine.unconsumed_tail
            if block:
                return block

    def _more(self) -> bytes:
        block = self.file.read(BLOCK_BYTES)
        self.source.bytes_read += len(block)
        return block


def refuse_bomb(unpacked: int, packed: int) -> None:
    if unpacked > MAX_UNPACKED_BYTES or (unpacked > FREE_BYTES and unpacked > MAX_RATIO * packed):
        message = _(
            "Unpacked the file is more than %(ratio)d times as large: that holds no data, and was not unpacked."
        )
        raise Invalid(Problem("bomb", message % {"ratio": MAX_RATIO}))


def spooled(source: Source) -> IO[bytes]:
    """All of a source as a file that can be read out of order; the system takes it back when it is closed."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed by whoever asked for it)
    while block := source.read():
        file.write(block)
    file.seek(0)
    source.content_bytes = 0
    return file


def opened_archive(file: IO[bytes]) -> zipfile.ZipFile:
    """Raises Invalid where it is damaged, locked by a password or a bomb. Says what its members say of themselves: no
    more than that is unpacked of any."""
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, OSError):
        raise Invalid(Problem("not_zip", _("The zip archive is damaged."))) from None
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        message = _("The archive holds %(count)d files; at most %(limit)d are read.")
        raise Invalid(Problem("too_many_files", message % {"count": len(members), "limit": MAX_MEMBERS}))
    if any(member.flag_bits & 1 for member in members):
        raise Invalid(Problem("locked", _("The archive is locked by a password. Pack it without one.")))
    refuse_bomb(sum(member.file_size for member in members), max(1, sum(member.compress_size for member in members)))
    return archive


def data_members(archive: zipfile.ZipFile, suffixes: tuple[str, ...]) -> Iterator[zipfile.ZipInfo]:
    """The members that hold records, by name: what a system hides, and what tells of the data, is passed over."""
    for member in sorted(archive.infolist(), key=lambda each: each.filename):
        path = member.filename
        hidden = any(part.startswith((".", "__")) for part in path.split("/"))
        described = posixpath.basename(path) in ("dataset_info.json", "dataset_dict.json", "state.json")
        if not member.is_dir() and not hidden and not described and path.lower().endswith(suffixes):
            yield member
