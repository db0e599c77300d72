"""Assembling a panel as a job: a panel of few answers is assembled while its page is loaded, others by a worker."""

from itertools import islice
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job, JobState
from jobs.working import Held, do_at_once
from judging.ensembles import panel_kind
from judging.ensembles.assembling import Assembly, assemble
from judging.models import Panel
from projects.models import User
from projects.problems import Invalid, Problem

PANEL_ASSEMBLY = "panel_assembly"


class PanelAssembly(JobKind):
    """Brings a panel's answers up to date. Begun anew after a kill: a batch that stands as it should is left alone."""

    name = PANEL_ASSEMBLY
    label = gettext_lazy("Assembling a panel")
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        panel = Panel.objects.select_related("rater", "project").filter(pk=held.job.options["panel"]).first()
        if panel is None:
            raise Invalid(Problem("no_panel", _("The panel is no longer there.")))

        def on_batch(done: int, total: int) -> None:
            held.check()
            held.progress(done, total)

        return as_result(assemble(panel, held.job.asked_by, on_batch, held.gets_on))

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        assert job.project is not None  # `begin_assembly` names it
        return reverse("panel", args=[job.project.slug, job.options["panel"]])


def as_result(done: Assembly) -> dict[str, Any]:
    names = ("written", "withdrawn", "kept")
    return {"is_overtaken": done.is_overtaken, **{name: done.counts[name] for name in names}}


def key_of(panel: Panel) -> str:
    return f"panel:{panel.pk}"


def begin_assembly(panel: Panel, by: User | None) -> Job:
    """The job that assembles the panel: the one that is under way where there is one. A small one is over when this
    returns."""
    options = {"panel": panel.pk, "name": panel.rater.name}
    at_once = is_quick(panel)
    job = add_job(PANEL_ASSEMBLY, panel.project, by, options=options, key=key_of(panel), wake=not at_once)
    if at_once and job.state == JobState.QUEUED:
        do_at_once(job)
    return job


def is_quick(panel: Panel) -> bool:
    """Whether the members have answered no more than one batch of responses or pairs."""
    raters = [member.rater_id for member in panel.memberships.all()]
    batches = panel_kind(panel.kind).batches([*raters, panel.rater_id])
    return len(list(islice(batches, 2))) < 2


def newest_assembly(panel: Panel) -> Job | None:
    return Job.objects.newest(PANEL_ASSEMBLY, key_of(panel))
