"""Rows that stand for all tests of a module: made once, in a transaction that the transaction of each test lies within.

A test finds them as they were made, whatever the one before it wrote: its own writing is taken back to a savepoint.
Not for modules with transactional tests, which empty the tables.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def standing(blocker: DjangoDbBlocker, make: Callable[[], Any]) -> Iterator[Any]:
    """What `make` returns, and its rows, until the block ends. The fixture must ask for `django_db_setup` too."""
    whole = transaction.atomic()
    with blocker.unblock():
        whole.__enter__()
    try:
        with blocker.unblock():
            made = make()
            # Foreign keys are looked at here, once: what is put off to the end of the transaction is looked at after
            # every test, and forgotten with what the test wrote.
            connection.check_constraints()
        yield made
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            whole.__exit__(None, None, None)
