"""A first start makes the tables at once; an installation of any earlier day comes to the very same ones."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command

from tests import migrated, servers

ROOT = Path(__file__).resolve().parents[2]
# Between two of the old migrations of nearly every room: of 65 and more, three quarters are applied.
MIDDLE = 48


class Installation:
    """One data folder and one database."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self.folder, self.database_url = folder, database_url
        folder.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = kept | {
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "tests-only",
            "STATIC_HASHED": "0",
        }
        if database_url:
            self.environment["DATABASE_URL"] = database_url

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def migrate(self) -> str:
        """As `make run` does it."""
        return self.run("-c", "import django; django.setup(); from deploy import prepare_database as p; p.migrate()")


# --- Schemas that can be compared -----------------------------------------------------------------------------

# What the room of reports puts in place after every migration, whichever way the tables came: it has tests of its own.
AFTERWARDS = "measured_"


def in_parts(statement: str) -> frozenset[str]:
    """The columns and constraints of a CREATE TABLE; their order says when they came. Any other statement is one."""
    statement = " ".join(statement.split())
    if not statement.startswith("CREATE TABLE"):
        return frozenset([statement])
    start, end = statement.index("("), statement.rindex(")")
    parts, depth, part, quoted = [statement[:start]], 0, "", False
    for letter in statement[start + 1 : end]:
        quoted ^= letter == "'"
        depth += 0 if quoted else {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth and not quoted:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return frozenset([*parts, part.strip()])


def of_sqlite(installation: Installation) -> set[frozenset[str]]:
    with sqlite3.connect(installation.folder / "mizan.sqlite3") as connection:
        statements = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    connection.close()
    return {in_parts(statement) for (statement,) in statements if AFTERWARDS not in statement}


def of_postgresql(installation: Installation) -> set[frozenset[str]]:
    programs = servers.postgres_programs()
    assert programs
    command = [str(programs / "pg_dump"), "--schema-only", "--no-owner", str(installation.database_url)]
    return of_dump(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def of_dump(dump: str) -> set[frozenset[str]]:
    """The statements that make its tables, and none that fill them."""
    dump = re.sub(r"^COPY [^;]* FROM stdin;\n.*?^\\\.$", "", dump, flags=re.DOTALL | re.MULTILINE)
    dump = re.sub(r"^SELECT pg_catalog\.setval\(.*;$", "", dump, flags=re.MULTILINE)
    dump = re.sub(rf"CREATE FUNCTION \S*{AFTERWARDS}.*?\$\$;\n", "", dump, flags=re.DOTALL)
    lines = [line for line in dump.splitlines() if line.strip() and not line.startswith(("--", "\\", "SET "))]
    statements = re.split(r";\n", "\n".join(lines))
    return {in_parts(statement) for statement in statements if AFTERWARDS not in statement}


def without_casts(statements: set[frozenset[str]]) -> set[frozenset[str]]:
    """PostgreSQL writes the same condition with other casts and parentheses once it was read back from a dump."""
    casts = r"::(character varying|\w+)(\[\])?|[()]"
    return {frozenset(re.sub(casts, "", part) for part in parts) for parts in statements}


# --- SQLite ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chains(tmp_path_factory) -> dict[str, Installation]:
    """Databases made at once, by the whole old chain, and by a part of it; the last twice, to go on with one."""
    folder = tmp_path_factory.mktemp("chains")
    made = {name: Installation(folder / name) for name in ("at_once", "old", "stopped", "gone_on")}
    migrated.copy_sqlite(made["at_once"].folder / "mizan.sqlite3")  # made as a first start makes it
    made["stopped"].run("-m", "tests.deploy.old_chain", str(MIDDLE))
    for name in ("old", "gone_on"):
        shutil.copytree(made["stopped"].folder, made[name].folder, dirs_exist_ok=True)
    made["old"].run("-m", "tests.deploy.old_chain")
    return made


def test_the_tables_are_those_of_the_old_chain(chains):
    assert of_sqlite(chains["at_once"]) == of_sqlite(chains["old"])
    assert len(of_sqlite(chains["old"])) > 300


def test_an_installation_of_the_old_chain_has_nothing_to_do(chains):
    before = of_sqlite(chains["old"])
    assert chains["old"].migrate() == ""
    assert of_sqlite(chains["old"]) == before


def test_one_that_stopped_within_the_old_chain_goes_on(chains):
    said = chains["gone_on"].migrate()
    assert re.search(r"Preparing the database \(\d+ changes\) \.\.\.\n  1 of (\d+)  .*\n(.*\n)*  \1 of \1  ", said)
    assert of_sqlite(chains["gone_on"]) == of_sqlite(chains["at_once"])


@pytest.mark.django_db
def test_the_models_are_what_the_tables_hold():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_what_is_told_of_each_table_is_there(chains):
    """Content types and permissions, without which nobody could be given any."""
    connection = sqlite3.connect(chains["at_once"].folder / "mizan.sqlite3")
    types = set(connection.execute("SELECT app_label, model FROM django_content_type"))
    permissions = {name for (name,) in connection.execute("SELECT codename FROM auth_permission")}
    connection.close()
    for model in apps.get_models():
        assert (model._meta.app_label, model._meta.model_name) in types
        assert all(f"{verb}_{model._meta.model_name}" in permissions for verb in model._meta.default_permissions)


# --- PostgreSQL -----------------------------------------------------------------------------------------------


@pytest.fixture
def two_databases(tmp_path) -> Iterator[tuple[Installation, Installation]]:
    with servers.postgres() as url:
        migrated.fill_postgres(url)  # where nobody did before, this makes the dump
        none, server = Installation(tmp_path / "none", url), url.rsplit("/", 1)[0]
        for name in ("copied", "old"):
            none.run("-c", CREATE_DATABASE, url, name)
        yield Installation(tmp_path / "copied", f"{server}/copied"), Installation(tmp_path / "old", f"{server}/old")


CREATE_DATABASE = """
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    connection.execute(f"CREATE DATABASE {sys.argv[2]}")
"""


@pytest.mark.postgres
def test_the_tables_are_those_of_the_old_chain_on_postgresql(two_databases):
    copied, old = two_databases
    # What other tests begin with on a server of their own, in place of migrating it; from the dump of a first start.
    migrated.fill_postgres(copied.database_url)
    programs = servers.postgres_programs()
    assert programs
    at_once = of_dump(migrated.postgres_dump(programs).read_text())
    assert without_casts(of_postgresql(copied)) == without_casts(at_once)
    old.run("-m", "tests.deploy.old_chain")
    assert at_once == of_postgresql(old)
    assert len(of_postgresql(old)) > 300
    assert old.migrate() == ""
