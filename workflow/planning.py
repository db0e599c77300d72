"""The items of a stage: what is ready becomes one, for so many raters each. Every function is one transaction."""

import itertools
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from workflow.allocation import spread
from workflow.models import HOLDING, SUBJECTS, Assignment, Stage, WorkItem
from workflow.task_types import task_type

BATCH = 2000
RECOUNTED = 500


def plan_items(stage: Stage) -> int:
    """Make the responses and prompts that are ready into items of the stage; return how many are new.

    Planning again adds what has come since, behind what is there. Their order is drawn from the stage's seed.
    """
    with transaction.atomic():
        stage = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)  # one planner at a time
        kind = task_type(stage.kind)
        about_responses = WorkItem.objects.filter(stage=stage, response=OuterRef("pk"), is_check=False)
        about_prompts = WorkItem.objects.filter(stage=stage, prompt=OuterRef("pk"))
        about_pairs = WorkItem.objects.filter(stage=stage, pair=OuterRef("pk"), is_check=False)
        count = _add_items(stage, "response_id", varieties_of(kind.responses(stage).filter(~Exists(about_responses))))
        count += _add_items(stage, "prompt_id", varieties_of(kind.prompts(stage).filter(~Exists(about_prompts))))
        count += _add_items(stage, "pair_id", varieties_of(kind.pairs(stage).filter(~Exists(about_pairs))))
        return count + _add_items(stage, "template_id", _to_localise(stage))


def _to_localise(stage: Stage) -> list[tuple[int, int]]:
    """Templates and varieties that are ready and no item yet."""
    ready = task_type(stage.kind).to_localise(stage)
    if not ready:
        return []
    planned = set(stage.items.exclude(template=None).values_list("template_id", "variety_id"))
    return [wanted for wanted in ready if wanted not in planned]


def varieties_of(ready: QuerySet[Any]) -> list[tuple[int, int]]:
    """The id of each with its variety's."""
    return list(ready.order_by().values_list("id", "variety_id"))


def _add_items(stage: Stage, subject: str, ready: Sequence[tuple[int, int]]) -> int:
    """Items about these ids, each in its variety; return how many."""
    if not ready:
        return 0
    last = stage.items.aggregate(last=Max("position"))["last"]
    in_order = spread(((each, each[1]) for each in ready), stage.seed)
    items = (
        WorkItem(
            stage=stage,
            variety_id=variety,
            position=position,
            slots=stage.overlap,
            open_slots=stage.overlap,
            **{subject: about},
        )
        for position, (about, variety) in enumerate(in_order, 0 if last is None else last + 1)
    )
    while batch := list(itertools.islice(items, BATCH)):
        WorkItem.objects.bulk_create(batch)
    return len(ready)


def change_overlap(stage: Stage, overlap: int) -> None:
    """Ask for another number of raters per item, of all items of the stage."""
    with transaction.atomic():
        Stage.objects.filter(pk=stage.pk).update(overlap=overlap)
        stage.overlap = overlap
        # What one rater began stays with one, and a check is given to as many as it comes to.
        about_something = stage.items.filter(is_check=False).exclude(**dict.fromkeys(SUBJECTS))
        others = about_something.select_for_update().order_by("pk").exclude(slots=overlap)
        items = list(others.values_list("pk", flat=True))
        for start in range(0, len(items), RECOUNTED):
            ids = items[start : start + RECOUNTED]
            WorkItem.objects.filter(pk__in=ids).update(slots=overlap, open_slots=0)
            recount(ids)


def recount(items: list[int]) -> None:
    """Set open slots to what is really open. The rows are locked first, so the count sees all that was committed."""
    list(WorkItem.objects.select_for_update().filter(pk__in=items).order_by("pk").values_list("pk"))
    held = (
        Assignment.objects.filter(item=OuterRef("pk"), status__in=HOLDING)
        .order_by()
        .values("item")
        .annotate(count=Count("pk"))
        .values("count")
    )
    free = F("slots") - Coalesce(Subquery(held), 0, output_field=IntegerField())
    WorkItem.objects.filter(pk__in=items).update(open_slots=Greatest(free, 0, output_field=IntegerField()))
