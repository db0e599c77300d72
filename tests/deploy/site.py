"""`make run` with a data folder and a port of its own, for whoever wants to see it stay up."""

import json
import os
import signal
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deploy.preparation import ROOT as SOURCES
from deploy.preparation import read_stamp
from deploy.processes import Child, wait_until
from tests import servers

ROOT = Path(__file__).resolve().parents[2]
# Long enough for a machine on which all else runs as well; a good one takes a few seconds.
PATIENCE = 240


class Site:
    """The installation of one data folder; `start` and `stop` its command, and ask it for pages."""

    def __init__(self, folder: Path, program: str = "deploy.run", **variables: str) -> None:
        self.program = program
        self.data = folder / "data"
        self.data.mkdir()
        self.port = servers.free_port()
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = kept | {
            "DATA_DIR": str(self.data),
            "PORT": str(self.port),
            "STATIC_HASHED": "0",
            "STATIC_ROOT": str(folder / "static"),
            "WEB_WORKERS": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **variables,
        }
        # What other tests look at, and what would only take time here: the demo and the collected static files.
        (self.data / ".demo-loaded").touch()
        (folder / "static").mkdir()
        built = read_stamp(SOURCES / "static" / "dist" / ".built-from")
        (folder / "static" / ".collected-from").write_text(built + read_stamp(SOURCES / ".venv" / "installed.json"))
        self.log = folder / "run.log"

    def start(self) -> None:
        begin = self.log.stat().st_size if self.log.exists() else 0
        self.run = Child(
            "make run",
            [sys.executable, "-m", self.program],
            self.log,
            environment=self.environment,
            folder=ROOT,
            patience=60,
        )
        self.wait_for(lambda: "Ctrl-C stops everything" in self.log.read_text()[begin:])

    def wait_for(self, reached: Callable[[], bool]) -> None:
        assert wait_until(reached, [self.run], PATIENCE), self.run.last_log_lines(60)

    def states(self) -> dict[str, dict[str, Any]]:
        """What it says of its programs, by name; nothing where it says nothing."""
        try:
            state = json.loads((self.data / "processes.json").read_text())
        except (OSError, ValueError):
            return {}
        return {each["name"]: each for each in state["processes"]}

    def pid_of(self, name: str) -> int | None:
        return self.states().get(name, {}).get("pid")

    def kill(self, name: str) -> None:
        """SIGKILL to one program; returns when another stands in its place."""
        victim = self.pid_of(name)
        assert victim
        os.kill(victim, signal.SIGKILL)
        self.wait_for(lambda: self.pid_of(name) not in (None, victim))

    def answers(self) -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/accounts/login/", timeout=PATIENCE) as answer:
            return answer.status == 200
