"""Figures that take long are computed by a worker, while the page says how far it is.

A page whose figures are kept is answered from them; one of few answers is computed on the spot, for that is quicker
than asking anybody. Otherwise one job computes for everybody who looks at the same page of the same project under the
same filters in the same language.

The job is not bound to a state of the answers: it computes the state that it finds when it begins. Where somebody
saves each second, a job for each state would never be shown; so what was computed a moment ago is shown as of then,
and the next job is begun.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.long_polling import wait_for
from jobs.models import OVER, Job, JobState, Queue
from jobs.working import Held
from projects.enumeration import enumerated
from projects.models import Project, User
from projects.outages import Outage, outage_of
from projects.problems import Invalid, Problem
from reports.dashboard.cache import SECONDS_KEPT, key_of
from reports.dashboard.figures import DEFECTS, Look, Reading, TableGroup, never, unheard
from reports.dashboard.freshness.revisions import digest

FIGURES = "figures"
# Figures of so few answers take about a second (measured: 0.7 s for 1,100 ratings, 1.1 s for 3,400, most of it the same
# for any number): a worker would not be quicker, and nobody sees a frame that is gone at once.
FEW_ANSWERS = 4000
# Figures that were computed within this time are shown while newer ones are computed; a job that ended within it is
# not begun again by whoever looks.
RECENT = timedelta(minutes=10)
# So long the jobs are listed that are over.
LISTED = timedelta(days=1)
SAY_SECONDS = 0.5
# So long the finished groups of a job are kept that did not come to its end.
PROGRESS_KEPT = 24 * 60 * 60


class Computed(Protocol):
    """A page of figures: a `reports.dashboard.dashboards.Dashboard`, or any other page that computes."""

    @property
    def page(self) -> str: ...

    @property
    def title(self) -> Any: ...

    @property
    def look(self) -> Callable[[Project, Mapping[str, Any]], Look]: ...

    @property
    def answers(self) -> Callable[[Project], Sequence[QuerySet[Any]]]: ...

    @property
    def takes_long(self) -> Callable[[Project], bool]: ...


@dataclass(frozen=True)
class FiguredPage:
    """A page of figures that is no dashboard; its fields are those of one."""

    page: str
    title: Any
    look: Callable[[Project, Mapping[str, Any]], Look]
    answers: Callable[[Project], Sequence[QuerySet[Any]]]
    takes_long: Callable[[Project], bool] = never


@dataclass(frozen=True)
class Latest:
    """What a job computed last, the state that it found, when it found it, and when it was done."""

    figures: Any
    state: str
    at: datetime
    done_at: datetime


@dataclass(frozen=True)
class Progress:
    """What a job has computed so far: the groups of tables that are finished, all in the state that it found.

    `groups_to_come` are name and title of every group, also of those that are finished.
    """

    state: str
    at: datetime
    groups_to_come: tuple[tuple[str, str], ...] = ()
    groups: tuple[TableGroup, ...] = ()


_pages: dict[str, Computed] = {}
_finishing: dict[str, Callable[[Project, Mapping[str, Any], Any], object]] = {}


def register(page: Computed, finish: Callable[[Project, Mapping[str, Any], Any], object] | None = None) -> None:
    """Let the figures of a page be computed by workers. `finish` is given the figures, to make what else is kept."""
    _pages[page.page] = page
    if finish is not None:
        _finishing[page.page] = finish


@dataclass(frozen=True)
class Asked:
    """Whose figures somebody wants to see: of a page, a project and its filters, in the language of the moment."""

    page: Computed
    project: Project
    filters: Mapping[str, Any]

    @property
    def scope(self) -> str:
        return digest([self.page.page, self.project.pk, sorted(self.filters.items()), get_language()])

    @property
    def key(self) -> str:
        """Of the job: one of a key is open at a time, for all who look."""
        return f"{self.page.page}:{self.project.pk}:{self.scope}"

    @property
    def latest_key(self) -> str:
        return key_of("latest", self.scope)

    def progress_key(self, job: Job) -> str:
        return key_of("progress", self.scope, job.pk)

    def progress(self, job: Job) -> Progress | None:
        """What the job has finished so far; None where it has not begun, or the cache keeps nothing."""
        return cache.get(self.progress_key(job))

    def look(self) -> Look:
        """Raises projects.problems.Invalid for filters that are no choice."""
        return self.page.look(self.project, self.filters)

    def has_few_answers(self) -> bool:
        """Few of what the figures are made from, by as many rows as it takes to know, and none that take long."""
        if self.page.takes_long(self.project):
            return False
        left = FEW_ANSWERS
        for rows in self.page.answers(self.project):
            left -= len(rows.order_by().values_list("pk")[: left + 1])
            if left < 0:
                return False
        return True


@dataclass(frozen=True)
class Ready:
    """Figures that can be shown, and the state they are in. `as_of` is when they were true, where newer answers came
    since. `read` takes what `Look.read` takes."""

    read: Callable[..., Any]
    state: str
    as_of: datetime | None = None


def read_what_can_be(ready: Ready, look: Look) -> Reading | Progress:
    """The figures of a dashboard; where a measure breaks, the groups that do without it, as a job that failed leaves
    them."""
    if not look.groups:
        return ready.read()
    finished: list[TableGroup] = []
    try:
        return ready.read(unheard, finished.append)
    except DEFECTS:  # told in the log by then
        if not finished:
            raise
        return Progress(look.state, timezone.now(), look.groups, tuple(finished))


class WarmFigures(JobKind):
    """Computes the figures of a page and keeps them."""

    name = FIGURES
    label = gettext_lazy("Figures")
    queue = Queue.FIGURES
    most_attempts = 3
    can_pause = False  # nothing is kept of half of it
    permission = "dashboard.read"

    def run(self, held: Held) -> Any:
        asked = asked_by(held.job)
        at = timezone.now()
        look = asked.look()
        figures = computed(asked, held, look, at)
        if finish := _finishing.get(asked.page.page):
            finish(asked.project, asked.filters, figures)
        cache.set(asked.latest_key, Latest(figures, look.state, at, timezone.now()), SECONDS_KEPT)
        return {"state": look.state, "at": at.isoformat()}

    def describe(self, job: Job) -> str:
        page = _pages.get(job.options["page"])
        title = job.options["page"] if page is None else str(page.title)
        chosen = [f"{name} = {value}" for name, value in sorted(job.options["filters"].items())]
        return enumerated([title, *chosen])

    def url(self, job: Job) -> str:
        assert job.project is not None  # `begin` names one
        if job.options["page"] not in _pages:  # of another version of Mizan
            return ""
        return reverse(job.options["page"], args=[job.project.slug])

    def sweep(self) -> int:
        """What was computed yesterday is of no interest in a list of jobs."""
        before = timezone.now() - LISTED
        old = Job.objects.filter(kind=FIGURES, state__in=OVER, heartbeat_at__lt=before)
        Job.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:500])).delete()
        return 0


def computed(asked: Asked, held: Held, look: Look, at: datetime) -> Any:
    """The figures; where they come in groups, each group is kept as soon as it is finished, for pages that wait."""
    if not look.groups:
        return look.read(Saying(held))
    progress = Progress(look.state, at, look.groups)
    key = asked.progress_key(held.job)
    cache.set(key, progress, PROGRESS_KEPT)

    def keep(group: TableGroup) -> None:
        nonlocal progress
        progress = replace(progress, groups=(*progress.groups, group))
        cache.set(key, progress, PROGRESS_KEPT)

    return look.read(Saying(held), keep)


class Saying:
    """Tells the job how far it is; raises Lost where nobody wants the figures any more."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.said_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self.said_at < SAY_SECONDS:
            return
        self.said_at = time.monotonic()
        numbers = {"done": done, "total": total}
        self.held.progress(done, total, _("%(done)d of %(total)d parts are computed") % numbers)


