"""The steps from texts to gold on a project's front page. Each room registers its own and says how far it is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from projects.models import Project

# Not begun; begun and not finished; nothing left to do now.
OPEN, BEGUN, DONE = "open", "begun", "done"


@dataclass(frozen=True)
class Step:
    position: int
    title: Any  # lazy translation
    url_name: str  # takes the project's slug
    # What is there already, in a sentence, or what the step is about. A few statements at most.
    state: Callable[[Project], tuple[str, str]]  # OPEN, BEGUN or DONE, and the sentence
    is_optional: bool = False  # never what comes next
    area: str = ""  # the preset whose work it belongs to; empty: every project's


@dataclass(slots=True)
class Reached:
    """A step of one project; `is_next` where the lead goes on."""

    step: Step
    state: str
    text: str
    is_next: bool = False


_steps: list[Step] = []


def register(*steps: Step) -> None:
    _steps.extend(steps)
    _steps.sort(key=lambda step: step.position)


def next_steps(project: Project) -> list[Reached]:
    """What can be done now: the step that comes next, and those before it that may be passed over."""
    waiting = [one for one in steps_of(project) if one.state != DONE]
    last = next((place for place, one in enumerate(waiting, start=1) if one.is_next), 0)
    return waiting[:last]


def steps_of(project: Project) -> list[Reached]:
    ours: dict[tuple[str, str], list[Reached]] = {}
    for step in _steps:
        if not step.area or step.area in project.areas:
            ours.setdefault((step.url_name, str(step.title)), []).append(Reached(step, *step.state(project)))
    reached = [as_one(those) for those in ours.values()]
    following = next((one for one in reached if one.state != DONE and not one.step.is_optional), None)
    if following is not None:
        following.is_next = True
    return reached


def as_one(those: list[Reached]) -> Reached:
    """One step that several areas of a project have, where the first of them stands; it says what is left to do."""
    left = [one for one in those if one.state != DONE] or those
    states = {one.state for one in those}
    is_optional = all(one.step.is_optional for one in those)
    step = replace(those[0].step, is_optional=is_optional)
    return Reached(step, states.pop() if len(states) == 1 else BEGUN, left[0].text)
