"""Work that is rehearsed on a copy, then carried over; and work on a connection of its own, where no copy is needed."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from projects.rehearsing.carrying import Carrier, Changed, Weighed, attached
from projects.rehearsing.copying import connection_to, private_copy, standing_in
from projects.rehearsing.journal import Journal

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
# Work that people get in the way of so often is given up, and they are told.
ATTEMPTS = 4


def can_rehearse() -> bool:
    """True on a SQLite file. Within a transaction the lock is held already, so that a copy would save nobody anything
    (and could not be made)."""
    usual: Any = connections[DEFAULT_DB_ALIAS]
    return usual.vendor == "sqlite" and not usual.in_atomic_block and not usual.is_in_memory_db()


def rehearsed(
    work: Callable[[], T],
    weighed: Callable[[], Iterable[Weighed]] = tuple,
    before_commit: Callable[[], object] = lambda: None,
) -> T:
    """Do the work in one transaction: on a copy first, whose rows are then carried over. Return what it returned.

    The work may be done several times, each time anew. What it raises leaves the database untouched, and passes
    through. `weighed` is asked after the work which rows its outcome hangs on. `before_commit` is
    done on the database itself, as the last of the transaction that stores the rows; where the commit is refused it is
    undone with them, and done again with the next attempt.

    Raises:
        Changed: what the work is about was changed each time before it could be stored.
        NoRoom: the disk does not hold the copy.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _once(work, weighed, before_commit)
        except Changed as changed:
            logger.info("a rehearsal begins again: %s", changed)
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def stored_at_once(work: Callable[P, T]) -> Callable[P, T]:
    """Make a function one transaction, rehearsed where the database is a file of SQLite."""

    @wraps(work)
    def in_one(*args: P.args, **kwargs: P.kwargs) -> T:
        if can_rehearse():
            return rehearsed(lambda: work(*args, **kwargs))
        with transaction.atomic():
            return work(*args, **kwargs)

    return in_one


def _once(work: Callable[[], T], weighed: Callable[[], Iterable[Weighed]], before_commit: Callable[[], object]) -> T:
    usual = connections[DEFAULT_DB_ALIAS]
    with private_copy(usual) as path:
        journal = Journal(path)
        journal.begin()
        result, hooks = _in_one_transaction(work, connection_to(path, usual))
        with attached(usual, path):
            carrier, rows = Carrier(usual, journal), list(weighed())
            try:
                with transaction.atomic():
                    carrier.carry(rows)
                    before_commit()
                    for hook, is_robust in hooks:
                        transaction.on_commit(hook, robust=is_robust)
            except IntegrityError as refused:  # foreign keys are compared at the end
                raise Changed(str(refused)) from refused
    return result


def _in_one_transaction(
    work: Callable[[], T], copy: BaseDatabaseWrapper
) -> tuple[T, list[tuple[Callable[[], object], bool]]]:
    """What the work returned, and what it wants done once its rows are stored."""
    with standing_in(copy):
        try:
            with transaction.atomic():
                result = work()
                waiting: list[Any] = copy.run_on_commit
                hooks = [(hook, is_robust) for _savepoints, hook, is_robust in waiting]
                copy.run_on_commit = []
        finally:
            copy.close()
    return result, hooks


@contextmanager
def on_own_connection() -> Iterator[None]:
    """Within it this thread's connection is another one to the same database, closed at the end."""
    with standing_in(connections.create_connection(DEFAULT_DB_ALIAS)):
        try:
            yield
        finally:
            connections[DEFAULT_DB_ALIAS].close()
