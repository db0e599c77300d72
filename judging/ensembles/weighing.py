"""Weights of a panel's members: their agreement with people on one half of the prompts, so that the other half can
measure the panel.

A prompt's half is drawn by a hash of the panel's seed and the prompt's template, or its own words where it has none:
it stays where it is whatever else comes, and a prompt stands with its translations.
"""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from agreement.figures import Figure
from agreement.panels import weight_of
from judging.ensembles import panel_kind
from judging.models import Panel, PanelMember, PanelRule
from projects.among import Among
from projects.models import Project
from projects.splits import origins


class Weight(NamedTuple):
    """A member's weight, None with the reason where it has none, and on how many it rests."""

    weight: float | None
    n: int
    undefined: str


def is_of_weighing_half(seed: int, origin: str) -> bool:
    """Whether a prompt of this origin (`projects.splits.Origin.template`) weighs the members."""
    digest = hashlib.sha256(f"panel\x1f{seed}\x1f{origin}".encode()).digest()
    return digest[0] < 128


def held_out(panel: Panel) -> frozenset[int]:
    """Ids of the prompts that figures of the panel against people leave out: those that its members were weighed on.

    Empty for a panel whose rule uses no weights. One statement.
    """
    if panel.rule != PanelRule.WEIGHTED:
        return frozenset()
    prompt_origins = origins(panel.project).items()
    return frozenset(pk for pk, origin in prompt_origins if is_of_weighing_half(panel.seed, origin.template))


def held_out_of(project: Project) -> dict[int, frozenset[int]]:
    """`held_out` of every weighted panel of the project, by the id of its rater. One statement where there is none."""
    panels = Panel.objects.filter(project=project, rule=PanelRule.WEIGHTED).select_related("project")
    return {panel.rater_id: held_out(panel) for panel in panels}


def weigh(panel: Panel, prompts: frozenset[int]) -> dict[int, Weight]:
    """The weights of the members as gold says now, by rater id. Writes nothing, and takes its time."""
    raters = list(panel.memberships.order_by("pk").values_list("rater_id", flat=True))
    agreements = panel_kind(panel.kind).agreement(panel.project, raters, prompts)
    return {rater: weight_from(agreements[rater]) for rater in raters}


def store_weights(panel: Panel, weights: Mapping[int, Weight]) -> None:
    if not weights:
        return
    members = list(panel.memberships.filter(rater__in=Among(weights)).order_by("pk"))
    for member in members:
        member.weight, member.weighed_on = weights[member.rater_id].weight, weights[member.rater_id].n
    PanelMember.objects.bulk_update(members, ["weight", "weighed_on"])


def weight_from(agreement: Figure) -> Weight:
    return Weight(weight_of(agreement), agreement.n, agreement.undefined or "")
