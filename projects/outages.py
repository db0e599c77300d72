"""What of the things below us failed, told from the exception: a lock that others hold, a database that is away, a full
disk. Each passes, and says how: nothing of the request was stored, and the same is worth sending again."""

import enum
import errno
import sqlite3
from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError


class Outage(enum.Enum):
    """With the status of its answer, its code for programs, and after how many seconds it is worth another try."""

    BUSY = (503, "busy", 2)
    AWAY = (503, "database_away", 5)
    FULL = (507, "disk_full", 30)

    def __init__(self, status: int, code: str, retry_after: int) -> None:
        self.status, self.code, self.retry_after = status, code, retry_after


# SQLite's result codes; the lower eight bits of an extended one are its kind.
SQLITE = {
    sqlite3.SQLITE_BUSY: Outage.BUSY,
    sqlite3.SQLITE_LOCKED: Outage.BUSY,
    sqlite3.SQLITE_FULL: Outage.FULL,
}
# Of its input and output errors those of writing: a disk that takes no more, or a quota.
SQLITE_WRITING = {
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}
# PostgreSQL's SQLSTATE: lock_timeout, deadlock, serialization; a full disk; shutting down, starting, too many clients.
POSTGRES = {
    **dict.fromkeys(("55P03", "40P01", "40001"), Outage.BUSY),
    "53100": Outage.FULL,
    **dict.fromkeys(("57P01", "57P02", "57P03", "53300", "25006"), Outage.AWAY),
}
FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def outage_of(problem: BaseException | None) -> Outage | None:
    """The outage behind an exception, or None where it is a defect of ours or of the request."""
    for cause in chain_of(problem):
        if isinstance(cause, OSError) and cause.errno in FULL_DISK:
            return Outage.FULL
        if isinstance(cause, DatabaseError | InterfaceError) and (outage := _of_database(cause)):
            return outage
    return None


def was_cut_off(problem: BaseException | None) -> bool:
    """True where a connection to the database ended under a statement; not where none could be had."""
    causes = list(chain_of(problem))
    if any(type(cause).__name__ in ("PoolTimeout", "TooManyRequests") for cause in causes):
        return False
    return outage_of(problem) is Outage.AWAY


def chain_of(problem: BaseException | None) -> Iterator[BaseException]:
    """An exception and what caused it, each once."""
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        yield problem
        problem = problem.__cause__ or (None if problem.__suppress_context__ else problem.__context__)


def _of_database(problem: DatabaseError | InterfaceError) -> Outage | None:
    driver = problem.__cause__
    if isinstance(driver, sqlite3.Error):
        code = getattr(driver, "sqlite_errorcode", None)
        if code is None:
            return None
        return Outage.FULL if code in SQLITE_WRITING else SQLITE.get(code & 0xFF)
    state = getattr(driver, "sqlstate", None)
    if state is None:
        # A connection that was lost or could not be made comes without a state; so does a pool that has none to give.
        return Outage.AWAY if _is_about_the_connection(problem) else None
    return POSTGRES.get(state) or (Outage.AWAY if state.startswith("08") else None)


def _is_about_the_connection(problem: Exception) -> bool:
    driver = problem.__cause__
    kinds = {kind.__name__ for kind in type(driver).__mro__}
    return type(driver).__module__.startswith("psycopg") and bool(kinds & {"OperationalError", "InterfaceError"})
