"""The check that a rater is given instead of the next item of the queue. Registered with workflow/eligibility.py."""

from django.db.models import Exists, OuterRef, QuerySet

from projects.models import Rater
from projects.prepared import Given, Prepared
from screening.checks.drawing import chosen, is_due
from screening.models import CheckSettings
from workflow.content_notes import sets_for
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import task_type

SHARE = Prepared(lambda: CheckSettings.objects.filter(stage=Given("stage", Stage), share__gt=0).only("share"))


def due(rater: Rater, stage: Stage) -> WorkItem | None:
    """The check that is due at the rater's present turn in the stage, or None.

    Experts are given none: the gold is theirs.
    """
    settings = SHARE.first(stage=stage.pk)
    if settings is None or rater.is_expert:
        return None
    turn = Assignment.objects.filter(rater=rater, stage=stage).count()
    if not is_due(stage.seed, stage.pk, rater.pk, turn, settings.share / 100):
        return None
    wanted = open_checks(rater, stage)
    if stage.project.note_sets:  # a check that the person does not want to read would only keep others from them
        wanted = wanted.filter(note_set__in=sets_for(rater, stage.project))
    candidates = list(wanted.values_list("pk", flat=True))
    check = chosen(stage.seed, stage.pk, rater.pk, turn, candidates)
    return WorkItem.objects.get(pk=check) if check is not None else None


def open_checks(rater: Rater, stage: Stage) -> QuerySet[WorkItem]:
    """Checks in the rater's languages about nothing that they have had, as a check or as an item like any other."""
    mine = Assignment.objects.filter(rater=rater)
    items = WorkItem.objects.filter(
        ~Exists(mine.filter(item=OuterRef("pk"))),
        ~Exists(mine.filter(item__response=OuterRef("response"))),
        ~Exists(mine.filter(item__pair=OuterRef("pair"))),
        ~Exists(mine.filter(item__prompt=OuterRef("prompt"), stage=OuterRef("stage"))),
        stage=stage,
        is_check=True,
        gold_check__is_active=True,
        variety__raters=rater,
    )
    return task_type(stage.kind).eligible(items, rater)
