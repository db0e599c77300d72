"""What the embedded installation's supervisor says of the programs it keeps running, for the health page.

deploy/supervision.py writes the file; in production there is none, and the machine's own service manager knows.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from signal import Signals
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# The supervisor writes every ten seconds, whatever happens; one that was silent for so long watches no more.
SILENT_SECONDS = 60.0
LABELS: Mapping[str, str | Promise] = {
    "web": gettext_lazy("Web server"),
    "worker": gettext_lazy("Worker"),
    "clock": gettext_lazy("Clock (gives back in time what has run out)"),
    "provider": gettext_lazy("Simulated provider"),
}


@dataclass(frozen=True)
class ProgramState:
    """One program: `web`, `worker`, `clock` or `provider`."""

    name: str
    pid: int | None
    since: datetime | None
    restarts: int
    # Why the one before ended, as the terminal says it, and the last lines of its log; empty where none has ended.
    last_exit: str
    # The exit code, negative where a signal ended it; None where none has ended, or it could not even be started.
    last_exit_code: int | None
    last_exit_at: datetime | None
    last_lines: Sequence[str]

    @property
    def label(self) -> str:
        return str(LABELS.get(self.name, self.name))

    @property
    def is_running(self) -> bool:
        return self.pid is not None and is_alive(self.pid)

    @property
    def last_exit_in_words(self) -> str:
        """In the reader's language; empty where none has ended."""
        if not self.last_exit:
            return ""
        if self.last_exit_code is None:
            return _("It could not be started: %(problem)s") % {"problem": self.last_exit.partition(": ")[2]}
        if self.last_exit_code < 0:
            return _("It was ended by %(signal)s.") % {"signal": signal_name(-self.last_exit_code)}
        return _("It ended by itself with code %(code)d.") % {"code": self.last_exit_code}


@dataclass(frozen=True)
class Supervision:
    """`code`: "none" (nobody of ours keeps programs running here), "unreadable", "silent" (the supervisor is gone or
    stands still) or "watching", which alone has programs: in the order in which they started."""

    code: str
    programs: Sequence[ProgramState] = field(default=())
    written_at: datetime | None = None

    @property
    def missing(self) -> list[ProgramState]:
        return [program for program in self.programs if not program.is_running]


def supervision() -> Supervision:
    """What the supervisor last wrote, as far as it still holds."""
    try:
        written = (Path(settings.DATA_DIR) / "processes.json").read_text()
    except FileNotFoundError:
        return Supervision("none")
    except (OSError, ValueError):
        return Supervision("unreadable")
    try:
        state = json.loads(written)
        written_at = datetime.fromisoformat(state["written_at"])
        programs = [program_state(each) for each in state["processes"]]
        is_silent = timezone.now() - written_at > timedelta(seconds=SILENT_SECONDS)
        if is_silent or not is_alive(state["supervisor"]["pid"]):
            return Supervision("silent", written_at=written_at)
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return Supervision("unreadable")
    return Supervision("watching", programs, written_at)


def program_state(written: dict[str, Any]) -> ProgramState:
    last_exit = written["last_exit"] or {"how": "", "code": None, "at": "", "lines": []}
    return ProgramState(
        name=written["name"],
        pid=None if written["pid"] is None else int(written["pid"]),
        since=moment(written["since"]),
        restarts=int(written["restarts"]),
        last_exit=last_exit["how"],
        last_exit_code=last_exit["code"],
        last_exit_at=moment(last_exit["at"]),
        last_lines=last_exit["lines"],
    )


def moment(written: str) -> datetime | None:
    return datetime.fromisoformat(written) if written else None


def signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return str(number)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # somebody else's, but there
    return True
