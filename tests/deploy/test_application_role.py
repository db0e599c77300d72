"""On PostgreSQL the application can work as a role that owns nothing: people sign in, files are imported."""

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import migrated, servers
from tests.deploy.test_backup import EMAIL, Installation

pytestmark = pytest.mark.postgres
GRANT = """
from django.core.management import call_command
call_command("grant_application", "mizan_application")
call_command("grant_application", "mizan_application")  # as after every update
"""
# All in one process, which is the application's role from its first statement to its last.
WORK = f"""
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from projects.creation import create_project
from projects.models import Project, User
call_command("create_admin", "{EMAIL}")
create_project(Project(slug="feasts", name="Feasts", preset="spans"), User.objects.get())
call_command("import_items", "feasts", str(Path(settings.DATA_DIR) / "items.jsonl"))
call_command("export_gold", "feasts", "-o", str(Path(settings.DATA_DIR) / "gold.jsonl"))
call_command("migrate", check_unapplied=True)
"""
EMPTY = """
from django.db import connection
connection.cursor().execute("TRUNCATE projects_auditevent")
"""


def test_the_application_works_without_owning_its_tables(tmp_path: Path, monkeypatch):
    with servers.postgres() as owner_url:
        address = urlsplit(owner_url)
        url = f"postgres://mizan_application:letters@{address.hostname}:{address.port}{address.path}"
        monkeypatch.setitem(os.environ, "APPLICATION_PASSWORD", "letters")
        owner = Installation(tmp_path, owner_url)
        migrated.fill_postgres(owner_url)
        owner.manage("shell", "--verbosity", "0", "-c", GRANT)

        application = Installation(tmp_path, url)
        item = {"id": "r1", "variety": "en-US", "prompt": "Why?", "model": "Nile-7B", "laboratory": "delta"}
        (tmp_path / "items.jsonl").write_text(json.dumps(item | {"response": "Because."}) + "\n")
        application.manage("shell", "--verbosity", "0", "-c", WORK)
        assert application.sign_in() == "302 /start/"
        assert (tmp_path / "gold.jsonl").exists()
        refused = application.run(*_shell(EMPTY), expect=1)
        assert "permission denied" in refused


def _shell(code: str) -> list[str]:
    import sys

    return [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code]
