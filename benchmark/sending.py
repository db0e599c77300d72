"""What is sent with every prompt to a model that is asked as a configuration, and who asks it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmark.models import Configuration, ConfigurationKind
from projects.models import Project, TargetModel


def parameters_of(configuration: Configuration) -> dict[str, Any]:
    """As a target model's parameters are kept: those of the interface, with `system` for the message before the prompt.

    What a configuration says nothing of is not sent.
    """
    said = {
        **configuration.sampling,
        "system": configuration.system_prompt,
        "max_tokens": configuration.token_limit,
        "reasoning_effort": configuration.thinking_effort,
    }
    return {name: value for name, value in said.items() if value not in (None, "")}


def is_asked(configuration: Configuration) -> bool:
    """Baselines and anchors are written, not asked."""
    return configuration.kind == ConfigurationKind.MODEL


@dataclass(frozen=True, slots=True)
class Collector:
    """A target model of a project and how its answers are come by.

    `through` names provider and model, "" where people paste its answers; `address` is its page. `parameters` are set
    at it and hold where no configuration says otherwise. `has_asked`: answers have come, or are on their way.
    """

    target_model: TargetModel
    through: str
    address: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    has_asked: bool = False


#: Rooms above this one that ask models; each names the collectors of a project, all or those of one target model.
_collectors: list[Callable[[Project, TargetModel | None], Iterable[Collector]]] = []


def register_collectors(collectors: Callable[[Project, TargetModel | None], Iterable[Collector]]) -> None:
    _collectors.append(collectors)


def collectors_of(project: Project, target_model: TargetModel | None = None) -> dict[int, Collector]:
    """By the id of their target model."""
    found = (each for collectors in _collectors for each in collectors(project, target_model))
    return {each.target_model.pk: each for each in found}
