"""What the readers of all areas share: who answers, which rows are asked for, and in which state they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from projects.models import Project, Rater, RaterKind
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.panels import Panels
from reports.dashboard.project_contents import varieties_with_responses
from reports.dashboard.scope import Scope


class Reader(Protocol):
    """`reader.py` of an area."""

    def fingerprints(self, project: Project) -> Mapping[int, Mapping[str, str]]:
        """Variety id to the fingerprint of each part of the answers, for every variety with answers to speak of."""

    def load(self, project: Project, varieties: Sequence[int], scope: Any) -> Any:
        """The answers in these varieties (ids), as far as the scope takes them in."""


@dataclass(frozen=True)
class PlainReader:
    """A reader of answers whose parts are told by revisions alone.

    load   the answers in varieties, from project, ids of varieties and scope.
    parts  by name of the part, the revisions that tell of it (reports/dashboard/freshness/measured.py).
    """

    load: Callable[[Project, Sequence[int], Any], Any]
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"responses": ("responses",)})

    def fingerprints(self, project: Project) -> dict[int, dict[str, str]]:
        return fingerprints_of(project, self.parts, {})


class Reading:
    """One reading of a project's answers. Rows are joined to responses by the project and variety, never by long lists
    of ids.

    raters     ids of people, and of the judges that the scope keeps, ascending; shape (N,). is_human, is_expert  of
               each. panels  of all.
    chosen     conditions on responses.
    round      the one round of judges that is read, None for the latest of each; rounds  all that judges have answered
               in, known once their answers were read.
    """

    def __init__(self, project: Project, varieties: Sequence[int], scope: Scope, round: int | None = None):
        self.round, self.rounds = round, set[int]()
        self.project, self.varieties, self.scope = project, list(varieties), scope
        self.chosen: dict[str, Any] = {"project": project, "variety__in": self.varieties}
        names = ("id", "kind", "model", "laboratory_id", "name", "pseudonym", "is_expert")
        raters = list(project.raters.order_by("id").values_list(*names))
        self.panels = Panels.of(project, (row[:4] for row in raters))
        judge = getattr(scope, "judge", "")
        in_scope = [
            (pk, kind == RaterKind.HUMAN, kind == RaterKind.HUMAN and is_expert)
            for pk, kind, _model, _laboratory, name, pseudonym, is_expert in raters
            if kind == RaterKind.HUMAN or judge in ("", name, pseudonym)
        ]
        self.raters = np.array([pk for pk, *_ in in_scope], dtype=np.int64)
        self.is_human = np.array([human for _, human, _ in in_scope], dtype=bool)
        self.is_expert = np.array([expert for *_, expert in in_scope], dtype=bool)

    def variety_of_rater(self) -> dict[int, int]:
        """The one variety each person speaks; 0 for several or none."""
        rows = Rater.varieties.through.objects.filter(rater__project=self.project, rater__kind=RaterKind.HUMAN)
        varieties = dict.fromkeys(self.raters[self.is_human].tolist(), 0)
        several: set[int] = set()
        for rater, variety in rows.order_by("rater_id", "languagevariety_id").values_list(
            "rater_id", "languagevariety_id"
        ):
            if varieties[rater]:
                several.add(rater)
            varieties[rater] = variety
        return varieties | dict.fromkeys(several, 0)

    def of_the_round(self, is_human: Any, turn: Any) -> Any:
        """Which answers are read, of these by people or judges in these rounds; of people all."""
        self.rounds |= set(np.unique(turn[~is_human]).tolist())
        return np.ones(len(turn), dtype=bool) if self.round is None else is_human | (turn == self.round)

    def each_round(self, load: Callable[..., Any]) -> dict[int, Any]:
        """By round what `load` reads of it alone; empty where no judge has answered in two, and of a round itself."""
        if self.round is not None or len(self.rounds) < 2:
            return {}
        return {one: load(self.project, self.varieties, self.scope, round=one) for one in sorted(self.rounds)}

    def within(self, path: str) -> dict[str, Any]:
        """The conditions on responses, for rows that `path` leads from."""
        return {f"{path}__{name}": value for name, value in self.chosen.items()}


def fingerprints_of(
    project: Project,
    parts: Mapping[str, tuple[str, ...]],
    shared: Mapping[str, Any],
    varieties: Any = varieties_with_responses,
) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each part, which changes with every write of a row that it covers alone.

    parts   by name of the part, the revisions that tell of it. shared  what all varieties of the project share, by
            value. varieties  gives the ids of those with answers to speak of.
    """
    state = revisions(project)
    return {
        variety: {part: digest([state.of(*names, variety=variety), shared.get(part)]) for part, names in parts.items()}
        for variety in varieties(project, state)
    }
