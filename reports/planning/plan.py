"""A plan: the designs that reach a wanted width, how much to code twice, and what a judge saves."""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from agreement.figures import Figure
from agreement.planning import (
    Components,
    Design,
    correlation_from_error,
    designs_for,
    double_coded_for,
    labels_for,
    prompts_for,
    width_of,
)

PANELS, EACH, DOUBLES = (3, 5, 10), (1, 2, 3), (0.0, 0.2)


@dataclass(frozen=True)
class Judge:
    """What a judge beside people is. `correlation` with one person's grades, or the spread of its `error` (judge less
    one person), in grades; `judged` responses it grades, None for as many as one likes."""

    correlation: float | None = None
    error: float | None = None
    judged: int | None = None

    def worth(self, variances: Components) -> float:
        """The correlation, from the error where that is given."""
        if self.correlation is not None:
            return self.correlation
        return correlation_from_error(self.error or 0.0, float(np.sqrt(variances.total)))


@dataclass(frozen=True)
class Wanted:
    """What is asked for. `width` of the interval of the mean grade, `agreement_width` of that of agreement; `panel`
    raters there are, None to be told; `cost` of one answer of a person, None where it is not asked."""

    width: float
    agreement_width: float = 0.2
    responses: int = 1
    panel: int | None = None
    these_raters: bool = False
    cost: float | None = None
    judge: Judge | None = None


@dataclass(frozen=True)
class Option:
    """A design that reaches the width; `figure` as `prompts_for` has it, `cost` of all answers."""

    design: Design
    figure: Figure
    cost: float | None

    @property
    def width(self) -> float:
        return float(self.figure.detail["width"])

    @property
    def responses(self) -> int:
        return self.design.prompts * self.design.responses

    @property
    def chief(self) -> tuple[str, float]:
        """The component that most of the interval comes from, and its share of the error variance."""
        shares = self.figure.detail["shares"]
        name = max(shares, key=shares.__getitem__)
        return name, shares[name]


@dataclass(frozen=True)
class Twice:
    """How many responses two people must grade for the interval of agreement. `responses` of the cheapest design."""

    agreement: float
    coded: int
    responses: int

    @property
    def share(self) -> float:
        return self.coded / self.responses


@dataclass(frozen=True)
class Saved:
    """What a judge saves of the cheapest design with one rater a response: people grade `labelled`, not `alone`."""

    correlation: float
    alone: int
    labelled: int
    cost: float | None

    @property
    def saved(self) -> int:
        return self.alone - self.labelled


@dataclass(frozen=True)
class Plan:
    """`undefined` is the reason why no design reaches the width, as `prompts_for` words it."""

    wanted: Wanted
    variances: Components
    options: list[Option]
    undefined: str | None
    twice: Twice | None
    saved: Saved | None


def varies(variances: Components, *, these_raters: bool) -> bool:
    """Whether anything makes one study's mean differ from another's. Where nothing does, one answer says it all."""
    return variances.total > (variances.raters if these_raters else 0.0)


def planned(variances: Components, wanted: Wanted) -> Plan:
    """The plan for what varies so. Raises ValueError where nothing varies: any study would do, or none."""
    if not varies(variances, these_raters=wanted.these_raters):
        raise ValueError("nothing varies")
    panels = (wanted.panel,) if wanted.panel else PANELS
    reaching = designs_for(
        variances,
        wanted.width,
        panels=panels,
        each=EACH,
        doubles=DOUBLES,
        responses=wanted.responses,
        these_raters=wanted.these_raters,
    )
    options = [option_of(variances, wanted, design, figure) for design, figure in reaching]
    options.sort(key=lambda option: (option.figure.n, option.design.panel))
    undefined = None if options else why_none(variances, wanted, max(panels))
    twice = coded_twice(variances, wanted, options[0]) if options else None
    saved = judge_saves(variances, wanted, options) if options and wanted.judge else None
    return Plan(wanted, variances, options, undefined, twice, saved)


def option_of(variances: Components, wanted: Wanted, design: Design, figure: Figure) -> Option:
    """The design with work for each of its raters: severity is no mean over people who grade nothing."""
    least = ceil(design.panel / (design.responses * design.each))
    if design.prompts < least:
        design = replace(design, prompts=least)
        found = width_of(variances, design, these_raters=wanted.these_raters)
        figure = Figure(float(least), found.n, detail={**found.detail, "width": found.value})
    return Option(design, figure, None if wanted.cost is None else figure.n * wanted.cost)


def why_none(variances: Components, wanted: Wanted, panel: int) -> str | None:
    """Why the largest panel does not reach the width either."""
    return prompts_for(
        variances, wanted.width, responses=wanted.responses, panel=panel, these_raters=wanted.these_raters
    ).undefined


def coded_twice(variances: Components, wanted: Wanted, cheapest: Option) -> Twice | None:
    """None where people agree wholly: nothing is left to estimate."""
    agreement = variances.agreement
    if agreement is None or agreement >= 1:
        return None
    return Twice(agreement, double_coded_for(agreement, wanted.agreement_width), cheapest.responses)


def judge_saves(variances: Components, wanted: Wanted, options: list[Option]) -> Saved | None:
    """Fewer responses for people at the same width: the judge stands in for the spread between responses, and leaves
    that between raters as it is."""
    assert wanted.judge is not None
    single = (one for one in options if one.design.each == 1 and not one.design.double)
    option = next(single, None)
    if option is None:
        return None
    correlation = wanted.judge.worth(variances)
    judged = wanted.judge.judged
    # A judge that grades no more than people do tells nothing of other responses.
    few = judged is not None and judged <= option.responses
    needed = labels_for(option.responses, float("inf") if judged is None else judged, correlation)
    labelled = option.responses if few else min(option.responses, needed)
    cost = None if wanted.cost is None else (option.responses - labelled) * wanted.cost
    return Saved(correlation, option.responses, labelled, cost)
