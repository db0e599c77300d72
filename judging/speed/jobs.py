"""A pass over configurations as a job: one after the other, so that none is slowed by another."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, Queue
from jobs.working import Held
from judging.speed.measuring import How, chosen, measure, questions_to_ask
from projects.models import Project, User

SPEED = "measure_speed"


def begin_measuring(project: Project, slugs: Sequence[str], how: How, by: User | None = None) -> Job:
    """The job that measures these configurations, or all; the project's pass that is under way where there is one, for
    two at once would measure each other. Raises Invalid."""
    how.check()
    targets = chosen(project, slugs)
    _warm_up, measured = questions_to_ask(project, how)
    options = {"configurations": [target.configuration.slug for target in targets], "how": asdict(how)}
    total = len(targets) * (how.warm_up + len(measured))
    return add_job(SPEED, project, by, options=options, key=str(project.pk), total=total)


class MeasuringSpeed(JobKind):
    """Begun anew after a kill, it goes on with the first configuration that has no measurement since it was asked for;
    a pass that was broken off is begun anew, since what it had warmed up is cold."""

    name = SPEED
    label = gettext_lazy("Measuring speed")
    queue = Queue.CALLS
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        project = held.job.project
        assert project is not None, "begin_measuring names it"
        how = How(**held.job.options["how"])
        done = 0
        for target in chosen(project, held.job.options["configurations"]):
            since = target.configuration.speed_measurements.filter(
                ended_at__isnull=False, began_at__gte=held.job.created_at, is_local=how.is_local
            )
            if since.exists():
                continue
            before, name = done, target.configuration.name

            def on_call(n: int, _total: int, before: int = before, name: str = name) -> None:
                nonlocal done
                done = before + n
                held.check()
                held.progress(done, None, name)

            measure(target, how, on_call, held.job.asked_by)
        return {"configurations": len(held.job.options["configurations"])}

    def describe(self, job: Job) -> str:
        names = job.options["configurations"]
        words = ngettext("%(n)d configuration", "%(n)d configurations", len(names))
        return names[0] if len(names) == 1 else words % {"n": len(names)}

    def url(self, job: Job) -> str:
        return reverse("speed", args=[job.project.slug]) if job.project else ""
