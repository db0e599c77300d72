"""Rounds of one judge: how far its main figures move when it is asked again, and from prompt to prompt.

Everywhere else the latest round of a judge counts. Here each round is read by itself, by the same reader and the same
measures, over the prompts that the judge answered in all of its rounds: so that rounds differ by the judge alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from agreement import inference
from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.statistics import Scale, Statistic, rate_of_sums, ratio_of_sums, scale_of, share_of_sums
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.parts import pooled
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.dashboard.wording import count_text

GROUP = "rounds"
OVER_ROUNDS, SPREAD_OF_ROUNDS, OVER_PROMPTS, SPREAD_OF_PROMPTS = range(4)
LABELS = (
    gettext_lazy("mean over rounds"),
    gettext_lazy("standard deviation over rounds"),
    gettext_lazy("mean over prompts"),
    gettext_lazy("standard deviation over prompts"),
)
NO_COMMON_PROMPTS = "no prompts in every round"
MEAN_OF = {Scale.SHARE: share_of_sums, Scale.POSITIVE: rate_of_sums}

L = TypeVar("L")
C = TypeVar("C")
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Answered:
    """Of one judge: round and prompt of each of its answers, shape (N,), and the columns whose sums the area's figures
    are statistics of, shape (N, k)."""

    round: Integers
    prompt: Integers
    columns: Floats


#: The figures of one judge: each of LABELS, a figure for every measure of the area.
Moves = tuple[tuple[Figure, ...], ...]


def once_per_loading(statistics: Callable[[L, C], R]) -> Callable[[L, C], R]:
    """What is made of loaded answers and a context, made once where several groups of figures ask for it."""
    kept: WeakKeyDictionary[Any, tuple[C, R]] = WeakKeyDictionary()

    @wraps(statistics)
    def made(loaded: L, context: C) -> R:
        found = kept.get(loaded)
        if found is None or found[0] != context:
            found = kept[loaded] = (context, statistics(loaded, context))
        return found[1]

    return made


def of_rounds(
    loaded: Any,
    context: Any,
    statistics: Callable[[Any, Any], Mapping[int, Any]],
    read: Callable[[Any], Mapping[int, tuple[Integers, Floats]]],
) -> dict[int, dict[int, Answered]]:
    """By variety and judge. `statistics` makes the parts of one round as it does of the latest; `read` gives of such a
    part, by judge, the prompt and the columns of each answer. `loaded.rounds` has the answers by round, and is empty
    where no judge has two."""
    made: dict[int, dict[int, list[Answered]]] = {variety: {} for variety in loaded.varieties}
    for number, of_round in (loaded.rounds or {1: loaded}).items():
        for variety, part in statistics(of_round, context).items():
            for judge, (prompt, columns) in read(part).items():
                if len(prompt):
                    answered = Answered(np.full(len(prompt), number), prompt, np.asarray(columns, dtype=float))
                    made[variety].setdefault(judge, []).append(answered)
    return {variety: {judge: pooled(one) for judge, one in judges.items()} for variety, judges in made.items()}


def moves(parts: Sequence[Mapping[int, Answered]], statistics: Sequence[Statistic]) -> dict[int, Moves]:
    """By judge, of all varieties together."""
    judges = sorted({judge for part in parts for judge in part})
    return {judge: moves_of(pooled([part[judge] for part in parts if judge in part]), statistics) for judge in judges}


def moves_of(answered: Answered, statistics: Sequence[Statistic]) -> Moves:
    """Means and standard deviations (n - 1) of each statistic: of the rounds' own values, over the prompts that every
    round has; and of the prompts' own, all rounds of a prompt together. n = rounds, or prompts with a value."""
    rounds = np.unique(answered.round)
    prompts = [np.unique(answered.prompt[answered.round == one]) for one in rounds]
    common = np.isin(answered.prompt, reduce(np.intersect1d, prompts)) if len(rounds) else np.zeros(0, dtype=bool)
    by_round = _sums(answered.columns[common], np.searchsorted(rounds, answered.round[common]), len(rounds))
    distinct, at = np.unique(answered.prompt, return_inverse=True)
    by_prompt = _sums(answered.columns, at, len(distinct))
    columns = []
    for statistic in statistics:
        of_rounds, of_prompts = (np.asarray(statistic(sums), dtype=float) for sums in (by_round, by_prompt))
        of_rounds, of_prompts = (values[~np.isnan(values)] for values in (of_rounds, of_prompts))
        nothing = NO_ITEMS if common.any() else NO_COMMON_PROMPTS
        columns.append(
            (
                _mean(of_rounds, nothing),
                _deviation(of_rounds, nothing),
                inference.mean(of_prompts, statistic=MEAN_OF.get(scale_of(statistic), ratio_of_sums)),
                _deviation(of_prompts, NO_ITEMS),
            )
        )
    return tuple(zip(*columns, strict=True))


def _sums(columns: Floats, at: Integers, n: int) -> Floats:
    return np.column_stack([np.bincount(at, column, minlength=n) for column in columns.T])


def _mean(values: Floats, nothing: str) -> Figure:
    return Figure(float(values.mean()), len(values)) if len(values) else Figure.without_value(nothing)


def _deviation(values: Floats, nothing: str) -> Figure:
    if len(values) < 2:
        return Figure.without_value(TOO_FEW if len(values) else nothing, len(values))
    return Figure(float(values.std(ddof=1)), len(values))


# --- The table ----------------------------------------------------------------------------------------------


def table(
    results: Results, by_judge: Mapping[int, Moves], measures: Sequence[str], unit: str, units: Mapping[str, str]
) -> Table:
    """Four rows for each judge, a column for each figure of the area."""
    rows = [
        results.row(judge, (results.rater(judge), str(label)), figures)
        for judge, made in by_judge.items()
        for label, figures in zip(LABELS, made, strict=True)
    ]
    asked_again = sum(made[OVER_ROUNDS][0].n > 1 for made in by_judge.values())
    return Table(
        id="rounds-of-judges",
        headline=NO_HEADLINE,
        title=_("Rounds of one judge, and its prompts"),
        summary=in_words(len(by_judge), asked_again),
        dimensions=(_("judge"), _("what of it")),
        measures=tuple(measures),
        rows=tuple(rows),
        recipe=results.recipe(
            "rounds_of_one_judge",
            drawn=False,
            rounds="each round by itself, over the prompts that the judge answered in every round of its",
            prompts="each prompt by itself, all its answers in all rounds together; those with a value",
            standard_deviation="n - 1 in the denominator",
            interval_over_prompts=INTERVAL,
        ),
        unit=unit,
        units=units,
        chart="none",
        marked=_("judge"),
        note=_(
            "A judge that is asked again answers otherwise: the standard deviation over rounds is how far its figures "
            "move by that alone. Over prompts: how unequal its prompts are. n counts rounds, or prompts. In all other "
            "tables the latest round of a judge counts."
        ),
    )


def in_words(judges: int, asked_again: int) -> str:
    if not judges:
        return _("No judge has been compared with people yet.")
    if not asked_again:
        return _("No judge was asked in two rounds, so how far its figures move by themselves cannot be told.")
    return ngettext(
        "%(n)s judge was asked in several rounds.", "%(n)s judges were asked in several rounds.", asked_again
    ) % {"n": count_text(asked_again)}
