"""What has to be settled about a prompt before any model's response to it is collected, as each kind of study has it.

An area declares its gate in `reports/<area>/area.py`. A project of no area with a gate (error spans, ratings) asks its
prompts as they are. The database holds the same (the trigger `collection_after_freeze` of the room `judging`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, Q

from projects.models import Project
from projects.validation import not_validated


@dataclass(frozen=True, kw_only=True)
class CollectingGate:
    """Prompts wait until `is_passed`, a condition on a row of Prompt, holds.

    It stands in every project that shows the area or began with it; where none does, in one that `has_begun` such work
    all the same. Of several gates a prompt passes any. `address` is the page on which a lead settles it; the texts say
    so to people, the one that ends in `_of_command` on the command line.
    """

    area: str
    is_passed: Callable[[], Exists]
    has_begun: Callable[[Project], bool]
    address: str
    lead: Any
    ready: Any
    left_out: Any
    nothing_ready: Any
    no_prompts: Any
    refused: Any
    left_out_of_command: str


_gates: dict[str, CollectingGate] = {}


def register(gate: CollectingGate) -> None:
    _gates[gate.area] = gate


def gates() -> dict[str, CollectingGate]:
    """Every gate that is declared, by its area."""
    return dict(_gates)


def gates_of(project: Project) -> list[CollectingGate]:
    """The gates that stand in a project, that of what it began with first."""
    shown = {project.preset, *project.areas}
    standing = [gate for gate in _gates.values() if gate.area in shown]
    standing = standing or [gate for gate in _gates.values() if gate.has_begun(project)]
    return sorted(standing, key=lambda gate: gate.area != project.preset)


def gate_of(project: Project) -> CollectingGate | None:
    """The gate whose words a project's pages use; None where nothing has to be settled first."""
    return next(iter(gates_of(project)), None)


def passed(project: Project) -> ExpressionWrapper:
    """Whether a row of Prompt may be asked in a project: a condition to filter by, and a column. What the project asks
    for validation waits as what a gate holds does."""
    condition: Any = Q(pk__isnull=False)
    for place, gate in enumerate(gates_of(project)):
        condition = gate.is_passed() if not place else condition | gate.is_passed()
    if project.only_validated_prompts:
        condition = ExpressionWrapper(condition, output_field=BooleanField())
        condition = Q(condition) & ~not_validated()
    return ExpressionWrapper(condition, output_field=BooleanField())
