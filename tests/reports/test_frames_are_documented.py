"""What the pages on frames say holds: the columns, and a notebook whose numbers are those of the dashboard."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from demo.loading import load_by_hand
from reports.dashboard.dashboards import tables
from reports.frames.documentation import DOCUMENT, sections
from tests.people import PASSWORD

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks.md"
BLOCKS = re.compile(r"```python\n(.*?)```\s*```text\n(.*?)```", re.DOTALL)


def test_every_column_is_documented_as_it_is_declared():
    assert DOCUMENT.read_text(encoding="utf-8").endswith(sections())


def printed_by(blocks) -> list[str]:
    """What each block prints, run one after the other in one namespace, as cells are."""
    names: dict = {}
    printed = []
    for code in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, str(NOTEBOOK), "exec"), names)
        printed.append(out.getvalue())
    return printed


@pytest.mark.django_db
def test_the_notebook_runs_and_prints_what_the_page_says():
    project = load_by_hand(PASSWORD)
    text = NOTEBOOK.read_text(encoding="utf-8")
    cells = BLOCKS.findall(text)
    assert len(cells) == text.count("```python") == 7
    assert printed_by(code for code, _output in cells) == [output for _code, output in cells]
    [errors] = [table for table in tables(project, {}) if table.id == "errors-per-response"]
    [row] = [row for row in errors.rows if row.labels == ("All varieties", "People")]
    assert f"{row.figures[0].number:.4f} errors per answer" in text
