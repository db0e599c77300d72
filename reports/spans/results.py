"""What tables are written from: figures by group and setting, and whom and what their keys stand for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Recipe
from annotation.settlement import review_rules
from projects.models import Project
from reports.dashboard.cache import code_version
from reports.dashboard.draws import INTERVAL, SEED
from reports.dashboard.figures import TOTAL
from reports.dashboard.names import (
    RaterName,
    SettingName,
    asked_by,
    marks_of,
    models_named,
    prompts_named,
    raters_named,
    settings_named,
    weighed_extras,
)
from reports.spans.groups import PEOPLE, Category, Context
from reports.spans.loading import SEGMENTATIONS

# Groups of tables that no judge's answer goes into.
OF_PEOPLE_ALONE = frozenset({"coding"})


@dataclass(frozen=True)
class Names:
    """Labels of everything that figures refer to by id. Part of what a finished table is kept under."""

    settings: tuple[SettingName, ...]
    raters: Mapping[int, RaterName]
    models: Mapping[int, str]
    categories: tuple[Category, ...]
    is_generated: bool
    policy: str
    prompts: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, project: Project, context: Context, varieties: list[int]) -> "Names":
        return cls(
            settings_named(varieties),
            raters_named(project),
            models_named(project),
            context.categories,
            project.is_generated,
            str(review_rules([project.pk])[project.pk].policy),
            prompts_named(project, "spans"),
        )


@dataclass(frozen=True)
class Results:
    """`figures[group][setting id or TOTAL]`; `snapshots[group]` names the state of the answers they rest on."""

    context: Context
    names: Names
    figures: Mapping[str, Mapping[int, Mapping[str, Any]]]
    snapshots: Mapping[str, str]

    @property
    def policy(self) -> str:
        return self.names.policy

    def total(self, group: str) -> Mapping[str, Any]:
        return self.figures[group][TOTAL]

    def pools(self, group: str) -> Iterator[tuple[str, dict[str, str], Mapping[str, Any]]]:
        """Label, drill filters and figures of each setting, and of all where there are several."""
        for setting in self.names.settings:
            yield setting.label, {"variety": setting.tag}, self.figures[group][setting.id]
        if len(self.names.settings) > 1:
            yield _("All settings"), {}, self.total(group)

    def detector(self, detector: int) -> str:
        return _("People") if detector == PEOPLE else self.names.raters[detector].label

    def drill(self, detector: int) -> dict[str, str]:
        if detector == PEOPLE:
            return {"detector": "human"}
        return {"rater": self.names.raters[detector].pseudonym}

    def marks(self, *detectors: int) -> tuple[str, ...]:
        """What must be said beside figures of these detectors."""
        return marks_of(self.names.raters, detectors, self.names.is_generated)

    def recipe(self, group: str, metric: str, *, gold: bool = False, drawn: bool = False, **settings: Any) -> Recipe:
        """The recipe of a table of this group; `drawn` where intervals come from a bootstrap."""
        total = self.total(group)
        cut = sorted({SEGMENTATIONS[setting.segmentation] for setting in self.names.settings})
        return Recipe(
            metric=metric,
            n_items=total.get("responses", 0),
            n_raters=total.get("people", 0) + total.get("judges", 0),
            settings={"words": cut, **settings},
            gold_rule=GOLD_RULE.format(policy=self.policy) if gold else "",
            filters=self.context.scope.filters,
            seed=SEED if drawn else None,
            code_version=code_version(),
            data_snapshot=self.snapshots[group],
            extras=({"interval": INTERVAL} if drawn else {})
            | ({} if group in OF_PEOPLE_ALONE else asked_by(self.names.prompts))
            | (weighed_extras(self.names.raters) if gold else {}),
        )


GOLD_RULE = "errors kept by people's reviews, policy {policy}; responses where no person's span is open or pending"
