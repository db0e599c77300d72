"""What tables are written from: figures by group and variety, and whom and what their keys stand for.

An area adds to `Names` and `Results` what is its own alone, and writes its rows by the three shapes that recur: a row
for each rater, for each pool (each variety, and all of them together), and for each rater in each pool.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure, Recipe
from projects.models import Project
from reports.dashboard.cache import code_version
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.names import (
    PEOPLE,
    TOTAL,
    RaterName,
    VarietyName,
    asked_by,
    derived_extras,
    marks_of,
    models_named,
    own_laboratory_extras,
    prompts_named,
    raters_named,
    varieties_named,
    weighed_extras,
)
from reports.dashboard.project_contents import derived_texts, own_answers
from reports.dashboard.tables import Row
from reports.dashboard.wording import known_figures


@dataclass(frozen=True)
class Names:
    """Labels of everything that figures refer to by id. Part of what a finished table is kept under.

    prompts  of each judge by name, the prompts that its answers were given under. own  what an area names beside.
    derived  by step that makes texts from responses, how many of its texts have answers.
    """

    varieties: tuple[VarietyName, ...]
    raters: Mapping[int, RaterName]
    models: Mapping[int, str]
    is_generated: bool
    prompts: Mapping[str, tuple[str, ...]]
    own: Any = None
    derived: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Results:
    """`figures[group][variety id or TOTAL]`; `snapshots[group]` names the state of the answers they rest on.

    context  what figures depend on beside the answers; it has `scope`.
    group    whose tables are written; where a method takes a group, none named is this one.
    """

    context: Any
    names: Names
    figures: Mapping[str, Mapping[int, Any]]
    snapshots: Mapping[str, str]
    group: str = ""

    #: Kinds of judges whose answers these are.
    kinds: ClassVar[tuple[str, ...]] = ()
    #: The table of judges' answers (projects/own_laboratories.py); "" where judges give none.
    judged: ClassVar[str] = ""
    #: What all varieties together are called; a lazy translation.
    all_varieties: ClassVar[Any] = gettext_lazy("All varieties")
    #: Groups of tables that no judge's answer goes into.
    of_people_alone: ClassVar[frozenset[str]] = frozenset()
    #: How intervals are drawn.
    interval: ClassVar[str] = INTERVAL

    @classmethod
    def named(cls, project: Project, context: Any, varieties: Sequence[int]) -> Names:
        """What these figures of the project are written with."""
        return Names(
            varieties_named(project, varieties),
            cls.raters_named(project),
            models_named(project),
            project.is_generated,
            prompts_named(project, *cls.kinds),
            cls.own_names(project, context),
            derived_texts(project, revisions(project)),
        )

    @classmethod
    def raters_named(cls, project: Project) -> dict[int, RaterName]:
        """Judges with answers about models of their own laboratory say so wherever they stand."""
        raters = raters_named(project)
        if cls.judged:
            for one, n in own_answers(project, cls.judged, revisions(project)).items():
                raters[one] = replace(raters[one], own_answers=n)
        return raters

    @classmethod
    def own_names(cls, project: Project, context: Any) -> Any:
        """What the area names beside raters, varieties and target models."""
        return None

    # --- Figures and their labels ---------------------------------------------------------------------------

    def total(self, group: str = "") -> Any:
        return self.figures[group or self.group][TOTAL]

    def pools(self, group: str = "") -> Iterator[tuple[str, dict[str, str], Any]]:
        """Label, drill filters and figures of each variety, and of all where there are several."""
        for variety in self.names.varieties:
            yield variety.label, {"variety": variety.tag}, self.figures[group or self.group][variety.id]
        if len(self.names.varieties) > 1:
            yield str(self.all_varieties), {}, self.total(group)

    def rater(self, one: int) -> str:
        return _("People") if one == PEOPLE else self.names.raters[one].label

    def by_rater(self, one: int) -> dict[str, str]:
        """The filters of what this rater answered; those of people narrow nothing."""
        return {} if one == PEOPLE else {"judge": self.names.raters[one].pseudonym}

    def marks(self, *raters: int) -> tuple[str, ...]:
        """What must be said beside figures of these raters."""
        return marks_of(self.names.raters, raters, self.names.is_generated)

    # --- Rows -----------------------------------------------------------------------------------------------

    def row(self, one: int, labels: Sequence[str], figures: Iterable[Figure], **drill: str) -> Row:
        """A row about one rater, or about PEOPLE, with its filters and marks."""
        return Row(tuple(labels), tuple(figures), {**drill, **self.by_rater(one)}, self.marks(one))

    def people_row(self, labels: Sequence[str], figures: Iterable[Figure], drill: Mapping[str, str]) -> Row:
        """A row that no judge has a part in."""
        return Row(tuple(labels), tuple(figures), drill, self.marks())

    def rater_rows(self, figures_by_rater: Mapping[int, Iterable[Figure]]) -> list[Row]:
        """A row for each rater of these figures."""
        return [self.row(one, (self.rater(one),), figures) for one, figures in figures_by_rater.items()]

    def pool_rows(
        self, figures: Callable[[Any], Mapping[int, Sequence[Figure]]], *, raters_first: bool = False
    ) -> list[Row]:
        """A row for each rater in each pool. `figures` gives those of a pool by rater.

        raters_first  judge by judge in the order of the total, without people; labels are judge and pool. Else pool by
                      pool; labels are pool and rater.
        """
        pools = [(label, drill, figures(pool)) for label, drill, pool in self.pools()]
        if raters_first:
            return [
                self.row(one, (self.rater(one), label), figures_of_pool[one], **drill)
                for one in figures(self.total())
                if one != PEOPLE
                for label, drill, figures_of_pool in pools
                if figures_of_pool.get(one)
            ]
        return [
            self.row(one, (label, self.rater(one)), figures_of_pool[one], **drill)
            for label, drill, figures_of_pool in pools
            for one in figures_of_pool
        ]

    def people_rows(self, figures: Callable[[Any], Sequence[Figure]], **drill: str) -> list[Row]:
        """A row for each pool that has any figures of people."""
        return [
            self.people_row((label,), figures(pool), {**of_pool, **drill})
            for label, of_pool, pool in self.pools()
            if pool
        ]

    def figure_texts(self, figures: Mapping[int, Figure], unit: str = "share") -> str:
        """The figure of each rater that has one, in a sentence; "" where none has."""
        return known_figures(((self.rater(one), figure) for one, figure in figures.items()), unit)

    # --- Recipes --------------------------------------------------------------------------------------------

    def recipe(self, metric: str, *, gold: bool = True, drawn: bool = True, **settings: Any) -> Recipe:
        """The recipe of a table of the group; `gold` where answers are compared with people's, `drawn` where
        there are intervals over prompts. Settings that are None say nothing and stand nowhere."""
        group = self.group
        items, raters = self.size(group)
        return Recipe(
            metric=metric,
            n_items=items,
            n_raters=raters,
            settings={name: value for name, value in settings.items() if value is not None},
            gold_rule=self.gold_rule() if gold else "",
            filters=self.context.scope.filters,
            code_version=code_version(),
            data_snapshot=self.snapshots[group],
            extras=self.own_extras()
            | derived_extras(self.names.derived)
            | ({"interval": self.interval} if drawn else {})
            | ({} if group in self.of_people_alone else asked_by(self.names.prompts))
            | ({} if group in self.of_people_alone else own_laboratory_extras(self.names.raters))
            | (weighed_extras(self.names.raters) if self.is_weighed(group, gold) else {}),
        )

    def gold_rule(self) -> str:
        """How what judges are compared with was made; "" where they are compared with nothing."""
        return ""

    def size(self, group: str) -> tuple[int, int]:
        """Items and raters that figures of this group rest on, as the group's figures themselves count them."""
        total = self.total(group)
        return total.get("responses", 0), total.get("people", 0) + total.get("judges", 0)

    def own_extras(self) -> dict[str, Any]:
        """What recipes of the area say beside."""
        return {}

    def is_weighed(self, group: str, gold: bool) -> bool:
        """Whether panels are compared with people, so that those that were weighed by people lack some answers."""
        return group not in self.of_people_alone


def ascending(rows: Sequence[Row], at: int = 0) -> tuple[Row, ...]:
    """Rows by their figure of this place, smallest first, undefined ones last."""
    return tuple(
        sorted(rows, key=lambda row: (row.figures[at].value is None, row.figures[at].value or 0.0, row.labels))
    )


def least(rows: Iterable[Row], at: int = 0) -> Row | None:
    """The row whose figure of this place is smallest, the first of equals; None where none has a value."""
    return min(defined(rows, at), key=lambda row: row.figures[at].number, default=None)


def most(rows: Iterable[Row], at: int = 0) -> Row | None:
    """The row whose figure of this place is largest, the first of equals; None where none has a value."""
    return max(defined(rows, at), key=lambda row: row.figures[at].number, default=None)


def defined(rows: Iterable[Row], at: int = 0) -> list[Row]:
    """Those whose figure of this place has a value."""
    return [row for row in rows if row.figures[at].value is not None]
