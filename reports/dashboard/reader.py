"""What the readers of all areas share: who answers, which rows are asked for, and in which state they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from projects.models import Project, Rater, RaterKind
from projects.own_laboratories import laboratory_ids, own_of_panels
from reports.dashboard.columns import positions
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
               each. laboratory  of each, 0 for none. panels  of all.
    chosen     conditions on responses.
    keeps_own  whether answers of judges about models of their own laboratory are read; left_out  whether any was not,
               known once answers were read.
    round      the one round of judges that is read, None for the latest of each; rounds  all that judges have answered
               in, known once their answers were read.
    """

    def __init__(self, project: Project, varieties: Sequence[int], scope: Scope, round: int | None = None):
        self.round, self.rounds = round, set[int]()
        self.keeps_own = self.left_out = False
        self.of_model: dict[int, int] = {}  # target model to laboratory, by id, as far as asked for
        self.project, self.varieties, self.scope = project, list(varieties), scope
        self.chosen: dict[str, Any] = {"project": project, "variety__in": self.varieties}
        names = ("id", "kind", "model", "laboratory_id", "name", "pseudonym", "is_expert")
        raters = list(project.raters.order_by("id").values_list(*names))
        self.panels = Panels.of(project, (row[:4] for row in raters))
        judge = getattr(scope, "judge", "")
        in_scope = [
            (pk, kind == RaterKind.HUMAN, kind == RaterKind.HUMAN and is_expert, laboratory or 0)
            for pk, kind, _model, laboratory, name, pseudonym, is_expert in raters
            if kind == RaterKind.HUMAN or judge in ("", name, pseudonym)
        ]
        self.raters = np.array([pk for pk, *_ in in_scope], dtype=np.int64)
        self.is_human = np.array([human for _, human, *_ in in_scope], dtype=bool)
        self.is_expert = np.array([expert for _, _, expert, _ in in_scope], dtype=bool)
        self.laboratory = np.array([laboratory for *_, laboratory in in_scope], dtype=np.int64)
        # Of several judges as one, the models of a member's laboratory.
        self.of_panels = own_of_panels(project) if self.panels.raters else {}

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

    def may_count(self, rater: Any, *models: Any) -> Any:
        """Which answers are no judge's about a model of its own laboratory, as the project has it by now; such answers
        come with an imported study, and where a model was settled after it was judged. None is left out by `keeps_own`.

        rater, models  ids, of each answer its rater and each target model that it is about.
        """
        counts = np.ones(len(rater), dtype=bool)
        if self.keeps_own or not len(rater) or not (self.laboratory.any() or self.of_panels):
            return counts
        for panel, of_members in self.of_panels.items():
            for model in models:
                counts &= (rater != panel) | ~np.isin(model, np.fromiter(of_members, dtype=np.int64))
        place = positions(self.raters, rater)
        of_rater = np.where(place >= 0, self.laboratory[np.maximum(place, 0)], 0)
        unknown = set(np.unique(np.concatenate(models)).tolist()) - set(self.of_model)
        self.of_model |= laboratory_ids(self.project, unknown) if unknown else {}
        for laboratory in np.unique(of_rater[of_rater > 0]).tolist():
            of_it = np.array([model for model, one in self.of_model.items() if one == laboratory], dtype=np.int64)
            for model in models if len(of_it) else ():
                counts &= (of_rater != laboratory) | ~np.isin(model, of_it)
        self.left_out |= not counts.all()
        return counts

    def with_own(self, load: Callable[..., Any]) -> Any:
        """What `load` reads with the answers that `may_count` left out; None where there were none."""
        if not self.left_out or self.round is not None:
            return None
        return load(self.project, self.varieties, self.scope, keep_own=True)

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
