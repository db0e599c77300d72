"""docs/figures.md has every table of every area: what it holds, and what varies in the intervals of its figures."""

import re
from pathlib import Path

import pytest

from reports.areas import areas
from tests.reports.juice import juice
from tests.reports.menlo import a_study
from tests.reports.perle import study

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/figures.md").read_text()
#: An id as a measure's file says it, and those that are given to a table that several areas share.
SAID = re.compile(r"""(?:\bid|table_id(?:: str)?)\s*=\s*"([a-z-]+)"|^\s*"([a-z]+(?:-[a-z]+)+)",?$""", re.MULTILINE)
#: Boards have a page of their own, what judges cost is counted to the cent.
FILES = [*ROOT.glob("reports/*/measures/*.py"), *ROOT.glob("reports/dashboard/*.py")]
NO_TABLES = {"soft-labels"}


def said_in_files() -> set[str]:
    files = [path.read_text() for path in FILES if "leaderboard" not in path.parts]
    return {first or second for text in files for first, second in SAID.findall(text)} - NO_TABLES


def lines_with(heading: str, column: int) -> set[str]:
    """Ids in this column of the Markdown tables under each heading that is so called."""
    found: set[str] = set()
    for table in re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", DOCUMENT, re.MULTILINE):
        for line in table.splitlines():
            found.update(re.findall(r"`([a-z-]+)`", re.split(r" \| ", line)[column]))
    return found


def undocumented(ids: set[str]) -> set[str]:
    """Without a line of what the table holds, or of what varies in its intervals."""
    return ids - (lines_with("table", 0) & lines_with("figure", 3))


def test_every_table_that_a_file_makes_has_its_lines():
    ids = said_in_files()
    assert len(ids) > 60
    assert undocumented(ids) == set()


@pytest.mark.django_db
def test_every_table_of_the_generated_studies_has_its_lines():
    projects = {
        "spans": juice(),
        "rubrics": study(prompts=12, calibrated=4, regraded=6).project,
        "ratings": a_study(share=0.01).project,
    }
    for area, project in projects.items():
        made = {table.id for dashboard in areas()[area].dashboards for table in dashboard.tables(project)}
        assert len(made) > 20
        assert undocumented(made) == set()


def test_every_table_that_the_document_names_is_there():
    assert lines_with("figure", 3) <= lines_with("table", 0)
