"""Values kept under what they were made from: another state of the data is another key, never a stale value."""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache as once
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache

K = TypeVar("K", bound=Hashable)
SECONDS_KEPT = 7 * 24 * 60 * 60
# What computes figures, and what else is kept rests on: how they are written down, and in which words.
SHARED = (
    *(
        "biases",
        "calibration",
        "columns",
        "drawn_by",
        "figures",
        "first_answers",
        "footing",
        "intervals",
        "joint_biases",
        "panels",
    ),
    *("parts", "rater_groups", "reader", "rounds", "setups", "severities"),
    *(f"freshness/{module}" for module in ("boards", "entries", "measured", "revisions")),
)
AREAS = ("spans", "rubrics", "ratings", "questionnaires", "costs", "texts", "leaderboard")
COMPUTES = (
    "agreement/**/*.py",
    "projects/splits.py",
    *("benchmark/anchor_passes.py", "benchmark/comparing.py", "benchmark/question_scores.py"),
    *(f"reports/dashboard/{module}.py" for module in SHARED),
    *(f"reports/{area}/**/*.py" for area in AREAS),
)
WRITES = (*COMPUTES, "reports/**/*.py", "templates/reports/**/*.html", "locale/**/*.mo")


def version_of(patterns: tuple[str, ...]) -> str:
    """12 hexadecimal digits over the files, by their paths from the project's root."""
    hashed = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(Path(settings.BASE_DIR).glob(pattern)):
            hashed.update(path.read_bytes())
    return hashed.hexdigest()[:12]


@once
def code_version() -> str:
    """Of the code that computes figures; part of every recipe."""
    return version_of(COMPUTES)


@once
def _kept_version() -> str:
    """Part of every key: when anything a kept value was made by changes, the value is not used again."""
    return version_of(WRITES)


def key_of(*parts: Any) -> str:
    """A cache key of the parts, their order and the code's version."""
    return "figures:" + hashlib.sha256(repr((_kept_version(), *parts)).encode()).hexdigest()[:32]


def kept(keys: Iterable[str]) -> dict[str, Any]:
    """The values that are there, by their keys."""
    return cache.get_many(set(keys))


def keep(values: Mapping[str, Any]) -> None:
    """Keep these values by their keys."""
    if values:
        cache.set_many(dict(values), SECONDS_KEPT)


def are_kept(keys: Iterable[str]) -> bool:
    """Whether the values of all these keys are there, so that `remembered` would make none of them."""
    wanted = set(keys)
    return cache.get_many(wanted).keys() >= wanted


def remembered(keys: Mapping[K, str], make: Callable[[list[K]], Mapping[K, Any]]) -> dict[K, Any]:
    """The value of every key; `make` is called once for those that are not kept yet, if there are any. What it leaves
    out has none."""
    stored = cache.get_many(keys.values())
    values = {name: stored[key] for name, key in keys.items() if key in stored}
    missing = [name for name in keys if name not in values]
    if missing:
        made = make(missing)
        cache.set_many({keys[name]: made[name] for name in missing if name in made}, SECONDS_KEPT)
        values |= made
    return values
