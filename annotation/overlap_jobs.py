"""Proposing groups by the overlap rule, as a job: all kept errors of a project are looked at."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from annotation.groups import propose_overlaps
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.models import Project, Response, User

OVERLAPS = "group_overlaps"
# Up to so many are looked at while the person waits.
FEW_RESPONSES = 100


def to_look_at(project: Project) -> list[int]:
    """Responses with more than one error that was kept."""
    return list(Response.objects.filter(project=project, gold_answer__kept__gte=2).values_list("pk", flat=True))


def begin_overlaps(project: Project, by: User) -> Job:
    return add_job(OVERLAPS, project, by, key=str(project.pk))


class ProposeOverlaps(JobKind):
    """What one attempt proposed stands; the next proposes nothing twice."""

    name = OVERLAPS
    label = gettext_lazy("Groups proposed by overlap")
    permission = "spans.refine"

    def run(self, held: Held) -> Any:
        assert held.job.project is not None  # `begin_overlaps` asks for one
        responses = to_look_at(held.job.project)
        held.progress(0, len(responses), "")
        return {"proposed": propose_overlaps(responses, on_part=held.progress)}

    def describe(self, job: Job) -> str:
        return proposals_in_words(job.result["proposed"]) if job.result else ""

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("group-proposals", args=[job.project.slug])


def proposals_in_words(count: int) -> str:
    return ngettext("%(count)d new proposal", "%(count)d new proposals", count) % {"count": count}
