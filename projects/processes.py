"""What the embedded installation's supervisor says of the programs it keeps running, for a page that shows it.

deploy/supervision.py writes the file; in production there is none, and the machine's own service manager knows.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings


@dataclass(frozen=True)
class ProgramState:
    """One program: `web`, `worker`, `clock` or `provider`."""

    name: str
    pid: int | None
    since: datetime | None
    restarts: int
    # Why the one before ended, in words, and the last lines of its log; empty where none has ended.
    last_exit: str
    last_exit_at: datetime | None
    last_lines: Sequence[str]

    @property
    def is_running(self) -> bool:
        return self.pid is not None and is_alive(self.pid)


def supervised_programs() -> list[ProgramState] | None:
    """The programs in the order in which they started; None where nobody supervises them, or nobody can say."""
    try:
        state = json.loads((Path(settings.DATA_DIR) / "processes.json").read_text())
        if not is_alive(state["supervisor"]["pid"]):
            return None
        return [program_state(each) for each in state["processes"]]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def program_state(written: dict[str, Any]) -> ProgramState:
    last_exit = written["last_exit"] or {"how": "", "at": "", "lines": []}
    return ProgramState(
        name=written["name"],
        pid=written["pid"],
        since=moment(written["since"]),
        restarts=written["restarts"],
        last_exit=last_exit["how"],
        last_exit_at=moment(last_exit["at"]),
        last_lines=last_exit["lines"],
    )


def moment(written: str) -> datetime | None:
    return datetime.fromisoformat(written) if written else None


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's, but there
    return True
