"""Imports point only downward. Stated once, here."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "agreement": set(),
    "projects": {"agreement"},
    "workflow": {"projects", "agreement"},
    "annotation": {"workflow", "projects", "agreement"},
    "rubrics": {"workflow", "projects", "agreement"},
    "judging": {"rubrics", "annotation", "workflow", "projects", "agreement"},
    "screening": {"rubrics", "annotation", "workflow", "projects", "agreement"},
    "reports": {"judging", "screening", "rubrics", "annotation", "workflow", "projects", "agreement"},
}
ROOMS = set(MAY_IMPORT) | {"config"}


def imported_modules(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules.add(node.module.split(".")[0])
    return modules


@pytest.mark.parametrize("room", [room for room in MAY_IMPORT if (ROOT / room).exists()])
def test_a_room_imports_only_the_rooms_below_it(room):
    files = sorted((ROOT / room).rglob("*.py"))
    assert files, f"{room} holds no code"
    upward = {
        str(path.relative_to(ROOT)): found
        for path in files
        if (found := (imported_modules(path) & ROOMS) - MAY_IMPORT[room] - {room})
    }
    assert upward == {}


def test_agreement_knows_no_django():
    for path in (ROOT / "agreement").rglob("*.py"):
        assert "django" not in imported_modules(path), path


def test_no_room_is_named_for_nothing():
    vague = {"utils.py", "helpers.py", "servers.py", "common.py", "misc.py"}
    found = [path for room in ROOMS if (ROOT / room).exists() for path in (ROOT / room).rglob("*.py")]
    assert [path for path in found if path.name in vague] == []
