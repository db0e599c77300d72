"""Cutting responses after so many words or characters: at once where they are few, else as a job."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held
from projects.derived import Made, cut, store, to_change
from projects.models import DerivationStep, Segmentation, User
from projects.problems import Invalid, Problem
from rubrics.scoring.planning import plan_open_stages

CUTTING = "cut_responses"
# Up to so many are cut while the person waits.
FEW_RESPONSES = 200
AT_ONCE = 200


def begin(step: DerivationStep, by: User | None = None) -> Job | None:
    """Cut what the step has not cut: at once where it is little, then None, else as a job."""
    if to_change(step)[: FEW_RESPONSES + 1].count() <= FEW_RESPONSES:
        cut_all(step)
        return None
    return add_job(CUTTING, step.project, by, options={"step": step.pk}, key=str(step.pk))


def cut_all(step: DerivationStep, on_part: Callable[[int], object] = lambda _done: None) -> int:
    """Cut every response that the step has not cut; how many new texts came of it. Each part is committed by itself,
    so that what was broken off goes on where it was."""
    assert step.limit is not None, "a cut has a limit"
    new = done = after = 0
    while sources := list(
        to_change(step).filter(pk__gt=after).select_related("variety").order_by("pk")[:AT_ONCE],
    ):
        made = [
            Made(source, cut(source.text, step.change, step.limit, Segmentation(source.variety.segmentation).rule))
            for source in sources
        ]
        # A cut that would leave nothing but space is none.
        texts = store(step, [each if each.text.strip() else Made(each.source, each.source.text) for each in made])
        plan_open_stages([text.pk for text in texts])
        after, done, new = sources[-1].pk, done + len(sources), new + len(texts)
        on_part(done)
    return new


class CutResponses(JobKind):
    name = CUTTING
    label = gettext_lazy("Cutting responses")
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        step = DerivationStep.objects.select_related("project").filter(pk=held.job.options["step"]).first()
        if step is None:
            raise Invalid(Problem("step_gone", _("The step is not there any more.")))
        held.progress(0, to_change(step).count(), "")
        return {"texts": cut_all(step, on_part=held.progress)}

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("derived-step", args=[job.project.slug, job.options["step"]])
