"""Files in the database, in parts: written once, read as a stream, gone when nobody needs them any more.

Each part is written by a statement of its own, so that no lock is held while a browser sends or a job computes. What
was not written to its end belongs to no job, and is swept.
"""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from formats.reading import Readable
from jobs.models import OVER, FileChunk, StoredFile

CHUNK_BYTES = 1_000_000
SWEPT_AT_ONCE = 20


def store_file(
    name: str, blocks: Iterable[bytes], lasts: timedelta, media_type: str = "application/octet-stream"
) -> StoredFile:
    """Write the blocks, of any size, as a file of no job yet. What breaks off leaves nothing."""
    file = StoredFile.objects.create(name=name[:200], media_type=media_type, expires_at=timezone.now() + lasts)
    digest, number = hashlib.sha256(), 0
    try:
        for content in in_chunks(blocks):
            FileChunk.objects.create(file=file, number=number, content=content)
            digest.update(content)
            file.size, number = file.size + len(content), number + 1
    except BaseException:
        StoredFile.objects.filter(pk=file.pk).delete()
        raise
    file.sha256 = digest.hexdigest()
    file.save(update_fields=["size", "sha256"])
    return file


def in_chunks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in parts of CHUNK_BYTES, the last one shorter."""
    waiting = bytearray()
    for block in blocks:
        waiting += block
        while len(waiting) >= CHUNK_BYTES:
            yield bytes(waiting[:CHUNK_BYTES])
            del waiting[:CHUNK_BYTES]
    if waiting:
        yield bytes(waiting)


def blocks_of(source: Readable) -> Iterator[bytes]:
    while block := source.read(CHUNK_BYTES):
        yield block


def content_of(file: StoredFile) -> Iterator[bytes]:
    """The parts in their order, one in memory at a time."""
    number = 0
    while chunk := FileChunk.objects.filter(file=file, number=number).first():
        yield bytes(chunk.content)
        number += 1


class Joined:
    """Blocks of any size as a binary file, to be read from its beginning on."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._chunks = iter(blocks)
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        if size < 0:
            whole, self._rest = self._rest + b"".join(self._chunks), b""
            return whole
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._rest = chunk
        part, self._rest = self._rest[:size], self._rest[size:]
        return part


class Reader(Joined):
    """A stored file as a binary file."""

    def __init__(self, file: StoredFile) -> None:
        super().__init__(content_of(file))


def sweep_files() -> int:
    """Delete files whose time is over, a few at once; return how many. That of an open job stays."""
    is_needed_by_none = Q(job=None) | Q(job__state__in=OVER)
    expired = StoredFile.objects.filter(is_needed_by_none, expires_at__lte=timezone.now())
    pks = list(expired.order_by("expires_at").values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    for pk in pks:
        StoredFile.objects.filter(pk=pk).delete()
    return len(pks)
