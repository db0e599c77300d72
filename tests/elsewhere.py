"""Another installation: an empty one, on a SQLite file of its own, whatever database the tests run on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from projects.rehearsing.copying import standing_in
from tests import migrated


@contextmanager
def elsewhere(folder: Path) -> Iterator[None]:
    """Within it this thread's database is the other installation's; what is made there stays for the next time."""
    path = folder / "elsewhere" / "mizan.sqlite3"
    if not path.exists():
        migrated.copy_sqlite(path)
    settings = connections[DEFAULT_DB_ALIAS].settings_dict
    options = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL;"}
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": path, "OPTIONS": options, "CONN_MAX_AGE": 0}
    connection = DatabaseWrapper({**settings, **own}, DEFAULT_DB_ALIAS)
    with standing_in(connection):
        try:
            yield
        finally:
            connection.close()
