"""Looking at an archive that came from anywhere: whether it is one, whole, and of a version that is understood here.

Nothing of it is stored before every file was read once from its first byte to its last and found to be what the
manifest says. No file is unpacked further than that, and none that is packed more densely than any archive is.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

import orjson
from django.utils.translation import gettext as _

from formats.archive.columns import columns_of
from formats.archive.contents import Shared, Table, shared, tables
from formats.archive.writing import FORMAT, MANIFEST, PROJECT_FILE
from projects.problems import Invalid, Problem

BLOCK_BYTES = 256 * 1024
MAX_MANIFEST_BYTES = 1_000_000
#: Of a row: a text with all that came with it, or a part of a snapshot of gold, which stands in it as text.
MAX_LINE_BYTES = 32_000_000
MAX_FILES = 300
#: An archive is packed to a tenth or a fiftieth. What unfolds into this many times its bytes is none.
MAX_RATIO = 400
#: Below this the ratio says nothing: a file of a few equal lines is packed very densely.
SMALL_BYTES = 5_000_000
KNOWN_FORMAT = re.compile(r"mizan\.archive/(\d{1,6})")


@dataclass(frozen=True)
class File:
    """One file of an archive, as its manifest describes it."""

    name: str
    columns: tuple[str, ...]
    rows: int
    bytes: int
    sha256: str


class Archive:
    """An archive whose manifest was read and understood. Rows are lists of values in the order of their columns."""

    def __init__(self, zip_file: ZipFile) -> None:
        self.zip = zip_file
        manifest = _manifest(zip_file)
        self.slug: str = manifest["project"]["slug"]
        self.name: str = manifest["project"]["name"]
        self.files = {file.name: file for file in map(_file, manifest["files"])}
        self._check_names(len(manifest["files"]))
        self._check_columns()

    @property
    def rows(self) -> int:
        return sum(file.rows for file in self.files.values() if file.columns)

    def _check_names(self, named: int) -> None:
        there = self.zip.namelist()
        if len(self.files) != named or len(set(there)) != len(there):
            raise damaged(MANIFEST, _("A file stands in it twice."))
        if missing := sorted(self.files.keys() - set(there)):
            raise damaged(missing[0], _("The file is missing."))
        if strange := sorted(set(there) - self.files.keys() - {MANIFEST}):
            raise damaged(strange[0], _("The manifest does not name this file."))

    def _check_columns(self) -> None:
        known: dict[str, set[str] | None] = dict.fromkeys([*(each.file for each in shared()), PROJECT_FILE])
        for table in tables():
            known[table.file] = {*(each.name for each in columns_of(table)), *table.beside}
        for file in self.files.values():
            if file.name not in known:
                raise newer(file.name)
            columns = known[file.name]
            if columns is not None and (strange := sorted(set(file.columns) - columns)):
                raise newer(f"{file.name}: {strange[0]}")

    def check(self, on_bytes: Callable[[int, int], object] = lambda done, total: None) -> None:
        """Read every file whole. Raises Invalid, naming the file, where one is not what the manifest says."""
        total, done = sum(file.bytes for file in self.files.values()), 0
        for file in self.files.values():
            digest, size, rows = hashlib.sha256(), 0, 0
            packed_bytes = max(1, self.zip.getinfo(file.name).compress_size)
            if file.bytes > SMALL_BYTES and file.bytes > MAX_RATIO * packed_bytes:
                raise too_dense(file.name)
            for block in self._blocks(file):
                digest.update(block)
                size, rows = size + len(block), rows + block.count(b"\n")
                on_bytes(done + size, total)
            if size != file.bytes or digest.hexdigest() != file.sha256:
                raise damaged(file.name, _("Its content is not what was written."))
            if file.columns and rows != file.rows:
                raise damaged(file.name, _("It has other rows than the manifest says."))
            done += size

    def _blocks(self, file: File) -> Iterator[bytes]:
        """Its bytes, and not one more than it is to have."""
        left = file.bytes
        try:
            with self.zip.open(file.name) as content:
                while block := content.read(min(BLOCK_BYTES, left + 1)):
                    left -= len(block)
                    if left < 0:
                        raise damaged(file.name, _("It is larger than the manifest says."))
                    yield block
        except (BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
            raise damaged(file.name, _("It cannot be unpacked: %(reason)s.") % {"reason": error}) from None
        except Exception as error:  # zlib.error, lzma.LZMAError and the like, by which a damaged file makes itself felt
            raise damaged(file.name, _("It cannot be unpacked: %(reason)s.") % {"reason": error}) from None

    def table_rows(self, table: Table | Shared) -> Iterator[tuple[int, dict[str, Any]]]:
        """(number, value by column) of each row; none where the archive has no such file."""
        file = self.files.get(table.file)
        if file is None:
            return
        width = len(file.columns)
        for number, line in enumerate(self._lines(file), start=1):
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError:
                raise damaged(file.name, _("This is no row."), number) from None
            if not isinstance(row, list) or len(row) != width:
                raise damaged(file.name, _("This is no row."), number)
            yield number, dict(zip(file.columns, row, strict=True))

    def _lines(self, file: File) -> Iterator[bytes]:
        rest = b""
        for block in self._blocks(file):
            *whole, rest = (rest + block).split(b"\n")
            yield from whole
            if len(rest) > MAX_LINE_BYTES:
                raise damaged(file.name, _("A row is longer than any."))
        if rest:
            yield rest


@contextmanager
def opened(source: IO[bytes]) -> Iterator[Archive]:
    """The archive in a file that can be sought in. Raises Invalid where it is none that is understood."""
    try:
        zip_file = ZipFile(source)
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        raise Invalid(Problem("not_an_archive", _("This is no archive of a project, or only a part of one."))) from None
    with zip_file:
        yield Archive(zip_file)


def _manifest(zip_file: ZipFile) -> dict[str, Any]:
    """Raises Invalid."""
    if len(zip_file.namelist()) > MAX_FILES:
        raise Invalid(Problem("not_an_archive", _("This is no archive of a project: it holds too many files.")))
    try:
        info = zip_file.getinfo(MANIFEST)
    except KeyError:
        message = _("This is no archive of a project: it holds no “%(name)s”.") % {"name": MANIFEST}
        raise Invalid(Problem("not_an_archive", message)) from None
    try:
        with zip_file.open(info) as content:
            data = content.read(MAX_MANIFEST_BYTES + 1)
        if len(data) > MAX_MANIFEST_BYTES:
            raise damaged(MANIFEST, _("It is longer than any."))
        manifest = orjson.loads(data)
    except Invalid:
        raise
    except Exception as error:  # whatever a damaged zip file makes of itself
        raise damaged(MANIFEST, _("It cannot be read: %(reason)s.") % {"reason": error}) from None
    version = KNOWN_FORMAT.fullmatch(str(manifest.get("format"))) if isinstance(manifest, dict) else None
    if version is None:
        raise Invalid(Problem("not_an_archive", _("This is no archive of a project."), MANIFEST))
    if manifest["format"] != FORMAT:
        raise newer(f"{MANIFEST}: {manifest['format']}")
    project = manifest.get("project")
    if not isinstance(project, dict) or not all(isinstance(project.get(key), str) for key in ("slug", "name")):
        raise damaged(MANIFEST, _("It does not name the project."))
    if not isinstance(manifest.get("files"), list):
        raise damaged(MANIFEST, _("It does not list the files."))
    return manifest


def _file(said: Any) -> File:
    kinds = {"name": str, "columns": list, "rows": int, "bytes": int, "sha256": str}
    if not isinstance(said, dict) or any(type(said.get(key)) is not kind for key, kind in kinds.items()):
        raise damaged(MANIFEST, _("It does not describe the files."))
    columns = said["columns"]
    if not all(isinstance(name, str) for name in columns) or len(set(columns)) != len(columns):
        raise damaged(MANIFEST, _("It does not describe the files."))
    return File(said["name"], tuple(columns), said["rows"], said["bytes"], said["sha256"])


def damaged(name: str, message: str, row: int | None = None) -> Invalid:
    return Invalid(Problem("damaged", message, name, row))


def newer(place: str) -> Invalid:
    message = _("The archive was written by a newer version: what stands here is not known. Update this installation.")
    return Invalid(Problem("newer_version", message, place))


def too_dense(name: str) -> Invalid:
    return Invalid(Problem("too_dense", _("The file unfolds into far more than an archive does."), name))
