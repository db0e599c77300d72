"""Which file rows came with: one entry for each file of which something was stored."""

import hashlib
from collections import Counter
from typing import Any

import orjson
from django.utils import timezone

from projects.models import Import, Project, User

#: What a file said again, and the project had already.
UNCHANGED = ("unchanged responses", "unchanged pairs", "unchanged answers")
#: Said of answers that are counted as what they are.
OWN_LABORATORY = "own laboratory"


class Origin:
    """The entry of one file, made with the first row that names it."""

    def __init__(self, project: Project, kind: str, name: str, actor: User | None) -> None:
        self.made: Import | None = None
        self.facts: dict[str, Any] = {"project": project, "kind": kind, "name": name[:200], "imported_by": actor}

    @property
    def actor(self) -> User | None:
        return self.facts["imported_by"]

    @property
    def pk(self) -> int:
        if self.made is None:
            self.made = Import.objects.create(**self.facts, imported_at=timezone.now())
        return self.made.pk

    def close(self, counts: Counter[str], sha256: str) -> bool:
        """Write down what was stored, and of which content. False where nothing was."""
        stored = {name: count for name, count in counts.items() if count and name not in UNCHANGED}
        is_anything = any(name != OWN_LABORATORY for name in stored)
        if is_anything:
            Import.objects.filter(pk=self.pk).update(counts=stored, sha256=sha256)
        return is_anything


def digest_of(content: str, mapping: dict | None) -> str:
    """Of a file's own digest, and of the mapping by which it was read."""
    if mapping is None:
        return content
    said = orjson.dumps({name: part for name, part in mapping.items() if name != "name"}, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content.encode() + said).hexdigest()


def came_before(project: Project, kind: str, sha256: str) -> Import | None:
    """The import by which this very content came in, where it was not taken back."""
    found = Import.objects.filter(project=project, kind=kind, sha256=sha256, taken_back_at=None)
    return found.order_by("pk").first() if sha256 else None
