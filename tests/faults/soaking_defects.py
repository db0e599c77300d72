"""Defects that a soak must see: by name the plan that plants it, and what must be said of it."""

from __future__ import annotations

from tests.faults.soaking import Plan

# Nobody is killed where the defect alone is to be seen.
DEFECTS = {
    "plain filesystem transport": (
        Plan(seconds=5, kills=("provider",), variables=(("BROKER_URL", "filesystem://"),)),
        "worker ended by itself",
    ),
    "supervisor that ends all": (
        Plan(seconds=5, kills=("provider",), program="tests.faults.planted_supervisor"),
        "make run ended by itself",
    ),
    "one long transaction": (
        Plan(seconds=5, kills=("provider",), rows=20_000, importer=("-m", "tests.faults.planted_import")),
        "nobody could write for",
    ),
}
