"""Values kept under what they were made from: another state of the data is another key, never a stale value."""

import hashlib
from collections.abc import Callable, Hashable, Mapping
from functools import cache as once
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache

K = TypeVar("K", bound=Hashable)
SECONDS_KEPT = 7 * 24 * 60 * 60
# What computes: when any of it changes, so does the version, and nothing computed before is used again.
SOURCES = ("agreement", "reports/spans")


@once
def code_version() -> str:
    """12 hexadecimal digits over the sources that compute figures; part of every recipe and every key."""
    found = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:12]


def key_of(*parts: Any) -> str:
    """A cache key of the parts, their order and the code's version."""
    return "figures:" + hashlib.sha256(repr((code_version(), *parts)).encode()).hexdigest()[:32]


def remembered(keys: Mapping[K, str], make: Callable[[list[K]], Mapping[K, Any]]) -> dict[K, Any]:
    """The value of every key; `make` is called once for those that are not kept yet, if there are any."""
    kept = cache.get_many(keys.values())
    found = {name: kept[key] for name, key in keys.items() if key in kept}
    missing = [name for name in keys if name not in found]
    if missing:
        made = make(missing)
        cache.set_many({keys[name]: made[name] for name in missing}, SECONDS_KEPT)
        found |= made
    return found
