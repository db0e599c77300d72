"""What the pages and the API say of panels: the list in a few statements, and one panel with its members."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from judging.ensembles import NOT_READY, TIE, TOO_FEW, panel_kind, panel_kinds
from judging.models import Panel, PanelMember, PanelRule
from projects.models import Project


@dataclass
class PanelSummary:
    """A panel with what became of its last assembly."""

    panel: Panel
    members: list[PanelMember]
    is_out_of_date: bool
    answers: int = 0
    ties: int = 0
    too_few: int = 0
    not_ready: int = 0
    kept: int = 0
    undecided: list[tuple[str, str]] = field(default_factory=list)

    @property
    def kind_name(self) -> str:
        return str(panel_kind(self.panel.kind).name)

    @property
    def is_weighed(self) -> bool:
        return self.panel.rule == PanelRule.WEIGHTED

    @property
    def without_answer(self) -> int:
        return self.ties + self.too_few + self.not_ready

    @property
    def weighed_by(self) -> str:
        return str(panel_kind(self.panel.kind).weighed_by)

    def reason_without_weight(self, member: PanelMember) -> str:
        """Why a member that was weighed has no weight, as agreement names it; empty where it has one."""
        return self.panel.options.get("unweighed", {}).get(str(member.rater_id), "")


def summaries(project: Project) -> list[PanelSummary]:
    """The panels of a project by name. The statements grow with the kinds of answers alone."""
    panels = list(project.panels.select_related("rater", "project").prefetch_related("memberships__rater__laboratory"))
    now = states_of(project, panels)
    return [summary(panel, now) for panel in panels]


def summary_of(panel: Panel) -> PanelSummary:
    return summary(panel, states_of(panel.project, [panel]))


def is_out_of_date(panel: Panel) -> bool:
    """Whether members have answered since the panel was assembled (or people, where they weigh the members)."""
    return summary_of(panel).is_out_of_date


def states_of(project: Project, panels: Sequence[Panel]) -> dict[str, Any]:
    """By kind of answers, what all members of its panels have answered by now, and what people have."""
    states: dict[str, Any] = {}
    for name, kind in panel_kinds().items():
        of_kind = [panel for panel in panels if panel.kind == name]
        if of_kind:
            raters = {member.rater_id for panel in of_kind for member in panel.memberships.all()}
            weighs = any(panel.rule == PanelRule.WEIGHTED for panel in of_kind)
            states[name] = (kind.state(raters), kind.gold_state(project) if weighs else [])
    return states


def summary(panel: Panel, now: dict[str, Any]) -> PanelSummary:
    members = sorted(panel.memberships.all(), key=lambda member: member.rater.name)
    answers, gold = now[panel.kind]
    member_ids = {str(member.rater_id) for member in members}
    state = {
        "answers": {rater: counts for rater, counts in answers.items() if rater in member_ids},
        "gold": gold if panel.rule == PanelRule.WEIGHTED else [],
    }
    outcome = panel.options.get("assembled", {})
    counts = Counter(outcome.get("counts", {}))
    return PanelSummary(
        panel,
        members,
        panel.options.get("state") != state or bool(panel.options.get("assembling")),
        counts["answers"],
        counts[TIE],
        counts[TOO_FEW],
        counts[NOT_READY],
        counts["kept"],
        [(reason, key) for reason, key in outcome.get("undecided", [])],
    )
