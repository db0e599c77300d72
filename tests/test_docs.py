"""What the documents name is there: files, folders, links, and names in the code."""

import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest

from tests.test_imports import ROOMS, ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FILE = re.compile(r"[\w./-]+\.(?:py|js|mjs|css|html|md|sh|toml)")
FOLDER = re.compile(r"[\w-]+/[\w./-]*")
NAME_IN_ROOM = re.compile(rf"((?:{'|'.join(sorted(ROOMS))})(?:\.\w+)+)(?:\(\))?")
NAME_IN_CLASS = re.compile(r"([A-Z][a-z]\w+)\.([a-z]\w+)(?:\(\))?")
# What stands for any area, and what a run writes.
PLACEHOLDERS = re.compile(r"\bAREA\b|\bDATA_DIR\b")
MADE_BY_BUILDS = {"dist", "node_modules"}


def code_in(document: Path) -> set[str]:
    """What stands between two backticks, blocks of code left out."""
    return set(CODE.findall(re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)))


def tails_of_files() -> set[str]:
    """Every file by its path from the root, and by each part of it that a document may name it by."""
    paths = [path.relative_to(ROOT).parts for room in FOLDERS - MADE_BY_BUILDS for path in (ROOT / room).rglob("*.*")]
    paths += [(path.name,) for path in ROOT.iterdir()]
    return {"/".join(parts[at:]) for parts in paths for at in range(len(parts))}


@pytest.fixture(scope="module")
def tails():
    return tails_of_files()


def shown(document: Path) -> str:
    return document.name


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_the_files_that_a_document_names_are_there(document, tails):
    named = {name for name in code_in(document) if FILE.fullmatch(name) and not PLACEHOLDERS.search(name)}
    assert {name for name in named if name not in tails} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_the_folders_that_a_document_names_are_there(document):
    named = {name for name in code_in(document) if FOLDER.fullmatch(name) and not PLACEHOLDERS.search(name)}
    ours = {name for name in named if name.partition("/")[0] in FOLDERS}
    assert {name for name in ours if not (ROOT / name).exists()} == set()


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_the_links_of_a_document_lead_somewhere(document):
    broken = []
    for link in LINK.findall(document.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        path, _, place = link.partition("#")
        target = document.parent / path if path else document
        headings = (
            HEADING.findall(target.read_text(encoding="utf-8")) if target.suffix == ".md" and target.exists() else []
        )
        if not target.exists() or (place and place not in map(anchor, headings)):
            broken.append(link)
    assert broken == []


def is_in_code(name: str) -> bool:
    """A module, what one holds, or what a class of one has. A model goes by the name of its room: `projects.Rater`."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            holder = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        rest = parts[length:]
        if length == 1 and rest and not hasattr(holder, rest[0]):
            holder = import_module(f"{parts[0]}.models")
        for part in rest:
            if not hasattr(holder, part):
                return False
            holder = getattr(holder, part)
        return True
    return False


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_the_names_of_modules_that_a_document_gives_are_there(document):
    named = {match[1] for name in code_in(document) if (match := NAME_IN_ROOM.fullmatch(name))}
    named = {name for name in named if not FILE.fullmatch(name)}
    assert {name for name in named if not is_in_code(name)} == set()


@pytest.fixture(scope="module")
def sources():
    """By name of a class, the sources of the files that define one of it."""
    texts = defaultdict(list)
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for name in re.findall(r"^class (\w+)", text, re.MULTILINE):
                texts[name].append(text)
    return texts


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_what_a_document_says_that_a_class_has_is_there(document, sources):
    named = {match.groups() for name in code_in(document) if (match := NAME_IN_CLASS.fullmatch(name))}
    missing = {
        f"{of_class}.{name}"
        for of_class, name in named
        if not any(re.search(rf"\b{name}\b", text) for text in sources[of_class])
    }
    assert missing == set()
