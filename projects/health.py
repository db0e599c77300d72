"""How each part of the installation does. A room registers the parts that it knows; asking takes a second at most.

A part that hangs is asked in a thread that nobody waits for, and by one thread only until it answers.
"""

import contextlib
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from projects import throttling
from projects.directions import isolated
from projects.enumeration import in_parts
from projects.processes import supervision

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 1.0
Check = Callable[[], str | Promise | None]


class Unwell(Exception):
    """A part does not do its work; the message says so to a person."""


@dataclass(frozen=True, slots=True)
class Part:
    """`check` gives a sentence about the part, or None; it raises where the part is not well.

    Without an essential part nothing can be answered; without another one something waits.
    """

    name: str
    label: str | Promise
    check: Check
    is_essential: bool = False
    # What it means where the part is not well.
    consequence: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a part answered. `code`: "well", "unwell", "silent" (no answer in time)."""

    part: Part
    code: str
    detail: str | Promise
    seconds: float

    @property
    def is_well(self) -> bool:
        return self.code == "well"


_parts: dict[str, Part] = {}
_under_way: dict[str, "PendingReport"] = {}
_lock = threading.Lock()


def register_part(
    name: str,
    check: Check,
    *,
    label: str | Promise = "",
    is_essential: bool = False,
    consequence: str | Promise = "",
) -> None:
    """Have a part asked for by `/readyz` and the health page. Called from a room's `apps.py`."""
    _parts[name] = Part(name, label or name, check, is_essential, consequence)


def ask_all() -> list[Report]:
    """Every part's report, in the order of their registration, within PATIENCE_SECONDS."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    pending_reports = [_ask(part) for part in _parts.values()]
    return [pending.report(deadline) for pending in pending_reports]


def is_ready(reports: list[Report]) -> bool:
    return all(report.is_well for report in reports if report.part.is_essential)


class PendingReport:
    """The report of a part that is being checked, in a thread of its own."""

    def __init__(self, part: Part) -> None:
        self.part, self.began = part, time.monotonic()
        # A thread begins in the installation's language: what the part says is for whoever asks.
        self.language = translation.get_language()
        self._answered = threading.Event()
        self._report: Report | None = None
        threading.Thread(target=self._run, name=f"health of {part.name}", daemon=True).start()

    def _run(self) -> None:
        code, detail = "well", None
        try:
            with translation.override(self.language):
                detail = self.part.check()
        except Unwell as problem:
            code, detail = "unwell", problem.args[0]
        except Exception as problem:
            logger.warning("%s is not well: %r", self.part.name, problem)
            code = "unwell"
        finally:
            with contextlib.suppress(Exception):
                connections.close_all()
            self._report = Report(self.part, code, detail or "", time.monotonic() - self.began)
            self._answered.set()

    @property
    def is_over(self) -> bool:
        return self._answered.is_set()

    def report(self, deadline: float) -> Report:
        self._answered.wait(max(0.0, deadline - time.monotonic()))
        return self._report or Report(self.part, "silent", _("It does not answer."), time.monotonic() - self.began)


def _ask(part: Part) -> PendingReport:
    """Ask, unless an earlier question still waits for its answer: that one is joined."""
    with _lock:
        pending = _under_way.get(part.name)
        if pending is None or pending.is_over or pending.part is not part:
            pending = _under_way[part.name] = PendingReport(part)
        return pending


# --- The parts of every installation ----------------------------------------------------------------


def check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()


_are_migrated = threading.Event()


def check_migrations() -> str | Promise | None:
    """Once all are applied they stay so: an older state of the tables comes with a new process."""
    if _are_migrated.is_set():
        return None
    loader = MigrationLoader(connection)
    missing = [name for name in loader.graph.nodes if name not in loader.applied_migrations]
    if missing:
        raise Unwell(_("%(number)d migrations are not applied yet.") % {"number": len(missing)})
    _are_migrated.set()
    return None


def check_cache() -> None:
    cache: Any = caches["default"]  # of config/caches.py, which hides what fails from everybody else
    cache.check()


def check_broker() -> None:
    """A connection of our own: those for sending are behind a breaker, which remembers."""
    from celery import current_app

    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=0)
        channel: Any = broker.default_channel
        channel.close()


def check_rate_limits() -> str | Promise:
    """Limits hold either way; while the cache is away a table counts, which costs a write for each."""
    state = throttling.state()
    if state["counts"] == "database":
        raise Unwell(_("They are counted in the database: %(problem)s") % state)
    return _("They are counted in the cache.")


def check_disk() -> str | Promise:
    """Where something is written: the data of the embedded mode, and what is being uploaded."""
    folders = {Path(tempfile.gettempdir()), settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR}
    free = min(shutil.disk_usage(folder).free for folder in folders) // 1_000_000
    sentence = _("%(free)d MB are free.") % {"free": free}
    if free < settings.DISK_RESERVE_MB:
        raise Unwell(sentence)
    return sentence


def check_programs() -> str | Promise:
    """What `make run` keeps running; a program that has ended is started again, and is not there meanwhile."""
    state = supervision()
    if state.code == "none":
        return _("Whatever has started them keeps them running: the service manager of the machine, or nobody.")
    if state.code == "unreadable":
        raise Unwell(_("What their supervisor has written cannot be read."))
    if state.code == "silent":
        written_at = isolated(date_format(timezone.localtime(state.written_at), "Y-m-d H:i:s"))
        raise Unwell(
            _("Their supervisor has ended or stands still since %(moment)s: what ends is not started again.")
            % {"moment": written_at}
        )
    if state.missing:
        raise Unwell(
            _("Being started again: %(names)s.") % {"names": in_parts(program.label for program in state.missing)}
        )
    count = len(state.programs)
    return ngettext("%(count)d program runs.", "%(count)d programs run.", count) % {"count": count}


def register_own_parts() -> None:
    nothing = _("No page can be shown and nothing can be stored.")
    register_part("database", check_database, label=_("Database"), is_essential=True, consequence=nothing)
    register_part(
        "migrations", check_migrations, label=_("Tables of this version"), is_essential=True, consequence=nothing
    )
    register_part(
        "disk",
        check_disk,
        label=_("Space on the disk"),
        # Reading needs no space: a proxy that asks /readyz would take the only server away from everybody.
        consequence=_("Soon nothing can be stored; reading goes on."),
    )
    register_part(
        "cache", check_cache, label=_("Cache"), consequence=_("All goes on; dashboards are computed at each visit.")
    )
    register_part(
        "broker",
        check_broker,
        label=_("Wake-ups of the workers"),
        consequence=_("Pages and saving go on. Work in the background waits and goes on by itself."),
    )
    register_part(
        "rate limits",
        check_rate_limits,
        label=_("Rate limits"),
        consequence=_("They hold as before, but each count is a write to the database."),
    )
    register_part(
        "programs",
        check_programs,
        label=_("Programs"),
        consequence=_("Pages and saving go on while the web server runs. What another program does waits for it."),
    )
