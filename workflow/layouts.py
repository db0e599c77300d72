"""The layout of a stage: what its screen shows and asks (formats/layout.py), and how it may still change."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from formats.layout import FIELDS, Asked, Shown, asked_of, plain_parts, refuse_together, type_of
from formats.project_file.part import Findings
from projects.audit import record
from projects.models import Project, User
from projects.opening import open_areas
from workflow.models import Stage
from workflow.task_types import task_type, task_types

#: What may be said otherwise once it was answered: words, whether it may be left open, and what answers come to.
WORDING = frozenset({"optional", "help", "ends", "gold"})
#: Of work with marks, where it says nothing else.
WITH_MARKS = (str(Shown.PROMPT), str(Shown.RESPONSE))


def parts_of(stage: Stage) -> list[Asked]:
    """What the stage asks, in order."""
    return asked_of(stage.ask)


def stages_with_parts(project: Project | int) -> list[Stage]:
    """The stages that ask parts, in their order: questionnaires, and marking with parts beside its marks."""
    stages = Stage.objects.filter(project=project).exclude(ask=[]).order_by("position", "pk")
    return [stage for stage in stages if parts_of(stage)]


def shown_by(kind: str, show: Sequence[str] | None, ask: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """What a stage of this kind shows that says this: marking with parts beside its marks shows prompt and response
    where it says nothing."""
    return list(show or (WITH_MARKS if ask and task_type(kind).has_marks else ()))


def refuse_layouts(project: Project, stages: Sequence[Mapping[str, Any]], findings: Findings) -> None:
    """Say what is wrong with the layouts of these entries of the project file, also beside what was answered."""
    if not any(entry.get("show") or entry.get("ask") for entry in stages) and not _layouts_of(project):
        return
    there = _layouts_of(project)
    for index, entry in enumerate(stages):
        place = f"stages[{index}]."
        ask = entry.get("ask") or []
        show = shown_by(entry["kind"], entry.get("show"), ask)
        if not task_type(entry["kind"]).takes_layout:
            for field in ("show", "ask"):
                if entry.get(field):
                    message = _("What work of this kind shows and asks is fixed. “questionnaire” is of parts.")
                    findings.refuse(f"{place}{field}", "not_with_kind", message)
            continue
        refuse_together(show, ask, place, findings, task_type(entry["kind"]).has_marks)
        if stage := there.get(entry["name"]):
            _refuse_changes(stage, show, plain_parts(ask), place, findings)


def _layouts_of(project: Project) -> dict[str, Stage]:
    """By name the stages that show and ask something; marking shows prompt and response though it says nothing."""
    stages = {stage.name: stage for stage in project.stages.all()}
    return {name: one for name, one in stages.items() if one.show or one.ask or task_type(one.kind).has_marks}


def _refuse_changes(
    stage: Stage, show: Sequence[str], ask: Sequence[Mapping[str, Any]], place: str, findings: Findings
) -> None:
    """What is shown stays once there are items; a part that was asked stays with what can be answered."""
    in_use = _("Answers rest on this, so it stays as it is. Add another one beside it for what is new.")
    unsaid = WITH_MARKS if task_type(stage.kind).has_marks else ()
    if list(show or unsaid) != list(stage.show or unsaid) and stage.items.exists():
        findings.refuse(f"{place}show", "in_use", in_use)
    # What is said of marks is words alone: they are asked for anyway.
    asked = [part for part in plain_parts(stage.ask) if "key" in part]
    if not asked or not task_type(stage.kind).is_answered(stage):
        return
    wanted = {part.get("key"): (at, part) for at, part in enumerate(ask)}
    for before in asked:
        at, after = wanted.get(before["key"], (None, None))
        if after is None:
            message = _("“%(name)s” is missing here, and answers or texts rest on it: it cannot be taken away.")
            findings.refuse(f"{place}ask", "in_use", message % {"name": before["key"]})
        elif _is_otherwise(before, after):
            findings.refuse(f"{place}ask[{at}]", "in_use", in_use)


def _is_otherwise(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether an answer to the one might be none to the other. Further answers can be offered, and the question can be
    worded anew."""
    kind = type_of(before)
    if type_of(after) != kind or set(before.get("of", ())) - set(after.get("of", ())):
        return True
    same = set(FIELDS) - WORDING - {"of", kind}
    return any(before.get(field) != after.get(field) for field in same)


def areas_of_parts() -> list[str]:
    """The areas whose pages show what people answer to parts."""
    return [kind.area for kind in task_types().values() if kind.takes_layout and not kind.has_marks]


def change_layout(stage: Stage, show: Sequence[str], ask: Sequence[Mapping[str, Any]], actor: User | None) -> bool:
    """Show and ask this from now on; false where it is as it was. The audit log keeps what stood before."""
    after = {"show": shown_by(stage.kind, show, ask), "ask": plain_parts(ask)}
    with transaction.atomic():
        stage = Stage.objects.select_for_update().get(pk=stage.pk)
        before = {"show": stage.show, "ask": plain_parts(stage.ask)}
        if before == after:
            return False
        stage.show, stage.ask = after["show"], after["ask"]
        stage.save(update_fields=["show", "ask"])
        if parts_of(stage):
            open_areas(stage.project, areas_of_parts())
        record("stage.layout", actor=actor, project=stage.project, subject=stage.name, layout=[before, after])
    return True
