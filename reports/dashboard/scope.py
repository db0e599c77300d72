"""What a reader may narrow figures and lists by, declared once for each area.

A scope is a frozen dataclass whose fields are made by `declared`. From the declaration follow the check of what stands
in an address or was given to a command, the filters of a recipe, the part of a cache key that figures of one variety
depend on, the form of the page (reports/dashboard/filters.py), the parameters of the programming interface and the
options of the command (`abouts`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.among import Among
from projects.models import LanguageVariety, Project, Rater, RaterKind, TargetModel
from projects.problems import Invalid, Problem
from reports.dashboard.freshness.revisions import Revisions
from reports.dashboard.project_contents import target_models, varieties_with_responses

#: What a field is for: it keeps a part of the data, sets the formula, or names what is compared.
NARROWS, SETS, COMPARES = "narrows", "sets", "compares"
ALL, VARIETY = gettext_lazy("All"), gettext_lazy("Variety")
TARGET_MODEL, JUDGE = gettext_lazy("Target model"), gettext_lazy("Judge")
CHOSEN_FOR_YOU = gettext_lazy("chosen for you")

#: Values and labels that a form offers in a project whose rows are in this state.
Choices = Callable[[Project, Revisions], Sequence[tuple[str, Any]]]


@dataclass(frozen=True)
class Declaration:
    """One field of a scope.

    label     how people call it, beside its control; a lazy translation.
    about     what it does, for programs; "" of what only pages offer.
    use       NARROWS, SETS or COMPARES.
    choices   what the form of the page offers. values  those that any reader may give, () for any text.
    bounds    lowest, highest and step of a number; None where it is none.
    default   what holds where nothing is given.
    problem   what is said of a value that is none of `values` or outside `bounds`; a lazy translation.
    nothing   how the choice of no value is called.
    """

    label: Any
    about: str = ""
    use: str = NARROWS
    choices: Choices = lambda project, state: ()
    values: Collection[str] = ()
    bounds: tuple[float, float, float] | None = None
    default: Any = ""
    problem: Any = ""
    nothing: Any = ALL

    def checked(self, name: str, value: Any) -> Any:
        """The value as figures take it; raises projects.problems.Invalid where there is no such value."""
        if self.bounds is not None:
            try:
                number = float(value)
            except (TypeError, ValueError):
                number = float("nan")
            if self.bounds[0] <= number <= self.bounds[1]:
                return number
        elif not self.values or value in self.values:
            return value
        raise Invalid([Problem("unknown_value", str(self.problem), name)])


def declared(label: Any, about: str = "", *, default: Any = "", **more: Any) -> Any:
    """A field of a scope; `more` as `Declaration` has it. Empty by default, which keeps all."""
    return field(default=default, metadata={"declaration": Declaration(label, about, default=default, **more)})


@dataclass(frozen=True)
class Scope:
    """The values a reader chose; a subclass declares its fields, in the order of the page's form."""

    @classmethod
    def of(cls, filters: Mapping[str, Any] | None) -> Self:
        """The scope of what stands in an address or was given to a command; raises as `checked`."""
        return cls(**cls.checked(filters))

    @classmethod
    def checked(cls, filters: Mapping[str, Any] | None) -> dict[str, Any]:
        """The filters that are given, each as figures take it, whoever sent it; empty values count as not given.

        Raises projects.problems.Invalid naming each filter that is unknown or has no such value.
        """
        given = {name: value for name, value in (filters or {}).items() if value not in ("", None)}
        known = cls.declarations()
        problems = [
            Problem("unknown_filter", _("There is no such filter."), name) for name in given if name not in known
        ]
        for name, declaration in known.items():
            if name in given:
                try:
                    given[name] = declaration.checked(name, given[name])
                except Invalid as invalid:
                    problems += invalid.problems
        if problems:
            raise Invalid(problems)
        return given

    @classmethod
    def declarations(cls) -> dict[str, Declaration]:
        """By name of the field, in their order."""
        return {one.name: one.metadata["declaration"] for one in fields(cls)}

    @classmethod
    def names(cls, *uses: str) -> tuple[str, ...]:
        """Of the fields of these uses; of all without any."""
        return tuple(name for name, one in cls.declarations().items() if not uses or one.use in uses)

    @classmethod
    def abouts(cls) -> dict[str, str]:
        """What each field does, for programs."""
        return {name: one.about for name, one in cls.declarations().items()}

    @classmethod
    def known(cls, filters: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the filters that this scope has."""
        return {name: value for name, value in filters.items() if name in cls.declarations()}

    @property
    def filters(self) -> dict[str, str]:
        """Which part of the data, as a recipe says it."""
        chosen = {name: getattr(self, name) for name in self.names(NARROWS)}
        return {name: value for name, value in chosen.items() if value}

    @property
    def of_a_variety(self) -> tuple[Any, ...]:
        """What the figures of one variety depend on: all but the choice of varieties and of what is compared."""
        return tuple(getattr(self, name) for name in self.names(NARROWS, SETS) if name != "variety")


@dataclass(frozen=True)
class BaseContext:
    """What figures depend on beside the answers: the reader's scope. An area adds its rules."""

    scope: Any

    @classmethod
    def of(cls, project: Project, scope: Any) -> Self:
        return cls(scope)


# --- Fields that several areas have -----------------------------------------------------------------------------


def by_variety(label: Any = VARIETY, about: str = "tag of the one variety to keep", **more: Any) -> Any:
    def choices(project: Project, state: Revisions) -> list[tuple[str, str]]:
        varieties = LanguageVariety.objects.filter(pk__in=varieties_with_responses(project, state))
        return [(variety.tag, project.calls(variety)) for variety in varieties]

    return declared(label, about, choices=choices, **more)


def by_model(
    label: Any = TARGET_MODEL,
    about: str = "name of the one target model to keep",
    order: str = "name",
    **more: Any,
) -> Any:
    def choices(project: Project, state: Revisions) -> list[tuple[str, str]]:
        models = TargetModel.objects.filter(pk__in=target_models(project, state)).order_by(order)
        return [(model.name, model.name) for model in models]

    return declared(label, about, choices=choices, **more)


@dataclass(frozen=True)
class ResponseScope(Scope):
    """Which responses are kept: of one variety, of one target model."""

    variety: str = by_variety()
    model: str = by_model()


#: Ids of the raters that a form offers, of a project whose rows are in this state.
Raters = Callable[[Project, Revisions], Sequence[int]]


def by_judge(
    raters: Raters,
    label: Any = JUDGE,
    about: str = "name or pseudonym of the one judge to keep; people's figures stay",
    **more: Any,
) -> Any:
    """One of the judges among these raters; by pseudonym, and for programs by name."""

    def choices(project: Project, state: Revisions) -> list[tuple[str, str]]:
        # Judges are few, raters may be thousands: as a condition each of their ids would be a parameter.
        offered = set(raters(project, state))
        judges = project.raters.filter(kind=RaterKind.JUDGE)
        return [(judge.pseudonym, judge.name) for judge in judges if judge.pk in offered]

    return declared(label, about, choices=choices, **more)


def by_person(raters: Raters, label: Any, order: str = "name") -> Any:
    """One of the people among these raters, by pseudonym; offered in this order."""

    def choices(project: Project, state: Revisions) -> list[tuple[str, str]]:
        people = project.raters.filter(pk__in=Among(raters(project, state)), kind=RaterKind.HUMAN)
        return [(rater.pseudonym, name_of(rater)) for rater in people.order_by(order)]

    return declared(label, choices=choices)


def one_of(label: Any, choices: Sequence[tuple[str, Any]], about: str = "", **more: Any) -> Any:
    """One of the same values in every project."""
    return declared(label, about, choices=lambda project, state: choices, **more)


def name_of(rater: Rater) -> str:
    """People stand in reports by their pseudonym, judges by their name."""
    return rater.name if rater.kind == RaterKind.JUDGE else rater.pseudonym
