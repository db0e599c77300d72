"""Gold of the responses that a change of categories touches, derived anew: at once for few, else as a job."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from annotation.category_changes import touched_responses
from annotation.gold import derive
from annotation.models import CategoryChange
from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.audit import record
from projects.chunks import in_chunks
from projects.models import User

CATEGORIES = "category_gold"
# Gold of up to so many responses is derived while the person waits.
FEW_RESPONSES = 100


def bring_up_to_date(change: CategoryChange, by: User | None) -> Job | None:
    """The job that does it, None where it is done."""
    few = list(touched_responses(change).values_list("pk", flat=True)[: FEW_RESPONSES + 1])
    if len(few) > FEW_RESPONSES:
        return add_job(CATEGORIES, change.project, by, options={"change": change.pk}, key=str(change.pk))
    derive(few)
    return None


def settle(change: CategoryChange, by: User | None) -> Job | None:
    """Put a change that was made on the record and have the gold follow, at once or as the job that is returned."""
    about = sorted({*change.before, *change.after})
    record("categories.changed", actor=by, project=change.project, change=str(change.kind), categories=about)
    return bring_up_to_date(change, by)


class DeriveGold(JobKind):
    """Deriving again changes nothing, so an attempt begins where it likes."""

    name = CATEGORIES
    label = gettext_lazy("Final errors in the categories of today")
    permission = "spans.refine"

    def run(self, held: Held) -> Any:
        change = CategoryChange.objects.select_related("project").get(pk=held.job.options["change"])
        responses = list(touched_responses(change).order_by("pk").values_list("pk", flat=True))
        held.progress(0, len(responses), "")
        done = 0
        for chunk in in_chunks(responses):
            derive(chunk)
            held.progress(done := done + len(chunk))
        return {"responses": done}

    def describe(self, job: Job) -> str:
        count = job.result["responses"] if job.result else 0
        return ngettext("%(count)d response", "%(count)d responses", count) % {"count": count}

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("error-categories", args=[job.project.slug])
