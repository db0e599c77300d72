"""A new version of a frozen rubric: written as a draft of its own that begins with the old one's words."""

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from projects.models import Rater
from projects.problems import Invalid, Problem
from rubrics.models import Revision, Rubric
from workflow.beginning import begin_own
from workflow.models import Assignment, Stage, Status

UNFINISHED = (Status.RESERVED, Status.CLAIMED, Status.EXPIRED, Status.RELEASED)


def revise(rubric: Rubric, rater: Rater) -> Assignment:
    """The rater's assignment to write the next version in; the one they have begun already, where they have.

    Raises Invalid where there is a newer version, somebody else is writing one, or the project has no stage of
    authoring; Refused("closed") where that takes no work.
    """
    with transaction.atomic():
        Rubric.objects.select_for_update(of=("self",)).get(pk=rubric.pk)  # one reviser at a time
        if Rubric.objects.filter(supersedes=rubric).exists():
            raise Invalid(Problem("superseded", _("There is a newer version of this rubric. Revise that one.")))
        begun = _begun(rubric)
        if begun is not None and begun.rater_id != rater.pk:
            raise Invalid(Problem("being_revised", _("Somebody else is writing a new version of this rubric.")))
        if begun is not None:
            return begun
        assignment = begin_own(rater, _stage_of(rubric), rubric.prompt.variety, uuid.uuid4())
        Revision.objects.create(assignment=assignment, rubric=rubric)
    return assignment


def _begun(rubric: Rubric) -> Assignment | None:
    unfinished = Revision.objects.filter(rubric=rubric, assignment__status__in=UNFINISHED)
    revision = unfinished.select_related("assignment").first()
    return revision.assignment if revision else None


def _stage_of(rubric: Rubric) -> Stage:
    """Where it was written, or where rubrics are written in the project if it came in a file."""
    if rubric.assignment is not None:
        return rubric.assignment.stage
    stage = rubric.project.stages.filter(kind="authoring").order_by("position").first()
    if stage is None:
        raise Invalid(Problem("no_stage", _("This project has no stage in which rubrics are written. Add one first.")))
    return stage
