"""Reads figures out of tables by what stands on them."""

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
