"""Panels of judges: several judges' answers combined into one. The registry of the kinds of answers, a file each.

A kind says which judges can be members, how their answers are combined, what the panel has answered so far, and how
its answers are stored. What is common to all (weights, batches, locking, counting) is in `assembling` and `weighing`.
A panel asks no model: it combines answers that are stored.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from django.db.models import Count, Max, Model, QuerySet

from agreement.figures import Figure
from judging.models import Panel, PanelRule
from projects.among import Among
from projects.models import Project, Rater
from providers.laboratories import Guard

# Why a panel has no answer where some of its members have one.
TIE, TOO_FEW, NOT_READY = "ties", "too_few", "not_ready"
BATCH = 400  # responses or pairs at a time: far below the number of parameters a statement may carry


# A target model by its name and the slug of its laboratory, as the guard looks at it.
Author = tuple[str, str]


class Member(NamedTuple):
    """A judge of a panel, as it votes. `weight` is 1 where the rule uses no weights."""

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
class VotingPanel:
    """A panel with those of its members that vote, in the order of their pseudonyms. `member_count` is of all."""

    panel: Panel
    members: tuple[Member, ...]
    member_count: int
    # Ids of the prompts on which the members were weighed; empty where the rule uses no weights.
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

    def eligible(self, authors: Collection[Author]) -> list[Member]:
        """The members that may judge what these authors wrote."""
        return [member for member in self.members if member.may_judge(authors)]

    def provenance(
        self, voting: Sequence[tuple[Member, Any]], eligible: Sequence[Member], prompt: int, **details: Any
    ) -> dict[str, Any]:
        """What an answer says of how it came about: the members whose answers were used, each with the `round` of its
        answer, how many there are in all, and how many are not eligible, because of the response's laboratory.
        """
        weighs = self.rule == PanelRule.WEIGHTED
        used = [
            {
                "rater": member.pseudonym,
                "name": member.name,
                "model": member.model,
                "laboratory": member.laboratory,
                "round": answer.round,
                **({"weight": member.weight} if weighs else {}),
            }
            for member, answer in voting
        ]
        own_laboratory = len(self.members) - len(eligible)
        provenance = {
            "rule": str(self.rule),
            "members": used,
            "of": self.member_count,
            "own_laboratory": own_laboratory,
        }
        provenance |= {"least_members": self.panel.least_members}
        if weighs:
            provenance |= {"seed": self.panel.seed, "is_of_weighing_half": prompt in self.weighed}
        return {"panel": {**provenance, **details}}


@dataclass
class PanelAnswers:
    """What a panel answers on one batch: answers by their key, and counts of answers and of reasons for none."""

    by_key: dict[Hashable, "Answer"] = field(default_factory=dict)
    counts: Counter = field(default_factory=Counter)
    # Up to a few dozen items without an answer, as (what became of it, key of the response or pair).
    undecided: list[tuple[str, str]] = field(default_factory=list)

    def add(self, key: Hashable, answer: "Answer") -> None:
        self.counts["answers"] += 1
        self.by_key[key] = answer

    def leave_undecided(self, reason: str, key: str) -> None:
        self.counts[reason] += 1
        self.undecided.append((reason, key))


class Answer(NamedTuple):
    """An answer to be stored (`data`), and what makes it what it is: one that stands with the same is left alone."""

    content: Any
    data: Any


class StoredAnswer(NamedTuple):
    """An answer that the panel has given: its row's id and what makes it what it is."""

    pk: int
    content: Any


class PanelKind(ABC):
    """A kind of answers that panels give."""

    kind: ClassVar[str]
    name: ClassVar[Any]  # lazy translation
    judge_kinds: ClassVar[tuple[str, ...]]
    # The agreement that weighs a member, as a recipe names it: lazy translation.
    weighed_by: ClassVar[Any]
    # The rows that answers of this kind are.
    model: ClassVar[type[Model]]

    @abstractmethod
    def by_judges(self, project: Project) -> QuerySet[Any]:
        """The project's answers of this kind that judges gave."""

    def answering(self, project: Project) -> set[int]:
        """Ids of the project's judges that have answers of this kind. One statement."""
        return set(self.by_judges(project).order_by().values_list("rater_id", flat=True).distinct())

    def state(self, raters: Collection[int]) -> dict[str, list[int]]:
        """By rater id how many answers there are and the last one's id: another state, another set of answers."""
        rows = self.model._default_manager.filter(rater__in=raters).order_by().values_list("rater_id")
        return {str(rater): [n, last] for rater, n, last in rows.annotate(n=Count("pk"), last=Max("pk"))}

    @abstractmethod
    def gold_state(self, project: Project) -> list[int]:
        """The same of people's answers, which weights rest on."""

    @abstractmethod
    def batches(self, raters: Collection[int]) -> Iterator[Any]:
        """Everything that any of these raters has answered, some hundreds of responses or pairs at a time."""

    @abstractmethod
    def read(self, voting_panel: VotingPanel, batch: Any, hold: bool = False) -> Any:
        """Everything of a batch that its answers are made of; equal to what is read another time where nothing of it
        has changed. The statements do not grow with the batch. `hold` takes the locks that keep it from changing until
        the caller's transaction has ended, where the kind has such."""

    @abstractmethod
    def decide(self, voting_panel: VotingPanel, batch: Any, inputs: Any) -> PanelAnswers:
        """What the members' answers come to. No statements, for it may take its time."""

    @abstractmethod
    def stored(self, rater: Rater, batch: Any) -> Mapping[Hashable, StoredAnswer]:
        """The panel's own answers in the batch, by their key."""

    def withdraw(self, ids: Collection[int]) -> set[int]:
        """Delete these answers of the panel; return those that stay because people have worked on them."""
        self.model._default_manager.filter(pk__in=Among(ids)).delete()
        return set()

    @abstractmethod
    def store(self, data: Sequence[Any], changed: Collection[Hashable]) -> None:
        """Write answers through the one storing function of their kind; `changed` are all keys that differ now."""

    @abstractmethod
    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """Each rater's agreement with people on these prompts, by the recipe `weighed_by` names."""


def count_and_last(rows: QuerySet[Any]) -> list[int]:
    """How many rows there are and the last one's id, 0 where there is none: changed rows, another list."""
    totals = rows.aggregate(n=Count("pk"), last=Max("pk"))
    return [totals["n"], totals["last"] or 0]


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
