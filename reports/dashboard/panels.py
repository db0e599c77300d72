"""Panels in figures: several judges as one are shown beside judges, and never counted as one more of them.

What a panel says is made of what its members say, so where judges are put together its answers would count theirs
twice. And a panel whose members were weighed by their agreement with people is compared with people on the other half
of the prompts alone: its answers on the half that weighed them are not loaded.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judging.ensembles.weighing import held_out_of
from judging.models import Panel, PanelRule
from projects.models import Project, is_panel

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Panels:
    """The panels of a project by the id of their rater, and of the weighted ones the prompts they are not shown on."""

    raters: frozenset[int]
    held_out: Mapping[int, frozenset[int]]

    @classmethod
    def of(cls, project: Project, raters: Iterable[tuple[int, str, str, Any]]) -> "Panels":
        """Of these raters (id, kind, model, laboratory). Asks the database nothing where none is a panel."""
        panels = frozenset(pk for pk, kind, model, laboratory in raters if is_panel(kind, model, laboratory))
        return cls(panels, held_out_of(project) if panels else {})

    def shown(self, rater: Integers, prompt: Integers) -> Flags:
        """Which answers count: all but those of weighted panels on prompts that weighed their members; (A,) each."""
        is_shown = np.ones(len(rater), dtype=bool)
        for panel, prompts in self.held_out.items():
            is_shown &= ~((rater == panel) & np.isin(prompt, np.fromiter(prompts, dtype=np.int64, count=len(prompts))))
        return is_shown


def weighed_panels(project: Project) -> frozenset[int]:
    """Ids of raters that are panels whose members were weighed."""
    panels = Panel.objects.filter(project=project, rule=PanelRule.WEIGHTED)
    return frozenset(panels.values_list("rater_id", flat=True))
