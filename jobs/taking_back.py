"""Taking a large import back, as a job: hundreds of thousands of rows are looked up and go for seconds."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy

from formats.importing.taking_back import take_back
from jobs.enqueuing import add_job
from jobs.importing import the_project
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.models import Import, User

TAKING_BACK = "taking_back"


def begin_taking_back(brought: Import, by: User) -> Job:
    """The job that is under way for it already, where there is one."""
    options = {"import": brought.pk, "name": str(brought)}
    return add_job(TAKING_BACK, brought.project, by, options=options, key=str(brought.pk))


class TakingBack(JobKind):
    """The rows and the job's end are one transaction: all of it went, or nothing."""

    name = TAKING_BACK
    label = gettext_lazy("Import taken back")
    can_pause = False
    permission = "data.import"

    def run(self, held: Held) -> Any:
        brought = the_project(held.job).imports.get(pk=held.job.options["import"])
        return take_back(brought, held.job.asked_by, before_commit=held.finish)

    def describe(self, job: Job) -> str:
        return str(job.options["name"])

    def url(self, job: Job) -> str:
        return reverse("import", args=[the_project(job).slug])
