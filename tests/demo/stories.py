"""What a dashboard of a generated study says, by the names of its paper."""

from collections.abc import Sequence

from reports.dashboard.tables import Table, by_id

SIMULATED = " (simulated)"


class Dashboard:
    """The tables of a dashboard: one by its id, or the figures of one of its measures."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables

    def __call__(self, table_id: str) -> Table:
        table = by_id(self.tables, table_id)
        assert table is not None, table_id
        return table

    def values(self, table_id: str, measure: str, *rest: str) -> dict[str, float]:
        """By the first label of the rows that end with these; that a judge is simulated is left out of its name."""
        table = self(table_id)
        place = table.measures.index(measure)
        rows = [row for row in table.rows if row.labels[1:] == rest]
        return {row.labels[0].removesuffix(SIMULATED): row.figures[place].number for row in rows}

    @property
    def empty(self) -> list[str]:
        """Tables without a row, and those without a figure."""
        return [
            table.id
            for table in self.tables
            if not any(figure.value is not None for row in table.rows for figure in row.figures)
        ]


def in_order(figures: dict[str, float]) -> list[str]:
    """Names by their figure, the least first."""
    return sorted(figures, key=figures.__getitem__)
