"""What tables are written from: figures by group and setting, and whom and what their keys stand for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from projects.models import Project
from reports.dashboard.cache import code_version
from reports.dashboard.draws import SEED
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
from reports.ratings.draws import FEWER
from reports.ratings.groups import ALL, PEOPLE, Context
from reports.ratings.loading import KINDS, PAIRWISE
from reports.ratings.people import DIMENSION

#: Says in a judge's options that it is shown examples.
FEW = "few"
GOLD = {
    "majority": "experts' grades where there are any; by majority, ties by mean, then median",
    "mean": "experts' grades where there are any; by mean",
}
INTERVAL = f"percentile bootstrap, 5000 resamples of prompts, 95 %; {FEWER} for one setting among several"


# Groups of tables that no judge's answer goes into.
OF_PEOPLE_ALONE = frozenset({"people", "raters"})


@dataclass(frozen=True)
class Names:
    """Labels of everything that figures refer to by id. Part of what a finished table is kept under."""

    settings: tuple[SettingName, ...]
    raters: Mapping[int, RaterName]
    models: Mapping[int, str]
    #: Slug and label of each, in the project's order.
    dimensions: Mapping[int, tuple[str, str]]
    questions: Mapping[int, tuple[str, str]]
    dimension_of: Mapping[int, int]
    setups: Mapping[int, "Setup"]
    is_generated: bool
    prompts: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, project: Project, varieties: list[int]) -> "Names":
        questions = list(project.question_types.select_related("dimension"))
        dimensions = {question.dimension_id: question.dimension for question in questions}
        return cls(
            settings_named(varieties),
            raters_named(project),
            models_named(project),
            {pk: (one.slug, one.label) for pk, one in dimensions.items()},
            {one.pk: (one.slug, one.label) for one in questions},
            {one.pk: one.dimension_id for one in questions},
            setups_named(project),
            project.is_generated,
            prompts_named(project, *KINDS),
        )


@dataclass(frozen=True)
class Setup:
    """How a model is asked: one response or two at a time, with or without examples and rubric."""

    model: str
    kind: str
    examples: str
    rubric: str
    place: tuple[bool, bool, bool]


def setups_named(project: Project) -> dict[int, Setup]:
    """How each judge that rates is asked, by the id of its rater; of imported answers nothing is known."""
    found = {}
    for judge in project.judges.filter(kind__in=KINDS).order_by("id"):
        few, rubric = judge.options.get("shots") == FEW, bool(judge.options.get("rubric", True))
        pairwise = judge.kind == PAIRWISE
        found[judge.rater_id] = Setup(
            judge.model,
            _("two by two") if pairwise else _("one by one"),
            _("with examples") if few else _("without examples"),
            _("with rubric") if rubric else _("without rubric"),
            (pairwise, few, rubric),
        )
    return found


@dataclass(frozen=True)
class Results:
    """`figures[group][setting id or TOTAL]`; `snapshots[group]` names the state of the answers they rest on."""

    context: Context
    names: Names
    figures: Mapping[str, Mapping[int, Any]]
    snapshots: Mapping[str, str]

    def total(self, group: str) -> Any:
        return self.figures[group][TOTAL]

    def pools(self, group: str) -> Iterator[tuple[str, dict[str, str], Any]]:
        """Label, drill filters and figures of each setting, and of all where there are several."""
        for setting in self.names.settings:
            yield setting.label, {"variety": setting.tag}, self.figures[group][setting.id]
        if len(self.names.settings) > 1:
            yield _("All varieties"), {}, self.total(group)

    def rater(self, one: int) -> str:
        return _("People") if one == PEOPLE else self.names.raters[one].label

    def by_judge(self, one: int) -> dict[str, str]:
        return {} if one == PEOPLE else {"judge": self.names.raters[one].pseudonym}

    def dimension(self, one: int) -> tuple[str, dict[str, str]]:
        if one == ALL:
            return _("All dimensions"), {}
        slug, label = self.names.dimensions[one]
        return label, {"dimension": slug}

    def question(self, one: int) -> tuple[str, str, dict[str, str]]:
        """Labels of dimension and question type, and the filters of its responses."""
        slug, label = self.names.questions[one]
        return self.names.dimensions[self.names.dimension_of[one]][1], label, {"question": slug}

    def marks(self, *raters: int) -> tuple[str, ...]:
        """What must be said beside figures of these raters."""
        return marks_of(self.names.raters, raters, self.names.is_generated)

    def recipe(self, group: str, metric: str, *, gold: bool = True, drawn: bool = True, **settings: Any) -> Recipe:
        """The recipe of a table of this group; `gold` where answers are compared with it, `drawn` where intervals
        come from a bootstrap. Settings that are None say nothing and stand nowhere."""
        items, raters = self.size
        return Recipe(
            metric=metric,
            n_items=items,
            n_raters=raters,
            settings={name: value for name, value in settings.items() if value is not None},
            gold_rule=GOLD[self.context.gold_rule] if gold else "",
            filters=self.context.scope.filters,
            seed=SEED if drawn else None,
            code_version=code_version(),
            data_snapshot=self.snapshots[group],
            extras=({"interval": INTERVAL} if drawn else {})
            | ({} if group in OF_PEOPLE_ALONE else asked_by(self.names.prompts) | weighed_extras(self.names.raters)),
        )

    @property
    def size(self) -> tuple[int, int]:
        """Items that people graded, and the people."""
        if "raters" in self.figures:
            return self.total("raters")["size"]
        found: Sequence[Figure] = self.total("people").get((DIMENSION, ALL), ())
        return (int(found[-2].number), int(found[-1].number)) if found else (0, 0)
