"""No published number that rests on counts is left out: each stands in the test that works it out from the files."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.real_data import data_folder

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "demonstrations.md"
#: What is no count: settings of a study, which the page names, and the sentences of texts that are not published.
NO_COUNTS = {
    "juice": {"sentences_total"},
    "menlo": {"screening", "reward", "bootstrap", "scale_labels"},
    "perle": set(),
}
STUDIES = {"JuICE": "juice", "MENLO": "menlo", "Perle": "perle"}


def source_of(study: str) -> ast.Module:
    return ast.parse((HERE / f"test_tables_of_{study}.py").read_text(encoding="utf-8"))


def named_tests(study: str) -> set[str]:
    return {
        each.name
        for each in source_of(study).body
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    }


def numbers(published: Any) -> Iterator[float]:
    """Signs are the source's own operator, so they are left out on both sides."""
    if isinstance(published, dict):
        published = list(published.values())
    if isinstance(published, list):
        for each in published:
            yield from numbers(each)
    elif isinstance(published, (int, float)):
        yield abs(float(published))


def rows_of_the_page() -> list[tuple[str, str]]:
    """The study and the last column of each row of the page's table."""
    _before, table = PAGE.read_text(encoding="utf-8").split("## Every published figure that rests on counts")
    rows = (line.strip().strip("|").split("|") for line in table.splitlines() if line.startswith("| "))
    return [(STUDIES[row[0].strip()], row[-1]) for row in rows if row[0].strip() in STUDIES]


@pytest.mark.parametrize("study", NO_COUNTS)
def test_every_published_number_stands_in_a_test(study):
    folder = data_folder()
    path = folder.parent / "reference" / f"{study}.json" if folder else None
    if path is None or not path.exists():
        pytest.skip("the published numbers kept beside the project are not here")
    published = json.loads(path.read_text(encoding="utf-8"))
    assert published.keys() >= NO_COUNTS[study]
    stated = {
        float(each.value)
        for each in ast.walk(source_of(study))
        if isinstance(each, ast.Constant) and isinstance(each.value, (int, float))
    }
    missing = {
        part: sorted(set(numbers(value)) - stated) for part, value in published.items() if part not in NO_COUNTS[study]
    }
    assert {part: left for part, left in missing.items() if left} == {}


@pytest.mark.parametrize("study", NO_COUNTS)
def test_the_page_names_every_test_and_no_other(study):
    named = [
        name.removesuffix("...")
        for of, said in rows_of_the_page()
        if of == study
        for name in re.findall(r"`(test_[\w.]+)`", said)
    ]
    tests = named_tests(study)
    assert named
    assert [name for name in named if not any(test.startswith(name) for test in tests)] == []
    assert {test for test in tests if not any(test.startswith(name) for name in named)} == set()
