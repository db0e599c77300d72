"""Ada backs an installation up while it is in use, and restores it elsewhere: nothing differs, she can sign in."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import migrated, servers

ROOT = Path(__file__).resolve().parents[2]
EMAIL, PASS_PHRASE = "ada@example.org", "correct horse battery staple"

# Every row of every table of ours, in one order, under one hash: what a restore must not change.
CONTENT = """
import hashlib, json
from django.apps import apps
content = {}
for model in apps.get_models():
    rows = [[str(value) for value in row] for row in model._base_manager.order_by("pk").values_list()]
    content[model._meta.label] = [len(rows), hashlib.sha256(json.dumps(rows).encode()).hexdigest()]
print(json.dumps(content))
"""
SIGN_IN = f"""
from django.test import Client
answer = Client().post("/accounts/login/", {{"login": "{EMAIL}", "password": "{PASS_PHRASE}"}}, HTTP_HOST="localhost")
print(answer.status_code, answer.headers.get("Location"))
"""


@dataclass
class Installation:
    """One data folder and one database, worked on only through commands, as its administrator would."""

    folder: Path
    database_url: str = ""

    @property
    def environment(self) -> dict[str, str]:
        mine = {"DATA_DIR": str(self.folder), "STATIC_HASHED": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
        mine |= {"PYTHON": sys.executable, "ADMIN_PASSWORD": PASS_PHRASE}
        if self.database_url:
            mine["DATABASE_URL"] = self.database_url
        inherited = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        return inherited | mine

    def run(self, *command: str | Path, expect: int = 0) -> str:
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stderr if expect else done.stdout

    def manage(self, *arguments: str) -> str:
        return self.run(sys.executable, "manage.py", *arguments)

    def content(self) -> str:
        return self.manage("shell", "--verbosity", "0", "-c", CONTENT)

    def sign_in(self) -> str:
        return self.manage("shell", "--verbosity", "0", "-c", SIGN_IN).splitlines()[-1]


def in_use(folder: Path, database_url: str = "") -> Installation:
    folder.mkdir()
    installation = Installation(folder, database_url)
    if database_url:
        migrated.fill_postgres(database_url)
    else:
        migrated.copy_sqlite(folder / "mizan.sqlite3")
    installation.manage("create_admin", EMAIL)
    return installation


@pytest.fixture
def server() -> Iterator[str]:
    with servers.postgres() as url:
        yield url


def test_a_backup_of_sqlite_restores_everything(tmp_path):
    before = in_use(tmp_path / "before")
    backup = tmp_path / "mizan.backup"
    # A reader holds on, so what is written now stays in SQLite's log and a mere copy of the file would lack it.
    reader = sqlite3.connect(before.folder / "mizan.sqlite3")
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM projects_user").fetchone()
    before.run(sys.executable, "manage.py", "create_admin", "late@example.org")
    before.run("deploy/backup.sh", backup)
    reader.close()

    after = Installation(tmp_path / "after")
    after.run("deploy/restore.sh", backup)

    assert after.content() == before.content()
    assert after.sign_in() == "302 /start/"


@pytest.mark.postgres
def test_a_backup_of_postgresql_restores_everything(tmp_path, server):
    before = in_use(tmp_path / "before", server)
    backup = tmp_path / "mizan.backup"
    before.run("deploy/backup.sh", backup)
    empty = server.rsplit("/", 1)[0] + "/restored"
    before.run(sys.executable, "-c", CREATE_DATABASE, server, "restored")

    (tmp_path / "after").mkdir()
    after = Installation(tmp_path / "after", empty)
    after.run("deploy/restore.sh", backup)

    assert after.content() == before.content()
    assert after.sign_in() == "302 /start/"
    refusal = after.run("deploy/restore.sh", backup, expect=1)
    assert "restore into an empty one" in refusal


CREATE_DATABASE = """
import sys, psycopg
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    connection.execute(f"CREATE DATABASE {sys.argv[2]}")
"""


def test_a_damaged_backup_is_refused_and_nothing_changes(tmp_path):
    before = in_use(tmp_path / "before")
    backup = tmp_path / "mizan.backup"
    before.run("deploy/backup.sh", backup)
    damaged = bytearray(backup.read_bytes())
    damaged[5000] ^= 0xFF
    backup.write_bytes(damaged)

    after = Installation(tmp_path / "after")
    assert "Nothing was changed" in after.run("deploy/restore.sh", backup, expect=1)
    assert not (tmp_path / "after" / "mizan.sqlite3").exists()


# --- Damage without a checksum ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sqlite_backup(tmp_path_factory) -> bytes:
    """A backup of an installation that holds a text."""
    folder = tmp_path_factory.mktemp("sqlite")
    before = in_use(folder / "before")
    before.manage("shell", "--verbosity", "0", "-c", ADD_TEXT)
    before.run("deploy/backup.sh", folder / "mizan.backup")
    return (folder / "mizan.backup").read_bytes()


ADD_TEXT = """
from projects.anchors import sha256
from projects.models import LanguageVariety, Project, Prompt
text = "A text that nobody may change unseen. " * 40
project = Project.objects.create(slug="feasts", name="Feasts")
Prompt.objects.create(
    project=project, key="p", text=text, text_sha256=sha256(text), variety=LanguageVariety.objects.first()
)
"""


def restoring(content: bytes, folder: Path, *options: str, expect: int = 1) -> str:
    """Restore a file of such content, with no checksum beside it; what was said. Nothing is there after a refusal."""
    backup = folder / "mizan.backup"
    backup.write_bytes(content)
    said_so = Installation(folder / "after").run("deploy/restore.sh", *options, backup, expect=expect)
    assert (folder / "after" / "mizan.sqlite3").exists() is (expect == 0)
    assert not list(folder.rglob("*.partial"))
    return said_so


def test_a_backup_without_its_checksum_is_restored_only_where_that_is_said(tmp_path, sqlite_backup):
    assert "--without-checksum" in restoring(sqlite_backup, tmp_path)
    restoring(sqlite_backup, tmp_path, "--without-checksum", expect=0)


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x01]) + content[at + 1 :]


def damaged_sqlite(content: bytes) -> dict[str, bytes]:
    text = content.index(b"A text that nobody may change unseen. A text")
    return {
        "cut in the middle": content[: len(content) // 2],
        "cut by a page": content[:-4096],
        "cut by a byte": content[:-1],
        "empty": b"",
        "a byte of a text": flipped(content, text + 3),
        "a page of nothing": content[:8192] + bytes(4096) + content[12288:],
        "the header": flipped(content, 0),
    }


@pytest.mark.parametrize("damage", damaged_sqlite(b"A text that nobody may change unseen. A text" + bytes(20_000)))
def test_a_damaged_file_of_sqlite_is_refused_without_its_checksum(tmp_path, sqlite_backup, damage):
    told = restoring(damaged_sqlite(sqlite_backup)[damage], tmp_path, "--without-checksum")
    assert "Nothing was changed" in told


def test_a_row_that_points_at_nothing_is_refused(tmp_path, sqlite_backup):
    path = tmp_path / "torn"
    path.write_bytes(sqlite_backup)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM projects_languagevariety WHERE id IN (SELECT variety_id FROM projects_prompt)")
    connection.close()
    assert "points at nothing" in restoring(path.read_bytes(), tmp_path, "--without-checksum")


def test_another_programs_database_is_refused(tmp_path):
    path = tmp_path / "other"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    assert "no database of Mizan" in restoring(path.read_bytes(), tmp_path, "--without-checksum")


@pytest.mark.postgres
def test_a_damaged_dump_of_postgresql_is_refused_without_its_checksum(tmp_path, server):
    before = in_use(tmp_path / "before", server)
    backup = tmp_path / "mizan.backup"
    before.run("deploy/backup.sh", backup)
    (tmp_path / "mizan.backup.sha256").unlink()
    whole = backup.read_bytes()
    empty = server.rsplit("/", 1)[0] + "/restored"
    before.run(sys.executable, "-c", CREATE_DATABASE, server, "restored")
    (tmp_path / "after").mkdir()
    after = Installation(tmp_path / "after", empty)
    assert "--without-checksum" in after.run("deploy/restore.sh", backup, expect=1)
    data = whole.index(b"\x78\x9c", len(whole) // 2)  # the beginning of a compressed table
    for content in (whole[: len(whole) // 2], whole[:-1000], b"", flipped(whole, data + 12), flipped(whole, 0)):
        backup.write_bytes(content)
        assert "Nothing was changed" in after.run("deploy/restore.sh", "--without-checksum", backup, expect=1)
    backup.write_bytes(whole)
    after.run("deploy/restore.sh", "--without-checksum", backup)  # so the database was still empty
    assert after.content() == before.content()


def test_neither_a_backup_nor_a_database_is_ever_overwritten(tmp_path):
    before = in_use(tmp_path / "before")
    backup = tmp_path / "mizan.backup"
    before.run("deploy/backup.sh", backup)

    assert "never overwrites" in before.run("deploy/backup.sh", backup, expect=1)
    assert "move it away first" in before.run("deploy/restore.sh", backup, expect=1)


def test_the_sum_is_that_of_the_file_however_both_are_named(tmp_path):
    before = in_use(tmp_path / "before")
    backup, sum_file = tmp_path / "mizan.backup", tmp_path / "mizan.backup.sha256"
    before.run("deploy/backup.sh", backup)
    assert sum_file.read_text().split()[1:] == ["mizan.backup"]

    renamed = tmp_path / "of sunday"
    backup.rename(renamed)
    sum_file.rename(f"{renamed}.sha256")
    after = Installation(tmp_path / "after")
    after.run("deploy/restore.sh", renamed)
    assert after.content() == before.content()

    other = tmp_path / "other.backup"
    other.write_bytes(renamed.read_bytes() + b"x")
    digest = Path(f"{renamed}.sha256").read_text().split()[0]
    Path(f"{other}.sha256").write_text(f"{digest}  {renamed}\n")  # a sum that fits the file it names
    told = Installation(tmp_path / "nowhere").run("deploy/restore.sh", other, expect=1)
    assert "its SHA-256 differs" in told
