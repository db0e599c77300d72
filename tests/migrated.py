"""A database as a first start makes it, made once per engine and copied by each process that needs one.

What is kept is named for the migrations and the packages: the next run on the same sources takes it as it stands, and
any change makes another. Whoever takes a copy still runs `migrate` on it, which then finds nothing to do.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import servers

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".pytest_cache" / "migrated"
NAME = "mizan_migrated_"
# By migrations, of what may change.
IMPORTED = (
    "projects/triggers.py",
    "projects/first_tables.py",
    "projects/making_at_once.py",
    "projects/varieties.py",
    *(f"reports/dashboard/freshness/{module}.py" for module in ("boards", "entries", "measured")),
    "reports/dashboard/freshness/triggers.py",
)
# As `make run` does it.
MIGRATE = "import django; from deploy import prepare_database; django.setup(); prepare_database.migrate()"
LOCK = 7_220_641  # any number that nobody else takes for an advisory lock


@functools.cache
def state() -> str:
    """A hash of all that decides how the tables look: our migrations, what they import, and the packages' versions."""
    sources = [*ROOT.glob("*/migrations/*.py"), *(ROOT / path for path in IMPORTED)]
    # What is put in after migrating, where it is missing.
    sources += [ROOT / "projects" / "data" / "varieties.json", *(ROOT / "projects" / "languages").glob("*.*")]
    digest = hashlib.sha256(sys.version.encode())
    for path in [*sorted(sources), ROOT / "requirements-dev.txt"]:
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def migrate(database_url: str) -> None:
    """Apply all migrations in a process of its own, which leaves no connection and no lock of ours behind."""
    with tempfile.TemporaryDirectory(prefix="mizan-migrated-") as data:
        environment = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "PRODUCTION")}
        environment |= {"DATABASE_URL": database_url, "DATA_DIR": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-c", MIGRATE]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"The migrations failed:\n{done.stdout}{done.stderr}")


# --- SQLite -------------------------------------------------------------------------------------------


@contextmanager
def held(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sqlite_file() -> Path:
    """The migrated file, to be copied and never opened."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"{state()}.sqlite3"
    with held(FOLDER / "lock"):
        if not kept.exists():
            for old in FOLDER.glob("*.sqlite3*"):
                old.unlink()
            making = kept.with_suffix(".sqlite3-making")
            migrate(f"sqlite:///{making}")
            making.replace(kept)  # its log is gone: the last to close a database writes it back
    return kept


def copy_sqlite(target: Path) -> Path:
    """A migrated file of one's own. Nobody in this process may have `target` open."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in (f"{target}-wal", f"{target}-shm"):
        Path(left).unlink(missing_ok=True)
    shutil.copyfile(sqlite_file(), target)
    return target


# --- PostgreSQL -----------------------------------------------------------------------------------------


def postgres_template(database_url: str) -> str:
    """Name of the migrated database on the server of `database_url`, to be given to CREATE DATABASE ... TEMPLATE."""
    import psycopg
    from psycopg import sql

    name = NAME + state()
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the connection ends
        known = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [NAME]).fetchall()
        if (name,) in known:
            return name
        for (old,) in known:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
        making = f"{name}_making"
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(making)))
        fill_postgres(f"{database_url.rpartition('/')[0]}/{making}")
        connection.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(making), sql.Identifier(name))
        )
    return name


def fill_postgres(database_url: str) -> None:
    """Every table, in an empty database on any server: from a dump of the first that was migrated."""
    programs = servers.postgres_programs()
    if programs is None:  # the server is another machine's
        migrate(database_url)
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = postgres_dump(programs)
    with held(FOLDER / "lock-of-postgresql"):
        if not kept.exists():
            for old in FOLDER.glob("*.sql"):
                old.unlink()
            migrate(database_url)
            keep_dump(programs / "pg_dump", database_url, kept)
            return
    command = [str(programs / "psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
    command += ["--output", os.devnull, "--file", str(kept), database_url]
    # All or nothing: a server that is older than the programs of this machine refuses what they wrote.
    if subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode:
        migrate(database_url)


def postgres_dump(programs: Path) -> Path:
    """Where the dump of the migrated database is kept, once `fill_postgres` has made it by these programs."""
    return FOLDER / f"{state()}-{programs.parent.name}.sql"


def keep_dump(program: Path, database_url: str, kept: Path) -> None:
    """Nothing is kept of a server that is newer than the programs of this machine, which refuse to read it."""
    making = kept.with_suffix(".sql-making")
    command = [str(program), "--no-owner", "--no-privileges", "--file", str(making), database_url]
    if subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0:
        making.replace(kept)
    else:
        making.unlink(missing_ok=True)
