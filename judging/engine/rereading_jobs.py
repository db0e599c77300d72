"""Reading a run's replies again as a job, and finding out what that would change: at once where they are few."""

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, JobState
from jobs.working import Held, Lost, do_at_once
from judging.engine.rereading import (
    Rereading,
    RereadingProgress,
    checked,
    older_calls,
    plan_rereading,
    replied_calls,
    reread,
)
from judging.models import Run
from projects.models import User
from projects.problems import Invalid, Problem

REREADING = "rereading"
# So many replies are read in a fraction of a second.
FEW_REPLIES = 500
# So long a job's result is given to later requests; after that it may be of an older version of Mizan.
PLAN_LASTS = timedelta(days=1)


class RereadingJob(JobKind):
    """Reads the stored replies of a run again, or (`plan`) says what that would change.

    How far it is stands in the result, and moves in the transaction of each shard: after a kill or a pause the next
    shard is read, and none is counted twice.
    """

    name = REREADING
    label = gettext_lazy("Reading replies again")
    goes_on = True
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        asked = held.job.options
        run = Run.objects.select_related("project", "judge__rater", "prompt_version").filter(pk=asked["run"]).first()
        if run is None:
            raise Invalid(Problem("no_run", _("The run is no longer there.")))
        so_far = held.job.result or {}
        total = run.shards.count()

        def on_shard(counts: Rereading, done: int) -> None:
            """Within the transaction of the shard: raises Lost, and with it what was written of the shard is gone."""
            if not held.gets_on(result=as_result(done, counts)):
                raise Lost
            held.progress(done, total)

        held.progress(so_far.get("shards", 0), total)
        progress = RereadingProgress(
            so_far.get("shards", 0),
            Rereading.from_json(so_far["found"]) if so_far else Rereading(),
            on_shard,
            lambda counts: held.finish(as_result(total, counts)),
        )
        if asked["plan"]:
            return as_result(total, plan_rereading(run, asked["everything"], progress))
        reread(run, held.job.asked_by, asked["everything"], progress)
        return None  # it has ended with the record of what was done

    def describe(self, job: Job) -> str:
        name = job.options["name"]
        return _("%(name)s: what it would change") % {"name": name} if job.options["plan"] else str(name)

    def url(self, job: Job) -> str:
        assert job.project is not None  # `begin_rereading` names it
        return reverse("run-read-again", args=[job.project.slug, job.options["uuid"]])


def as_result(shards: int, counts: Rereading) -> dict[str, Any]:
    return {"shards": shards, "found": counts.as_json()}


def key_of(run: Run, is_plan: bool) -> str:
    return f"{'plan' if is_plan else 'run'}:{run.pk}"


def begin_rereading(run: Run, by: User | None, *, is_plan: bool = False, everything: bool = False) -> Job:
    """The job that reads the replies of a run again, the one that is running, if any. Where they are few it is
    over when this returns. Raises Invalid where the run still goes on, or its laboratory is not known."""
    checked(run)
    assert run.judge is not None  # what a target model said is never read again
    options = {
        "run": run.pk,
        "uuid": str(run.uuid),
        "name": run.judge.rater.name,
        "plan": is_plan,
        "everything": everything,
    }
    at_once = has_few_replies(run, everything)
    job = add_job(REREADING, run.project, by, options=options, key=key_of(run, is_plan), wake=not at_once)
    if at_once and job.state == JobState.QUEUED:
        do_at_once(job)
    return job


def has_few_replies(run: Run, everything: bool = False) -> bool:
    calls = replied_calls(run) if everything else older_calls(run)
    return len(calls.order_by().values_list("pk")[: FEW_REPLIES + 1]) <= FEW_REPLIES


def newest(run: Run, is_plan: bool) -> Job | None:
    return Job.objects.newest(REREADING, key_of(run, is_plan))


def found_by(job: Job | None) -> Rereading | None:
    """What a job came to that is done."""
    if job is None or job.state != JobState.DONE or not job.result:
        return None
    return Rereading.from_json(job.result["found"])


def newest_plan(run: Run) -> Job | None:
    """The job that found out what reading again would change, where it did so lately and nothing was read or asked
    since."""
    done, planned = newest(run, is_plan=False), newest(run, is_plan=True)
    if planned is None or found_by(planned) is None or (done is not None and done.pk > planned.pk):
        return None
    is_of_now = run.ended_at is None or planned.created_at >= run.ended_at
    return planned if is_of_now and timezone.now() - planned.created_at < PLAN_LASTS else None


def in_words(counts: Rereading) -> str:
    message = ngettext(
        "%(n)d reply was read again; %(changed)d changed. Nobody was asked.",
        "%(n)d replies were read again; %(changed)d changed. Nobody was asked.",
        counts.read,
    )
    words = message % {"n": counts.read, "changed": counts.changed}
    if counts.held:
        words += " " + ngettext(
            "%(n)d answer stays, because people have worked on it.",
            "%(n)d answers stay, because people have worked on them.",
            counts.held,
        ) % {"n": counts.held}
    return words
