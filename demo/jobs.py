"""Generated demonstration projects loaded by a worker: the site stays open meanwhile, and says how far it is."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from demo.abbl import load_at_abbl_scale
from demo.juice import load_at_juice_scale
from demo.menlo import load_at_menlo_scale
from demo.perle import load_at_perle_scale
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, JobState
from jobs.working import Held
from projects.models import Project
from projects.rehearsing import on_own_connection

DEMO_DATA = "demo_data"
SAY_SECONDS = 1.0
SCALES: Mapping[str, Callable[..., Project]] = {
    "juice": load_at_juice_scale,
    "perle": load_at_perle_scale,
    "menlo": load_at_menlo_scale,
    "abbl": load_at_abbl_scale,
}


class DemoData(JobKind):
    """Loads a generated project: all of it or nothing. Where a kill came after it was in, it is found and left."""

    name = DEMO_DATA
    label = gettext_lazy("Demonstration data")
    can_pause = False  # it is one transaction

    def run(self, held: Held) -> Any:
        asked = held.job.options
        if not Project.objects.filter(slug=asked["scale"]).exists():
            load_generated(asked["scale"], asked["judged"], Saying(held))
        return {"project": asked["scale"]}

    def describe(self, job: Job) -> str:
        return str(job.options["scale"])


class Saying:
    """Says how far it is, on a connection of its own: what is loaded is seen by nobody before all of it is there.
    Raises Lost where the job was cancelled, and nothing is loaded then."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.said_at = 0.0

    def __call__(self, lines: int, bytes_read: int, size: int | None) -> None:
        if time.monotonic() - self.said_at < SAY_SECONDS:
            return
        self.said_at = time.monotonic()
        words = ngettext("%(count)d line read", "%(count)d lines read", lines) % {"count": lines}
        with on_own_connection():
            self.held.progress(lines, None, words)


def load_generated(scale: str, judged: bool, progress: Any) -> Project:
    load = partial(load_at_perle_scale, judged=judged) if scale == "perle" else SCALES[scale]
    return load(progress=progress)


def queue_demo(scale: str, judged: bool = True) -> Job:
    """The job that loads it: the one that is under way where there is one."""
    return add_job(DEMO_DATA, options={"scale": scale, "judged": judged}, key=scale)


def failed_before(scale: str) -> Job | None:
    """The job that was to load it last, where it failed."""
    job = Job.objects.newest(DEMO_DATA, scale)
    return job if job is not None and job.state == JobState.FAILED else None


def in_words(job: Job) -> str:
    """What a job of this kind is doing, for whoever asked on the command line."""
    told = {"scale": job.options["scale"], "state": job.get_state_display(), "sentence": job.sentence}
    if job.sentence:
        return _("A worker loads the project “%(scale)s”. %(state)s: %(sentence)s") % told
    return _("A worker loads the project “%(scale)s”. %(state)s.") % told
