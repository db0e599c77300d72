"""Panels: the registry of what kinds of answers several judges can give as one, a small file each.

A kind says which judges can sit on a panel, what their answers come to, what the panel has answered so far, and how
the two are brought together. What is common to all (weights, batches, locking, counting) is in `assembling` and
`weighing`. A panel is shown nothing and asks nothing: it is made of answers that stand.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from agreement.figures import Figure
from judging.models import Panel, PanelRule
from projects.models import Project, Rater
from providers.laboratories import Guard

# Why a panel has no answer where some of its members have one.
TIE, TOO_FEW, NOT_READY = "ties", "too_few", "not_ready"
BATCH = 400  # responses or pairs at a time: far below the number of parameters a statement may carry


# A target model by its name and the slug of its laboratory, as the guard looks at it.
Author = tuple[str, str]


class Member(NamedTuple):
    """A judge of a panel, as it votes. `weight` is 1 where the rule weighs nobody."""

    rater: int
    pseudonym: str
    name: str
    model: str
    laboratory: str
    weight: float
    guard: Guard

    def may_judge(self, authors: Collection[Author]) -> bool:
        """Whether its own laboratory is behind none of these, by the guard that runs are held to."""
        return not self.laboratory or not any(self.guard.forbids(model, maker) for model, maker in authors)


@dataclass(frozen=True)
class Bench:
    """A panel with those of its members who vote, in the order of their pseudonyms."""

    panel: Panel
    members: tuple[Member, ...]
    in_all: int
    # Ids of the prompts on which the members were weighed; empty where the rule weighs nobody.
    weighed: frozenset[int] = frozenset()

    @property
    def rater(self) -> Rater:
        return self.panel.rater

    @property
    def rule(self) -> str:
        return self.panel.rule

    @property
    def by_id(self) -> dict[int, Member]:
        return {member.rater: member for member in self.members}

    def is_enough(self, voting: Collection[Any]) -> bool:
        return len(voting) >= self.panel.least_members

    def seated(self, authors: Collection[Author]) -> list[Member]:
        """The members who may judge what these wrote."""
        return [member for member in self.members if member.may_judge(authors)]

    def provenance(self, voting: Sequence[tuple[Member, int]], own: int, prompt: int, **more: Any) -> dict[str, Any]:
        """What an answer says of how it came about: the members whose answers were used, each with the round of its
        answer, and how many there are in all; `own` of them come from the response's laboratory.
        """
        weighs = self.rule == PanelRule.WEIGHTED
        used = [
            {
                "rater": member.pseudonym,
                "name": member.name,
                "model": member.model,
                "laboratory": member.laboratory,
                "round": round,
                **({"weight": member.weight} if weighs else {}),
            }
            for member, round in voting
        ]
        said = {"rule": str(self.rule), "members": used, "of": self.in_all, "own_laboratory": own}
        said |= {"least_members": self.panel.least_members}
        if weighs:
            said |= {"seed": self.panel.seed, "is_of_weighing_half": prompt in self.weighed}
        return {"panel": {**said, **more}}


@dataclass
class Made:
    """What a panel answers on one batch: answers by their key, and why there is none, counted."""

    answers: dict[Hashable, "Answer"] = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)
    # Up to a few dozen items without an answer, as (what became of it, key of the response or pair).
    undecided: list[tuple[str, str]] = field(default_factory=list)

    def without(self, reason: str, key: str) -> None:
        self.counts[reason] += 1
        self.undecided.append((reason, key))


class Answer(NamedTuple):
    """An answer to be stored (`data`), and what makes it what it is: one that stands with the same is left alone."""

    content: Any
    data: Any


class Standing(NamedTuple):
    """An answer that the panel has given: its row's id and what makes it what it is."""

    pk: int
    content: Any


class PanelKind(Protocol):
    kind: str
    name: Any  # lazy translation
    judge_kinds: tuple[str, ...]
    # The agreement that weighs a member, as a recipe names it: lazy translation.
    weighed_by: Any

    def answering(self, project: Project) -> set[int]:
        """Ids of the project's raters that have answers of this kind. One statement or two."""

    def state(self, raters: Collection[int]) -> dict[str, list[int]]:
        """By rater id how many answers there are and the last one's id: another state, another set of answers."""

    def gold_state(self, project: Project) -> list[int]:
        """The same of what people say, which weights rest on."""

    def batches(self, raters: Collection[int]) -> Iterator[Any]:
        """Everything that any of these raters has answered, some hundreds of responses or pairs at a time."""

    def read(self, bench: Bench, batch: Any, hold: bool = False) -> Any:
        """Everything of a batch that its answers are made of; equal to what is read another time where nothing of it
        has changed. The statements do not grow with the batch. `hold` takes the locks that keep it from changing until
        the caller's transaction has ended, where the kind has such."""

    def made(self, bench: Bench, batch: Any, read: Any) -> Made:
        """What the members' answers come to. No statements, for it may take its time."""

    def standing(self, rater: Rater, batch: Any) -> Mapping[Hashable, Standing]:
        """The panel's own answers in the batch, by their key."""

    def withdraw(self, ids: Collection[int]) -> set[int]:
        """Delete these answers of the panel; return those that stay because people have worked on them."""

    def store(self, data: Sequence[Any], changed: Collection[Hashable]) -> None:
        """Write answers through the one storing function of their kind; `changed` are all keys that differ now."""

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Each rater's agreement with people on these prompts, by the recipe `weighed_by` names."""


_registry: dict[str, PanelKind] = {}


def register(kind: PanelKind) -> None:
    if kind.kind in _registry:
        raise ValueError(f"panel kind {kind.kind!r} is registered twice")
    _registry[kind.kind] = kind


def panel_kind(name: str) -> PanelKind:
    return _registry[name]


def panel_kinds() -> dict[str, PanelKind]:
    return dict(_registry)


def in_batches(ids: Collection[int], size: int = BATCH) -> Iterator[list[int]]:
    ordered = sorted(ids)
    for position in range(0, len(ordered), size):
        yield ordered[position : position + size]
