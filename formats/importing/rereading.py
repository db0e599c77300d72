"""A file that can be read again from its beginning, whatever it comes from."""

import tempfile
from hashlib import sha256
from types import TracebackType

from formats.reading import BLOCK_BYTES, Readable, Source

IN_MEMORY = 1_000_000


class Rereadable:
    """Keeps what was read from a source, so that an import can begin again: in a file without a name, which the system
    takes back whatever ends the process."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.coming: Readable = source.file
        self.kept = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed by __exit__)
        self.end = 0  # of what is kept
        self.place = 0
        self.hash = sha256()

    def digest(self) -> str:
        """SHA-256 of the whole file, of which the rest is read."""
        while self.read(BLOCK_BYTES):
            pass
        return self.hash.hexdigest()

    def begin(self) -> None:
        """The source is as it was before its first byte was read."""
        self.place = 0
        self.source.begin(self)

    def read(self, size: int = -1, /) -> bytes:
        if self.place < self.end:
            self.kept.seek(self.place)
            block = self.kept.read(size)
        else:
            block = self.coming.read(size)
            self.kept.seek(self.end)
            self.kept.write(block)
            self.hash.update(block)
            self.end += len(block)
        self.place += len(block)
        return block

    def __enter__(self) -> "Rereadable":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kept.close()
