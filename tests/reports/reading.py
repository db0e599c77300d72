"""Reads figures out of tables by what stands on them."""

import re

from agreement.figures import Figure
from projects.models import Project
from reports.dashboard.tables import Table, by_id
from reports.spans.dashboard import SPANS


def table(project: Project, table_id: str, **filters) -> Table:
    found = by_id(SPANS.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


def figure(found: Table, *labels: str, measure: str) -> Figure:
    """The one figure in the row with these labels, in any order, under this measure."""
    rows = [row for row in found.rows if set(labels) <= set(row.labels)]
    assert len(rows) == 1, [row.labels for row in found.rows]
    return rows[0].figures[found.measures.index(measure)]


def head_and_foot(page: str) -> tuple[list[str], list[str]]:
    """The words of the head of a finding's table, and of its foot, each under the column it stands in."""
    head, foot = (page.split(f"<{part}>")[1].split(f"</{part}>")[0] for part in ("thead", "tfoot"))
    return words_of_cells(head), words_of_cells(foot)


def words_of_cells(row: str) -> list[str]:
    """A cell that spans several columns stands in the first of them."""
    words: list[str] = []
    for span, content in re.findall(
        r'<t[hd](?: class="\w+")?(?: scope="\w+")?(?: colspan="(\d+)")?>(.*?)</t[hd]>', row
    ):
        words += [re.sub(r"<[^>]+>", "", content).strip(), *[""] * (int(span or 1) - 1)]
    return words
