"""The items of a stage: what is ready becomes one, for so many raters each. Every function is one transaction.

Whatever makes items makes them here (`add_items`), so that all stages hand out in one kind of order: drawn from the
stage's seed by `workflow.allocation.place`.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, F, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from projects.chunks import in_chunks
from projects.models import LanguageVariety, Prompt, PromptTemplate, Response, ResponsePair
from workflow.allocation import place
from workflow.models import HOLDING, SUBJECTS, Assignment, Stage, WorkItem
from workflow.task_types import task_type

BATCH = 2000


class Ready(NamedTuple):
    """What can become an item: the id of what it is about, the id of its variety, and the key it is drawn by."""

    id: int
    variety: int
    key: str


# Makes these responses items of the stage, as far as they are ready; returns how many items or turns are new.
Plan = Callable[[Stage, list[int]], int]


# --- Planning -------------------------------------------------------------------------------------------


def plan_items(stage: Stage) -> int:
    """Make the responses and prompts that are ready into items of the stage; return how many are new.

    Planning again adds what has come since, each in the place that the stage's seed gives it.
    """
    with transaction.atomic():
        stage = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)  # one planner at a time
        kind = task_type(stage.kind)
        about_responses = WorkItem.objects.filter(stage=stage, response=OuterRef("pk"), is_check=False)
        about_prompts = WorkItem.objects.filter(stage=stage, prompt=OuterRef("pk"))
        about_pairs = WorkItem.objects.filter(stage=stage, pair=OuterRef("pk"), is_check=False)
        count = add_items(stage, "response", in_project(kind.responses(stage).filter(~Exists(about_responses))))
        count += add_items(stage, "prompt", in_project(kind.prompts(stage).filter(~Exists(about_prompts))))
        count += add_items(stage, "pair", in_project(kind.pairs(stage).filter(~Exists(about_pairs))))
        return count + add_items(stage, "template", _to_localise(stage))


def plan_stage(stage: Stage) -> int:
    """Plan the stage in its kind's own way where it has one, else as any; return how many items or turns are new."""
    count = task_type(stage.kind).plan(stage)
    return plan_items(stage) if count is None else count


def plan_downstream_stages(response_ids: Iterable[int], plans: Mapping[str, Plan]) -> int:
    """Plan these responses in their projects' open stages of the kinds that follow from what others have done.

    To be called with what an answer, an import or a freeze may have made ready; returns how many are new.
    """
    count = 0
    for ids in in_chunks(response_ids):
        projects = Response.objects.filter(pk__in=ids).values("project")
        stages = Stage.objects.filter(project__in=projects, kind__in=plans, is_open=True, locked_at=None)
        count += sum(plans[stage.kind](stage, ids) for stage in stages.order_by("pk"))
    return count


def in_project(ready: QuerySet[Any]) -> list[Ready]:
    """Rows that have a variety of their own, and a key that is unique in their project."""
    return [Ready(*row) for row in ready.order_by().values_list("id", "variety_id", "key")]


def _to_localise(stage: Stage) -> list[Ready]:
    """Templates and varieties that are ready and no item yet."""
    ready = task_type(stage.kind).to_localise(stage)
    if not ready:
        return []
    planned = set(stage.items.exclude(template=None).values_list("template_id", "variety_id"))
    keys = dict(PromptTemplate.objects.filter(project=stage.project_id).values_list("pk", "key"))
    tags = dict(LanguageVariety.objects.values_list("pk", "tag"))
    return [
        Ready(template, variety, f"{keys[template]} {tags[variety]}")
        for template, variety in ready
        if (template, variety) not in planned
    ]


def add_items(
    stage: Stage,
    subject: str,
    ready: Iterable[Ready],
    slots: Mapping[int, int] | None = None,
    *,
    are_open: bool = True,
) -> int:
    """Make items about these, in the places that the stage's seed gives them; return how many.

    `slots` says for how many raters each id is, where that is not the stage's overlap; with `are_open=False` all of
    them are taken from the start, by turns that the caller reserves. What became an item at the same moment in another
    transaction stays the one item it is.
    """
    slots = {} if slots is None else slots
    ready = list(ready)
    note_sets = note_sets_of(stage, subject, [each.id for each in ready])
    items = (
        WorkItem(
            stage=stage,
            variety_id=each.variety,
            note_set=note_sets.get(each.id, 0),
            position=place(stage.seed, each.key),
            slots=slots.get(each.id, stage.overlap),
            open_slots=slots.get(each.id, stage.overlap) if are_open else 0,
            **{f"{subject}_id": each.id},
        )
        for each in ready
    )
    count = 0
    while batch := list(itertools.islice(items, BATCH)):
        count += len(WorkItem.objects.bulk_create(batch, ignore_conflicts=True))
    return count


# Where what an item is about keeps its set of content notes.
NOTES: dict[str, tuple[Any, str]] = {
    "response": (Response, "prompt__note_set"),
    "prompt": (Prompt, "note_set"),
    "pair": (ResponsePair, "prompt__note_set"),
}


def note_sets_of(stage: Stage, subject: str, ids: Iterable[int]) -> dict[int, int]:
    """The set of content notes of each of these that carries any; in a project without notes, no query."""
    if subject not in NOTES or not stage.project.note_sets:
        return {}
    model, column = NOTES[subject]
    found: dict[int, int] = {}
    for chunk in in_chunks(ids):
        found |= dict(model.objects.filter(pk__in=chunk, **{f"{column}__gt": 0}).values_list("pk", column))
    return found


# --- Slots ----------------------------------------------------------------------------------------------


def change_overlap(stage: Stage, overlap: int) -> None:
    """Ask for another number of raters per item, of all items of the stage."""
    with transaction.atomic():
        Stage.objects.filter(pk=stage.pk).update(overlap=overlap)
        stage.overlap = overlap
        # What one rater began stays with one, and a check is given to as many as it comes to.
        about_something = stage.items.filter(is_check=False).exclude(**dict.fromkeys(SUBJECTS))
        others = about_something.select_for_update().order_by("pk").exclude(slots=overlap, is_raised=False)
        for ids in in_chunks(others.values_list("pk", flat=True)):
            WorkItem.objects.filter(pk__in=ids).update(slots=overlap, open_slots=0)
            if stage.most_when_unsure is not None:  # those that were opened to one more stay so
                WorkItem.objects.filter(pk__in=ids, is_raised=True).update(slots=overlap + 1)
            recount(ids)


def recount(items: Iterable[int]) -> None:
    """Set open slots to what is really open. The rows are locked first, so the count sees all that was committed."""
    held = (
        Assignment.objects.filter(item=OuterRef("pk"), status__in=HOLDING)
        .order_by()
        .values("item")
        .annotate(count=Count("pk"))
        .values("count")
    )
    free = F("slots") - Coalesce(Subquery(held), 0, output_field=IntegerField())
    for ids in in_chunks(items):
        list(WorkItem.objects.select_for_update().filter(pk__in=ids).order_by("pk").values_list("pk"))
        WorkItem.objects.filter(pk__in=ids).update(open_slots=Greatest(free, 0, output_field=IntegerField()))
