"""Ada backs an installation up while it is in use, and restores it elsewhere: nothing differs, she can sign in."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import servers

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
    installation.manage("migrate", "--verbosity", "0")
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
    assert after.sign_in() == "302 /"


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
    assert after.sign_in() == "302 /"
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


def test_neither_a_backup_nor_a_database_is_ever_overwritten(tmp_path):
    before = in_use(tmp_path / "before")
    backup = tmp_path / "mizan.backup"
    before.run("deploy/backup.sh", backup)

    assert "never overwrites" in before.run("deploy/backup.sh", backup, expect=1)
    assert "move it away first" in before.run("deploy/restore.sh", backup, expect=1)