def asked_by(job: Job) -> Asked:
    """Raises Invalid where there is no such page any more."""
    assert job.project is not None  # `begin` names one
    page = _pages.get(job.options["page"])
    if page is None:
        raise Invalid(Problem("no_page", _("The page does not exist, or it is not yours to see.")))
    return Asked(page, job.project, job.options["filters"])


def begin(asked: Asked, by: User | None) -> Job:
    """The job that computes the figures: the open one where there is one."""
    options = {"page": asked.page.page, "filters": dict(asked.filters)}
    return add_job(FIGURES, asked.project, by, options=options, key=asked.key)


def wanted(asked: Asked, by: User | None = None, look: Look | None = None) -> Ready | Job:
    """The figures where they can be shown at once, else the job that is to compute them, or that failed to. `look` is
    what they rest on, for whoever has looked already.

    Raises projects.problems.Invalid for filters that are no choice.
    """
    look = look or asked.look()
    if look.is_kept:
        return Ready(look.read, look.state)
    latest: Latest | None = cache.get(asked.latest_key)
    if (latest is None or timezone.now() - latest.done_at > RECENT) and asked.has_few_answers():
        return Ready(look.read, look.state)
    try:
        return shown_or_computed(asked, by, look, latest)
    except DatabaseError as problem:
        # Nothing can be written, so no job begins; reading goes on all the same.
        outage = outage_of(problem)
        if outage not in (Outage.FULL, Outage.BUSY):
            raise
        if latest is not None:
            return as_of_then(latest, look)
        if outage is Outage.BUSY:  # which passes in a moment, sooner than so many answers are computed
            raise
        return Ready(look.read, look.state)


