"""Gold as it stood, under a name: the whole file with its hash, and what has changed since, line by line."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from jobs.files import in_chunks
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid, Problem
from reports.gold.formats import GoldFormat, format_of
from reports.models import GoldSnapshot, GoldSnapshotPart

TAKEN = "gold.snapshot_taken"
MAX_NAME = 80


def check_name(project: Project, area: str, name: str) -> str:
    """The name without space around it. Raises Invalid where it is empty, too long or that of another snapshot."""
    name = " ".join(name.split())
    if not name:
        raise Invalid(Problem("empty", _("Give the snapshot a name."), "name"))
    if len(name) > MAX_NAME:
        message = _("The name has %(length)d characters; at most %(limit)d fit.")
        raise Invalid(Problem("too_long", message % {"length": len(name), "limit": MAX_NAME}, "name"))
    if GoldSnapshot.objects.filter(project=project, area=area, name=name).exists():
        raise taken(name)
    return name


def taken(name: str) -> Invalid:
    words = _("There is a snapshot “%(name)s” already. A snapshot never changes: choose another name.")
    return Invalid(Problem("taken", words % {"name": name}, "name"))


def take(
    project: Project,
    gold_format: GoldFormat,
    name: str,
    by: User | None,
    *,
    on_line: Callable[[int], object] = lambda lines: None,
    with_it: Callable[[GoldSnapshot], object] = lambda snapshot: None,
    **told: Any,
) -> GoldSnapshot:
    """Write the gold to a file of its own first, so that nothing is locked while it is made, then store it at once.

    `with_it` is called in the transaction that stores it; `told` goes to the audit log. Raises Invalid where there is
    no gold, or the name is none or taken.
    """
    area, name = gold_format.area, check_name(project, gold_format.area, name)
    digest, lines, size = hashlib.sha256(), 0, 0
    responses = gold_format.summarise(project).responses
    if not responses:
        raise Invalid(Problem("no_gold", _("There is no gold yet: nothing is settled.")))
    with tempfile.TemporaryFile() as file:
        for line in gold_format.lines(project):
            file.write(line)
            digest.update(line)
            lines, size = lines + 1, size + len(line)
            on_line(lines)
        file.seek(0)
        try:
            with transaction.atomic():
                snapshot = GoldSnapshot.objects.create(
                    project=project,
                    area=area,
                    name=name,
                    made_by=by,
                    sha256=digest.hexdigest(),
                    size=size,
                    lines=lines,
                    responses=responses,
                )
                for number, content in enumerate(in_chunks(file)):
                    GoldSnapshotPart.objects.create(snapshot=snapshot, number=number, content=content)
                about = {"area": area, "sha256": snapshot.sha256, "lines": lines, **told}
                record(TAKEN, actor=by, project=project, subject=name, **about)
                with_it(snapshot)
        except IntegrityError:
            raise taken(name) from None
    return snapshot


def content_of(snapshot: GoldSnapshot) -> Iterator[bytes]:
    """The file in its parts, one in memory at a time."""
    number = 0
    while (part := snapshot.parts.filter(number=number).first()) is not None:
        yield bytes(part.content)
        number += 1


def lines_of(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a file that comes in parts, each with its newline."""
    rest = b""
    for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


@dataclass
class Changes:
    """What a later gold has that an earlier one has not, by the keys of lines; lists in the order of the files."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: int = 0

    @property
    def any(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def as_json(self) -> dict[str, Any]:
        return {"added": self.added, "removed": self.removed, "changed": self.changed, "unchanged": self.unchanged}


def key_of(line: bytes) -> str:
    """The id of what a line is about; before it what it is, in files of several kinds of lines, and for which stage."""
    said = orjson.loads(line)
    return " ".join(str(said[name]) for name in ("kind", "stage", "id") if said.get(name) is not None)


def compare(earlier: Iterable[bytes], later: Iterable[bytes]) -> Changes:
    """Holds a key and a hash for each line of the earlier file; both are read once."""
    before = {key_of(line): hashlib.sha256(line).digest() for line in earlier}
    changes = Changes()
    for line in later:
        key = key_of(line)
        digest = before.pop(key, None)
        if digest is None:
            changes.added.append(key)
        elif digest != hashlib.sha256(line).digest():
            changes.changed.append(key)
        else:
            changes.unchanged += 1
    changes.removed = list(before)
    return changes


def changes_since(snapshot: GoldSnapshot, later: GoldSnapshot | None = None) -> Changes:
    """From this snapshot to another one, or to the gold as it is now. Raises Http404 where the project no longer has
    gold of this area."""
    if later is not None:
        return compare(lines_of(content_of(snapshot)), lines_of(content_of(later)))
    return compare(lines_of(content_of(snapshot)), format_of(snapshot.project, snapshot.area).lines(snapshot.project))
