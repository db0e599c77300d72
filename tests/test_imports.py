"""Imports point only downward. Stated once, here."""

import ast
import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: From the bottom. Rooms of one line are siblings: neither imports the other.
ORDER = (
    ("agreement",),
    ("projects",),
    ("formats",),
    ("jobs",),
    ("notices",),
    ("workflow",),
    ("annotation", "rubrics", "benchmark"),
    ("providers",),
    ("judging", "screening"),
    ("reports",),
    ("demo",),
    ("config",),
)
MAY_IMPORT = {
    room: {below for line in ORDER[:height] for below in line} for height, line in enumerate(ORDER) for room in line
}
ROOMS = set(MAY_IMPORT)


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


def modules_of(room: str) -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "migrations" not in parts:
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_within(room: str) -> dict[str, set[str]]:
    """By module of a room, the modules of it that it imports, wherever in it: also within functions."""
    modules = modules_of(room)
    imports: dict[str, set[str]] = {}
    for name, path in modules.items():
        imported = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                named = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= {each if each in modules else node.module for each in named}
        imports[name] = (imported & set(modules)) - {name}
    return imports


def circles(imports: dict[str, set[str]]) -> set[frozenset[str]]:
    """Groups of modules of which each reaches each other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            new = imports[ahead.pop()] - seen
            seen |= new
            ahead += new
        return seen

    reach = {name: reached(name) for name in imports}
    within = [name for name in imports if name in reach[name]]
    return {frozenset(other for other in reach[name] if name in reach[other]) for name in within}


def test_a_circle_is_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == {frozenset({"b", "c"})}


@pytest.mark.parametrize("room", ["judging", "providers"])
def test_no_module_of_a_room_imports_another_in_a_circle(room):
    assert circles(imports_within(room)) == set()


def imported_when_run(path: Path) -> set[str]:
    """Names of the packages that a module imports, leaving out what only a type checker reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unread = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test)
        for statement in branch.body
        for node in ast.walk(statement)
    }
    names = set()
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_what_runs_needs_no_package_of_developers():
    """`make run` installs requirements.txt alone: the tests' own environment has more."""
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    installed = {re.sub(r"[-_.]+", "-", name).lower() for name in pinned}
    distributions = packages_distributions()
    rooms = [path for room in (*ROOMS, "deploy") for path in sorted((ROOT / room).rglob("*.py"))]
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in rooms
        for name in imported_when_run(path) & set(distributions)
        if not any(re.sub(r"[-_.]+", "-", each).lower() in installed for each in distributions[name])
    }
    assert missing == set()


START = """
import django, sys
django.setup()
LARGE = (
    "aiohttp", "krippendorff", "openai", "pandas", "py3langid", "pyarrow", "rapidfuzz", "requests",
    "rest_framework.serializers", "scipy.optimize", "scipy.stats", "snowballstemmer",
)
print([name for name in LARGE if name in sys.modules])
"""


def test_a_process_begins_without_what_it_may_never_need():
    """They take as long to load as all the rest, in every command and every worker."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    begun = subprocess.run([sys.executable, "-c", START], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert begun.stdout == "[]\n", begun.stderr


BEGIN_WORKER = """
import os, sys
from celery.signals import worker_init
from config.celery import app
worker_init.connect(lambda **told: (print("openai" in sys.modules, flush=True), os._exit(0)), weak=False)
app.worker_main(["worker", "--queues", sys.argv[1], "--pool", "solo"])
"""


@pytest.mark.parametrize(("queues", "is_loaded"), [("calls", "True"), ("calls,figures,work", "False")])
def test_a_worker_that_only_asks_models_loads_the_sdk_before_it_forks(queues, is_loaded, tmp_path):
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)}
    environment = {name: value for name, value in environment.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    command = [sys.executable, "-c", BEGIN_WORKER, queues]
    begun = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert begun.stdout.strip() == is_loaded, begun.stderr