def as_of_then(latest: Latest, look: Look) -> Ready:
    figures = latest.figures
    return Ready(lambda *_listeners: figures, latest.state, None if latest.state == look.state else latest.at)


def shown_or_computed(asked: Asked, by: User | None, look: Look, latest: Latest | None) -> Ready | Job:
    """The figures of a moment ago, or those of a job. Raises DatabaseError where a job cannot be begun."""
    if latest is not None and timezone.now() - latest.done_at > RECENT:
        latest = None
    job = Job.objects.newest(FIGURES, asked.key)
    if latest is not None:
        if latest.state != look.state and (job is None or not has_failed(job)):
            begin(asked, by)
        return as_of_then(latest, look)
    if job is None or (job.is_over and not is_recent(job)):
        job = begin(asked, by)
        job.refresh_from_db()  # where there are no workers, it is over by now
        if job.state == JobState.DONE:
            look = asked.look()
    if job.state == JobState.DONE:
        # It was computed a moment ago and is not there: the cache keeps nothing, as while Redis is away. Another job
        # would come to the same, and the page would wait for ever; so the figures are computed here.
        return Ready(look.read, look.state)
    return job


def is_recent(job: Job) -> bool:
    return job.ended_at is not None and timezone.now() - job.ended_at <= RECENT


def seconds_until_begun_again(job: Job) -> int:
    """After so long whoever asks begins a job that is over anew."""
    if job.ended_at is None:
        return 1
    return max(1, math.ceil((job.ended_at + RECENT - timezone.now()).total_seconds()))


def has_failed(job: Job) -> bool:
    """Lately, so that it is begun again only by whoever asks for it."""
    return job.state in (JobState.FAILED, JobState.CANCELLED) and is_recent(job)


def begin_again(asked: Asked, by: User | None) -> None:
    """After a failure: somebody wants it tried once more."""
    job = Job.objects.newest(FIGURES, asked.key)
    if job is not None and job.state in (JobState.FAILED, JobState.CANCELLED):
        begin(asked, by)


def awaited(asked: Asked, by: User | None, seconds: float) -> Ready | Job:
    """As `wanted`, but that a job under way is waited for so long, where not too many wait already."""
    outcome = wanted(asked, by)

    def is_over() -> bool:
        nonlocal outcome
        if not isinstance(outcome, Job) or outcome.is_over:
            return True
        outcome.refresh_from_db()
        if outcome.state == JobState.DONE:
            outcome = wanted(asked, by)
        return not isinstance(outcome, Job) or outcome.is_over

    wait_for(is_over, seconds)
    return outcome


def in_english(asked: Asked, by: User | None, seconds: float) -> Ready | Job:
    """What files and programs are given: the same for every reader."""
    with override("en"):
        return awaited(asked, by, seconds)
