"""Runs among the jobs of their project, of judges and of target models: each as one, not by its shards."""

from collections.abc import Callable, Sequence

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from jobs.listing import Entry, Source
from jobs.models import Job, JobState
from jobs.waiting import Waiting
from judging.engine import runs
from judging.engine.run_kinds import JUDGING, kind_of, run_kinds
from judging.models import CallState, PausedBecause, Run, RunState
from projects.models import Project, User

JUDGE_RUN, COLLECTING_RUN = "judge_run", "collecting_run"
GOING = (RunState.PLANNED, RunState.RUNNING, RunState.PAUSED)


class Runs(Source):
    kinds = (JUDGE_RUN, COLLECTING_RUN)
    permission = "judges.run"

    VERBS: dict[str, Callable[[Run, User], bool]] = {
        "pause": lambda run, by: runs.pause(run, by=by),
        "resume": lambda run, by: runs.start(run, by) if run.state == RunState.PLANNED else runs.resume(run, by),
        "cancel": runs.cancel,
        "retry": runs.retry_failed,
    }

    def rows(self, project: Project) -> QuerySet[Run]:
        return project.judge_runs.select_related("judge__rater", "endpoint__target_model", "created_by", "project")

    def entries(self, rows: Sequence[Run]) -> list[Entry]:
        counts, waiting = calls_by_state(rows), waiting_for_workers(rows)
        return [self.entry(run, counts.get(run.pk, {}), waiting.get(run.pk, "")) for run in rows]

    def entry(self, run: Run, counts: dict[str, int], waits_for: str = "") -> Entry:
        """`waits_for` says what a running run waits for that no worker has claimed."""
        total = sum(counts.values())
        kind = kind_of(run)
        is_judging = kind.name == JUDGING
        asked = {"asked": str(run.judge) if is_judging else kind.asked(run)}
        return Entry(
            uuid=run.uuid,
            kind=JUDGE_RUN if is_judging else COLLECTING_RUN,
            label=(_("Run of %(asked)s") if is_judging else _("Collecting responses of %(asked)s")) % asked,
            about=_("round %(round)d") % {"round": run.round} if is_judging else "",
            url=reverse("run" if is_judging else "collection", args=[run.project.slug, run.uuid]),
            state=run.state,
            state_label=run.get_state_display(),
            asked_by=str(run.created_by or ""),
            asked_at=run.created_at,
            started_at=run.started_at,
            ended_at=run.ended_at,
            done=total - counts.get(CallState.PLANNED, 0) - counts.get(CallState.CANCELLED, 0),
            total=total,
            sentence="",
            waits=waits(run) or waits_for,
            problem="",
            result_url="",
            verbs=verbs_of(run, counts),
        )

    def act(self, row: Run, verb: str, by: User) -> bool:
        return self.VERBS[verb](row, by)


def waits(run: Run) -> str:
    if run.state == RunState.PLANNED:
        return _("waits until somebody starts it")
    because = {
        PausedBecause.PERSON: _("paused by somebody"),
        PausedBecause.BUDGET: _("waits for a larger budget"),
        PausedBecause.PROVIDER: _("waits for its provider, which does not answer"),
    }
    return because[PausedBecause(run.paused_because)] if run.paused_because else ""


def waiting_for_workers(rows: Sequence[Run]) -> dict[int, str]:
    """For what the runs wait that are going, with no shard in anybody's hands: that for which the first of their shards
    waits. By id of run. Four statements at most."""
    shards = Job.objects.filter(shard__run=OuterRef("pk"))
    first = shards.filter(state=JobState.QUEUED).order_by("due_at", "pk").values("pk")[:1]
    going = Run.objects.filter(pk__in=[run.pk for run in rows if run.state == RunState.RUNNING])
    idle = going.filter(~Exists(shards.filter(state=JobState.RUNNING))).annotate(first=Subquery(first))
    first_of = dict(idle.exclude(first=None).values_list("pk", "first"))
    jobs = Job.objects.in_bulk(list(first_of.values()))
    waiting = Waiting(list(jobs.values()))
    return {run: waiting.in_words(jobs[job]) for run, job in first_of.items() if job in jobs}


def calls_by_state(rows: Sequence[Run]) -> dict[int, dict[str, int]]:
    """By id of run. One statement for each kind of runs."""
    counts: dict[int, dict[str, int]] = {run.pk: {} for run in rows}
    for kind in run_kinds():
        calls = kind.calls._default_manager.filter(run__in=list(counts)).values_list("run", "state")
        for run, state, n in calls.annotate(n=Count("pk")).order_by():
            counts[run][state] = n
    return counts


def verbs_of(run: Run, counts: dict[str, int]) -> list[str]:
    possible = {
        "pause": run.state == RunState.RUNNING,
        "resume": run.state in (RunState.PLANNED, RunState.PAUSED, RunState.CANCELLED),
        "cancel": run.state in GOING,
        "retry": run.state in runs.OVER and any(counts.get(state) for state in kind_of(run).retriable),
    }
    return [verb for verb, is_possible in possible.items() if is_possible]
