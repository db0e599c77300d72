"""Which rules the answers of a stage are held to, and how they change: by a next version once answers rest on them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from formats.answer_rules import plain_rules
from projects.audit import record
from projects.models import Project, User
from projects.problems import Problem
from workflow.models import Assignment, Stage, StageRules, Status
from workflow.task_types import task_type


def own_rules(stage: Stage) -> StageRules | None:
    """The version that holds, None where the stage goes by those of its kind."""
    return StageRules.objects.filter(stage=stage).order_by("-number").first()


def rules_of(stage: Stage) -> list[dict[str, Any]]:
    """As they are read now: words that a rule names may have others in their place since."""
    version, kind = own_rules(stage), task_type(stage.kind)
    return kind.rules_now(stage, plain_rules(version.rules if version else kind.default_rules or ()))


def rules_of_imports(project: Project, kind: str) -> list[dict[str, Any]]:
    """What answers of people that come in a file are held to: the rules of the project's first stage of that kind,
    where it has its own. Those of the kind are for who answers here: published studies asked by other rules."""
    first = project.stages.filter(kind=kind).order_by("position", "pk").first()
    version = own_rules(first) if first else None
    return task_type(kind).rules_now(first, plain_rules(version.rules)) if first and version else []


def change_rules(stage: Stage, rules: Sequence[Mapping[str, Any]], actor: User | None = None) -> StageRules | None:
    """Hold answers to these rules from now on; None where they are as they were.

    What answers were handed in by stays readable under its number: the rules of the kind as number 1.
    """
    with transaction.atomic():
        Stage.objects.select_for_update().get(pk=stage.pk)
        wanted, before, version = plain_rules(rules), rules_of(stage), own_rules(stage)
        if wanted == before:
            return None
        number = 1 if version is None else version.number
        if _answers(stage, version):
            version = StageRules(stage=stage, number=number + 1)
        version = version or StageRules(stage=stage, number=number)
        version.rules, version.made_at = wanted, timezone.now()
        version.save()
        record("stage.rules", actor=actor, project=stage.project, subject=stage.name, rules=[before, wanted])
    return version


def _answers(stage: Stage, version: StageRules | None) -> bool:
    """Whether any was handed in while this version held."""
    handed_in = Assignment.objects.filter(stage=stage, status=Status.SUBMITTED)
    return (handed_in if version is None else handed_in.filter(submitted_at__gte=version.made_at)).exists()


def warnings_of(assignment: Assignment) -> list[Problem]:
    """What the rules find fault with in a stored answer and let pass."""
    kind = task_type(assignment.stage.kind)
    if kind.default_rules is None or not any(rule.get("warns") for rule in rules_of(assignment.stage)):
        return []
    return kind.warnings(assignment, kind.stored(assignment))
