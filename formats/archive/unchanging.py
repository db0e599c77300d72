"""One look at a database that others go on writing to: whatever is read within it is of one moment."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from projects.rehearsing.copying import standing_in

Outside = Callable[[Callable[[], object]], None]


@contextmanager
def unchanging() -> Iterator[Outside]:
    """Within it this thread reads the database as it was when it began, and writes nothing. What comes back does
    something on the connection that the thread has outside, such as noting how far it is.

    Within a transaction of the caller's all is read in that one.
    """
    usual: Any = connections[DEFAULT_DB_ALIAS]

    def outside(act: Callable[[], object]) -> None:
        with standing_in(usual):
            act()

    if usual.in_atomic_block or (usual.vendor == "sqlite" and usual.is_in_memory_db()):
        yield outside
        return
    own = usual.copy()
    with standing_in(own), closing(own):
        if own.vendor == "postgresql":
            with transaction.atomic():
                with own.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield outside
            return
        with own.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")  # Django's own would take the only write lock
            try:
                yield outside
            finally:
                cursor.execute("ROLLBACK")
