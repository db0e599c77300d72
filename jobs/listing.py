"""What is listed as the jobs of a project, from every room that has some: each registers a source of its own.

A page of the list is a number of statements that grows with the sources and never with the entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.urls import reverse

from jobs.kinds import job_kind, job_kinds
from jobs.models import Job, JobState
from jobs.verbs import cancel, pause, resume, retry
from jobs.waiting import Waiting
from projects.models import Project, User

PER_PAGE = 50
# In one of these an entry moves by itself.
MOVING = (JobState.QUEUED, JobState.RUNNING)
VERBS = ("pause", "resume", "cancel", "retry")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is done in the background, as its list shows it. `done` of `total` parts, None where they
    cannot be counted; `waits` says in words for what it waits, `verbs` what can be done to it now."""

    uuid: UUID
    kind: str
    label: str
    about: str
    url: str
    state: str
    state_label: str
    asked_by: str
    asked_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    done: int
    total: int | None
    sentence: str
    waits: str
    problem: str
    result_url: str
    verbs: Sequence[str]

    @property
    def is_moving(self) -> bool:
        return self.state in MOVING


class Source(ABC):
    """Things of one model that are listed. The model has `uuid`, `created_at` and `state` (values of JobState)."""

    # The values that `kind` takes, of an entry and as a filter.
    kinds: Sequence[str]
    permission = "jobs.run"

    @abstractmethod
    def rows(self, project: Project) -> QuerySet[Any]:
        """Those of a project."""

    def of_kind(self, rows: QuerySet[Any], kind: str) -> QuerySet[Any]:
        """Those of the rows that are of one of the source's kinds."""
        return rows

    @abstractmethod
    def entries(self, rows: Sequence[Any]) -> list[Entry]:
        """In the order of the rows, in a number of statements that does not grow with them."""

    @abstractmethod
    def act(self, row: Any, verb: str, by: User) -> bool:
        """Do it, where it is possible now; return whether it was. Raises projects.problems.Invalid with the words why
        it is refused, where its state alone does not say so."""

    def permission_for(self, row: Any) -> str:
        """What a person must be allowed to act on it."""
        return self.permission


class Jobs(Source):
    """The jobs themselves, but for those that are parts of something listed as a whole."""

    VERBS: dict[str, Callable[[Job, User], bool]] = {"pause": pause, "resume": resume, "cancel": cancel, "retry": retry}

    @property
    def kinds(self) -> Sequence[str]:  # type: ignore[override]
        return [kind.name for kind in job_kinds() if not kind.is_part]

    def rows(self, project: Project | None) -> QuerySet[Job]:
        """Those of a project, or with None those that belong to none."""
        return Job.objects.filter(project=project, kind__in=self.kinds).select_related("asked_by", "file", "project")

    def of_kind(self, rows: QuerySet[Job], kind: str) -> QuerySet[Job]:
        return rows.filter(kind=kind)

    def entries(self, rows: Sequence[Job]) -> list[Entry]:
        waiting = Waiting(rows)
        return [self.entry(job, waiting) for job in rows]

    def entry(self, job: Job, waiting: Waiting) -> Entry:
        kind = job_kind(job.kind)
        return Entry(
            uuid=job.uuid,
            kind=job.kind,
            label=str(kind.label),
            about=kind.describe(job),
            url=url_of(job),
            state=job.state,
            state_label=job.get_state_display(),
            asked_by=str(job.asked_by or ""),
            asked_at=job.created_at,
            started_at=job.started_at,
            ended_at=job.ended_at,
            done=job.done,
            total=job.total,
            sentence="" if job.is_over else job.sentence,
            waits=waiting.in_words(job),
            problem=job.problem,
            result_url=kind.url(job) if job.state == JobState.DONE else "",
            verbs=verbs_of(job),
        )

    def act(self, row: Job, verb: str, by: User) -> bool:
        return verb in verbs_of(row) and self.VERBS[verb](row, by)

    def permission_for(self, row: Job) -> str:
        return job_kind(row.kind).permission


def url_of(job: Job) -> str:
    """The page of a job: among those of its project, or of the installation where it has none."""
    if job.project is None:
        return reverse("installation-job", args=[job.uuid])
    return reverse("job", args=[job.project.slug, job.uuid])


def verbs_of(job: Job) -> list[str]:
    """What can be done to a job in its state, as far as its kind allows it."""
    kind = job_kind(job.kind)
    possible = {
        "pause": kind.can_pause and job.state in (JobState.QUEUED, JobState.RUNNING),
        "resume": job.state in (JobState.PAUSED, JobState.PLANNED),
        "cancel": not job.is_over,
        "retry": job.state in (JobState.FAILED, JobState.CANCELLED) and kind.can_retry(job),
    }
    return [verb for verb, is_possible in possible.items() if is_possible]


_sources: list[Source] = []


def register(*sources: Source) -> None:
    _sources.extend(sources)


def kinds() -> list[str]:
    """Every kind that an entry can be of."""
    return sorted({kind for source in _sources for kind in source.kinds})


class Listing:
    """The entries of a project, the newest first; to be cut into pages (Django's Paginator counts and slices it)."""

    def __init__(self, project: Project, state: str = "", kind: str = "") -> None:
        self.parts: list[tuple[Source, QuerySet[Any]]] = []
        for source in _sources:
            if kind and kind not in source.kinds:
                continue
            rows = source.rows(project)
            rows = source.of_kind(rows, kind) if kind else rows
            self.parts.append((source, rows.filter(state=state) if state else rows))

    def count(self) -> int:
        return sum(rows.count() for _source, rows in self.parts)

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, part: slice) -> list[Entry]:
        newest = sorted(
            (
                (created_at, place, pk)
                for place, (_source, rows) in enumerate(self.parts)
                for created_at, pk in rows.order_by("-created_at", "-pk").values_list("created_at", "pk")[: part.stop]
            ),
            reverse=True,
        )[part]
        entries: dict[tuple[int, Any], Entry] = {}
        for place, (source, rows) in enumerate(self.parts):
            here = list(rows.filter(pk__in=[pk for _at, of, pk in newest if of == place]))
            pks = [row.pk for row in here]
            entries |= {(place, pk): entry for pk, entry in zip(pks, source.entries(here), strict=True)}
        return [entries[place, pk] for _at, place, pk in newest if (place, pk) in entries]


def look_up(project: Project, uuid: UUID) -> tuple[Source, Model] | None:
    """What of the project has this id, and where it comes from."""
    for source in _sources:
        row = source.rows(project).filter(uuid=uuid).first()
        if row is not None:
            return source, row
    return None


def entry_of(job: Job) -> Entry:
    """A single job as its page shows it."""
    return Jobs().entries([job])[0]
