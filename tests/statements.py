"""The statements a piece of work sends to the database: which tables they look at, how many parameters they carry.

    with statements() as sent:
        ...
    assert sent.largest <= MANY, sent.report()
    assert not sent.tables() & {"annotation_span"}

PostgreSQL takes 65,535 parameters in a statement and SQLite as a rule 250,000, so that a list of ids that grows with a
project works for years and then does not. `few_parameters` fails on the first statement above MANY, whatever the
project's size: make what is listed longer than MANY, and a list that is not cut into chunks shows itself.
"""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection

#: More than any page or chunk of an import needs; far below what a database takes.
MANY = 2_000
#: Of an INSERT, which carries a parameter for each column of each row and is cut into batches by rows.
OF_ROWS = 30_000
NAMED = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+\"?(\w+)\"?", re.IGNORECASE)


@dataclass
class Sent:
    """What was sent, in order: the SQL, its number of parameters, and where it came from."""

    sql: list[str] = field(default_factory=list)
    parameters: list[int] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)

    @property
    def largest(self) -> int:
        return max(self.parameters, default=0)

    def tables(self) -> set[str]:
        return {name for sql in self.sql for name in NAMED.findall(sql)}

    def of(self, tables: set[str]) -> list[str]:
        """The statements that look at any of these tables."""
        return [sql for sql in self.sql if tables & set(NAMED.findall(sql))]

    def report(self) -> str:
        """The statement with most parameters, for a test's message."""
        at = self.parameters.index(self.largest)
        return f"{self.largest} parameters: {self.sql[at][:300]}\n{self.origins[at]}"


@contextmanager
def statements(most: int | None = None) -> Iterator[Sent]:
    """Record what this thread sends on the default connection; above `most` parameters: AssertionError at once.

    An executemany counts the parameters of one of its rows, which is what a statement carries.
    """
    sent = Sent()

    def record(execute, sql, params, many, context):
        rows = params or ()
        if many:
            rows = list(rows) if not isinstance(rows, list | tuple) else rows
            count = max((len(row) for row in rows[:1]), default=0)
            params = rows
        else:
            count = len(rows)
        sent.sql.append(sql)
        sent.parameters.append(count)
        ours = [frame for frame in traceback.extract_stack() if "/.venv/" not in frame.filename][-6:-1]
        sent.origins.append("\n".join(f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in ours))
        limit = most if most is None or not sql.lstrip().upper().startswith("INSERT") else max(most, OF_ROWS)
        assert limit is None or count <= limit, sent.report()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield sent


@contextmanager
def few_parameters(most: int = MANY) -> Iterator[Sent]:
    """As `statements`, and no statement carries more than `most`."""
    with statements(most) as sent:
        yield sent
