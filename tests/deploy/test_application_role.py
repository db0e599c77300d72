"""On PostgreSQL the application can work as a role that owns nothing: people sign in, files are imported."""

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import servers
from tests.deploy.test_backup import EMAIL, Installation

pytestmark = pytest.mark.postgres
BEGIN = """
from projects.creation import create_project
from projects.models import Project, User
create_project(Project(slug="feasts", name="Feasts", preset="spans"), User.objects.get())
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
        owner.manage("migrate", "--verbosity", "0")
        owner.manage("grant_application", "mizan_application")
        owner.manage("grant_application", "mizan_application")  # as after every update

        application = Installation(tmp_path, url)
        application.manage("create_admin", EMAIL)
        assert application.sign_in() == "302 /"
        application.manage("shell", "--verbosity", "0", "-c", BEGIN)
        item = {"id": "r1", "variety": "en-US", "prompt": "Why?", "model": "Nile-7B", "laboratory": "delta"}
        (tmp_path / "items.jsonl").write_text(json.dumps(item | {"response": "Because."}) + "\n")
        application.manage("import_items", "feasts", str(tmp_path / "items.jsonl"))
        application.manage("export_gold", "feasts", "-o", str(tmp_path / "gold.jsonl"))
        application.manage("migrate", "--check")
        refused = application.run(*_shell(EMPTY), expect=1)
        assert "permission denied" in refused


def _shell(code: str) -> list[str]:
    import sys

    return [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", code]
