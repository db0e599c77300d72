"""The kinds of jobs. A kind is one small module that registers itself in its room's `ready()`."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jobs.models import Job, Queue

if TYPE_CHECKING:
    from jobs.working import Held


class JobKind(ABC):
    """What is done for a job, and what must happen when it changes hands. All but `run` may be left as it is."""

    name: str
    label: Any  # lazy translation
    queue: str = Queue.WORK
    # So many workers may die over a job, or break off by a defect, before it is given up.
    most_attempts = 5
    # Jobs of this kind are parts of something that is listed, paused and cancelled as a whole, such as a run.
    is_part = False
    can_pause = True
    # Its file is what it made, for people to take; that of any other kind is what it was given.
    makes_file = False
    # Its result says while it works how far it is, and one that is tried again goes on from there.
    goes_on = False
    # What a person must be allowed beside seeing the jobs of a project, to move one of this kind or take its file.
    permission = "jobs.run"
    do_not_call_in_templates = True

    @property
    def winding_down_seconds(self) -> float:
        """So long may go on what a job had under way when it broke off; it is not begun anew before."""
        return 0

    @abstractmethod
    def run(self, held: "Held") -> Any:
        """Do the work; what comes back is the job's result (JSON), or None.

        A job is begun anew after a kill: what has been committed must be found and not done twice. Where that is not
        possible, call `held.finish()` as the last statement of the transaction that commits the work.

        Raises:
            projects.problems.Invalid: it cannot be done; the job fails with these words and is not tried again.
            jobs.working.PutOff: what it needs is in other hands; it is taken up again after a while.
            jobs.working.Lost: it is in other hands, paused or cancelled (raised by `held.progress`); let it pass.
            Exception: a defect or an outage; the job is tried again later.
        """

    def release(self, pks: Sequence[int]) -> None:
        """Within the transaction that takes running jobs out of their workers' hands, with the rows locked."""

    def give_up(self, job: Job) -> None:
        """Within the transaction that ends a job as failed, after too many attempts."""

    def after_end(self, job: Job) -> None:
        """After it ended in whatever way, outside the transaction; may be called twice, or after a crash only by
        `sweep`."""

    def sweep(self) -> int:
        """With every sweep: put right what a crash between two transactions can leave behind; return how much."""
        return 0

    def describe(self, job: Job) -> str:
        """What it does, in words, beside its label."""
        return ""

    def can_retry(self, job: Job) -> bool:
        """Whether a job that failed or was cancelled can still be done; what it needs may be gone. Costs no query
        where the job came with its file (`select_related("file")`)."""
        return True

    def url(self, job: Job) -> str:
        """Where its result is seen; empty where there is no such page."""
        return ""

    # The part of the job's page that shows what came of it, once it is over; it is given `result_context`.
    result_template = ""

    def result_context(self, job: Job) -> dict[str, Any]:
        return {}


_registry: dict[str, JobKind] = {}


def register(*kinds: JobKind) -> None:
    for kind in kinds:
        if kind.name in _registry:
            raise ValueError(f"kind of job {kind.name!r} is registered twice")
        _registry[kind.name] = kind


def job_kind(name: str) -> JobKind:
    return _registry[name]


def job_kinds() -> list[JobKind]:
    return list(_registry.values())


def known_kinds() -> list[str]:
    """Names. A row may be of another: of a version of Mizan that this process is not, or of a room that is gone."""
    return list(_registry)
