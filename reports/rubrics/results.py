"""What tables are written from: figures by group and setting, and whom and what their keys stand for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from projects.models import LanguageVariety, Project
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
from reports.rubrics.groups import ALL, PEOPLE, Context
from reports.rubrics.scope import DOMAINS
from rubrics.models import Scope as Domain

HUMAN_SCORE = "the first grading under the newest frozen version of the rubric"


# Groups of tables that no judge's answer goes into.
OF_PEOPLE_ALONE = frozenset({"scores", "failures", "severity"})


@dataclass(frozen=True)
class Names:
    """Labels of everything that figures refer to by id. Part of what a finished table is kept under."""

    settings: tuple[SettingName, ...]
    raters: Mapping[int, RaterName]
    models: Mapping[int, str]
    # Varieties that people speak, by id: also those that no response of the scope is in.
    spoken: Mapping[int, str]
    is_generated: bool
    prompts: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, project: Project, varieties: list[int]) -> "Names":
        spoken = LanguageVariety.objects.filter(raters__project=project).order_by("id").distinct()
        return cls(
            settings_named(varieties),
            raters_named(project),
            models_named(project),
            {variety.pk: variety.label for variety in spoken},
            project.is_generated,
            prompts_named(project, "rubric"),
        )


@dataclass(frozen=True)
class Results:
    """`figures[group][setting id or TOTAL]`; `snapshots[group]` names the state of the grades they rest on."""

    context: Context
    names: Names
    figures: Mapping[str, Mapping[int, Any]]
    snapshots: Mapping[str, str]

    def total(self, group: str) -> Mapping[str, Any]:
        return self.figures[group][TOTAL]

    def pools(self, group: str) -> Iterator[tuple[str, dict[str, str], Mapping[str, Any]]]:
        """Label, drill filters and figures of each setting, and of all where there are several."""
        for setting in self.names.settings:
            yield setting.label, {"variety": setting.tag}, self.figures[group][setting.id]
        if len(self.names.settings) > 1:
            yield _("All communities"), {}, self.total(group)

    def rater(self, one: int) -> str:
        return _("People") if one == PEOPLE else self.names.raters[one].label

    def by_judge(self, one: int) -> dict[str, str]:
        return {} if one == PEOPLE else {"judge": self.names.raters[one].pseudonym}

    def target(self, model: int) -> tuple[str, dict[str, str]]:
        if model == ALL:
            return _("All targets"), {}
        return self.names.models[model], {"model": self.names.models[model]}

    def domain(self, domain: int) -> tuple[str, dict[str, str]]:
        if domain == ALL:
            return _("Both domains"), {}
        return str(Domain(DOMAINS[domain]).label), {"domain": DOMAINS[domain]}

    def setting(self, variety: int) -> SettingName | None:
        return next((setting for setting in self.names.settings if setting.id == variety), None)

    def by_setting(self, variety: int) -> dict[str, str]:
        setting = self.setting(variety)
        return {"variety": setting.tag} if setting else {}

    def community(self, variety: int) -> str:
        """What the speakers of a variety are called."""
        setting = self.setting(variety)
        return setting.label if setting else self.names.spoken.get(variety, _("none named"))

    def marks(self, *raters: int) -> tuple[str, ...]:
        """What must be said beside figures of these raters."""
        return marks_of(self.names.raters, raters, self.names.is_generated)

    @property
    def ceiling(self) -> Figure | None:
        """MAD of people against each other, where two graded the same responses."""
        found = self.total("scores")["ceiling"]
        return None if found.value is None else found

    def recipe(self, group: str, metric: str, *, human: bool = True, drawn: bool = True, **settings: Any) -> Recipe:
        """The recipe of a table of this group; `human` where people's scores are compared with, `drawn` where
        intervals come from a bootstrap."""
        scores = self.total("scores")
        judges = self.total("judges")["single"] if group in ("judges", "criteria") else []
        return Recipe(
            metric=metric,
            n_items=scores["graded"],
            n_raters=scores["raters"] + len(judges),
            settings=settings,
            gold_rule=HUMAN_SCORE if human else "",
            filters=self.context.scope.filters,
            seed=SEED if drawn else None,
            code_version=code_version(),
            data_snapshot=self.snapshots[group],
            extras={"left out: grades under an older version": scores["outdated"]}
            | ({"interval": INTERVAL} if drawn else {})
            | ({} if group in OF_PEOPLE_ALONE else asked_by(self.names.prompts))
            | (weighed_extras(self.names.raters) if group in ("judges", "criteria") else {}),
        )


def ascending(rows: Sequence[Any], at: int = 0) -> tuple[Any, ...]:
    """Rows by their figure of this place, smallest first, undefined ones last."""
    return tuple(
        sorted(rows, key=lambda row: (row.figures[at].value is None, row.figures[at].value or 0.0, row.labels))
    )
