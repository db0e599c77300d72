"""A first start makes all tables at once; an installation of any earlier day comes to the very same ones.

The oldest went through the first changes one by one, later ones through few that stand for them; from there on the way
is the same. On SQLite an installation goes the one way to today's tables, on PostgreSQL the other.
"""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command

from tests import migrated, servers
from tests.deploy.old_chain import ONE_BY_ONE, STAND_FOR_OTHERS

ROOT = Path(__file__).resolve().parents[2]
UPDATE = "import django; django.setup(); from deploy import prepare_database; prepare_database.migrate()"
# The first changes, Django's own among them, and how many stand for them by now.
AS_WRITTEN, STANDING = 53, 20
MANY = 100


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

    def begin(self, way: str) -> int:
        """How many migrations the first tables took, either way."""
        return int(self.run("-m", "tests.deploy.old_chain", way))

    def update(self) -> str:
        return self.run("-c", UPDATE)


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


# Tables of judges that belong to the room of providers by now kept the names of what Django names by itself.
RENAMED = re.compile(r"\bjudging_(modelmapping|provider|servedmodel)(?=\w*_)")
NAMED_BY_A_HASH = re.compile(r"(?<=CONSTRAINT )\w+(?= FOREIGN KEY)|_[0-9a-f]{8}(?=_|\b)")
# Columns that were put into a table as it stood have a default there, for the rows of before. Mizan names every value.
DEFAULT = re.compile(r" DEFAULT ('gold'(::character varying)?|false|0)(?= |$)")
# SQLite holds texts to no length, and a check that came with its column stands beside it.
LENGTH = re.compile(r"varchar\(\d+\)")
WITH_ITS_COLUMN = re.compile(r"(\w+ .*?) (CONSTRAINT \w+ CHECK .*)")


def but_for_names(statements: set[frozenset[str]]) -> set[frozenset[str]]:
    return {frozenset(plain for part in parts for plain in plainly(part)) for parts in statements}


def plainly(part: str) -> tuple[str, ...]:
    if "CREATE TRIGGER" in part or "CREATE FUNCTION" in part:
        return (part,)
    part = LENGTH.sub("varchar", DEFAULT.sub("", part.replace('"', "")))
    part = NAMED_BY_A_HASH.sub("", RENAMED.sub(r"providers_\1", part))
    part = re.sub(r"CHECK \(\((.*)\)\)$", r"CHECK (\1)", part)
    both = WITH_ITS_COLUMN.fullmatch(part)
    return both.groups() if both and not part.startswith("CONSTRAINT") else (part,)


def without_casts(statements: set[frozenset[str]]) -> set[frozenset[str]]:
    """PostgreSQL writes the same condition with other casts and parentheses once it was read back from a dump."""
    casts = r"::(character varying|\w+)(\[\])?|[()]"
    return {frozenset(re.sub(casts, "", part) for part in parts) for parts in statements}


# --- SQLite ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def updated(tmp_path_factory) -> tuple[Installation, str]:
    """One of a while ago that was updated, and what was said meanwhile."""
    installation = Installation(tmp_path_factory.mktemp("updated"))
    assert installation.begin(STAND_FOR_OTHERS) == STANDING
    return installation, installation.update()


@pytest.fixture(scope="module")
def new(tmp_path_factory) -> Installation:
    installation = Installation(tmp_path_factory.mktemp("new"))
    migrated.copy_sqlite(installation.folder / "mizan.sqlite3")  # made as a first start makes it
    return installation


def test_an_update_comes_to_the_tables_of_a_first_start(updated, new):
    installation, _said = updated
    assert but_for_names(of_sqlite(installation)) == but_for_names(of_sqlite(new))
    assert len(of_sqlite(installation)) == len(of_sqlite(new)) > 7 * MANY
    # Nearly all are the same word for word.
    assert len(of_sqlite(installation) ^ of_sqlite(new)) < 20


def test_an_update_comes_to_the_rows_of_a_first_start(updated, new):
    installation, _said = updated
    assert applied(installation) == applied(new)
    assert rows(installation) == rows(new)
    assert rows(new)["projects_languagevariety"] > 50


def test_an_update_says_each_change_as_it_begins_and_the_next_has_nothing_to_say(updated):
    installation, said = updated
    first, *changes = [line for line in said.splitlines() if line.startswith(("Preparing", "  "))]
    count = int(re.fullmatch(r"Preparing the database \((\d+) changes\) \.\.\.", first)[1])
    assert count > MANY
    numbered = [re.match(rf"  (\d+) of {count}  \w+\.\d+", line) for line in changes[:count]]
    assert [int(match[1]) for match in numbered] == [*range(1, count + 1)]
    assert installation.update() == ""


def applied(installation: Installation) -> set[tuple[str, str]]:
    with sqlite3.connect(installation.folder / "mizan.sqlite3") as connection:
        rows = set(connection.execute("SELECT app, name FROM django_migrations"))
    connection.close()
    return rows


def rows(installation: Installation) -> dict[str, int]:
    with sqlite3.connect(installation.folder / "mizan.sqlite3") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
            for table in tables
            if not table.startswith("sqlite_")
        }


@pytest.mark.once
@pytest.mark.django_db
def test_the_models_are_what_the_tables_hold():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_what_is_told_of_each_table_is_there(tmp_path):
    """Content types and permissions, without which nobody could be given any."""
    migrated.copy_sqlite(tmp_path / "mizan.sqlite3")  # made as a first start makes it
    connection = sqlite3.connect(tmp_path / "mizan.sqlite3")
    types = set(connection.execute("SELECT app_label, model FROM django_content_type"))
    permissions = {name for (name,) in connection.execute("SELECT codename FROM auth_permission")}
    connection.close()
    for model in apps.get_models():
        assert (model._meta.app_label, model._meta.model_name) in types
        assert all(f"{verb}_{model._meta.model_name}" in permissions for verb in model._meta.default_permissions)


# --- PostgreSQL -----------------------------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path) -> Iterator[dict[str, Installation]]:
    names = ("copied", "old", "new")
    with servers.postgres() as url:
        none, server = Installation(tmp_path / "none", url), url.rsplit("/", 1)[0]
        for name in names:
            none.run("-c", CREATE_DATABASE, url, name)
        yield {name: Installation(tmp_path / name, f"{server}/{name}") for name in names}


CREATE_DATABASE = """
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    connection.execute(f"CREATE DATABASE {sys.argv[2]}")
"""


@pytest.mark.postgres
def test_an_update_of_the_oldest_comes_to_the_tables_of_a_first_start(server):
    assert server["old"].begin(ONE_BY_ONE) == AS_WRITTEN
    server["old"].update()
    server["new"].update()
    updated, new = of_postgresql(server["old"]), of_postgresql(server["new"])
    assert but_for_names(updated) == but_for_names(new)
    assert len(updated ^ new) < 60 < 18 * MANY < len(new)


@pytest.mark.postgres
def test_other_tests_begin_with_the_tables_of_a_first_start(server):
    """A copy on a server of their own, in place of migrating it."""
    migrated.fill_postgres(server["copied"].database_url)  # where nobody did before, this makes the dump
    programs = servers.postgres_programs()
    assert programs
    at_once = of_dump(migrated.postgres_dump(programs).read_text())
    assert without_casts(of_postgresql(server["copied"])) == without_casts(at_once)
    assert len(at_once) > MANY
