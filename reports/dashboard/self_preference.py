"""Judges and models of their own laboratory: the one table that takes such answers in.

They come with imported studies, and where a model's laboratory is settled after it was judged. An area gives what each
judge said and what people said of the same; how the two are compared is the same everywhere
(agreement/self_preference.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import inference
from agreement.figures import Figure, Recipe
from agreement.self_preference import own_less_others
from agreement.statistics import share_of_sums
from projects.enumeration import in_parts
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.names import LEFT_OUT, OWN_LABORATORY, own_answers
from reports.dashboard.parts import pooled
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text

GROUP = "own_laboratory"
#: As a recipe names them.
TAKEN_IN = "answers about models of the judge's own laboratory"


@dataclass(frozen=True, eq=False)
class Said:
    """By one judge: value  what it says; people  what people say of the same, NaN where nobody does; is_own  whether
    it is about a model of its own laboratory; prompt, variety  ids; shape (N,)."""

    value: Floats
    people: Floats
    is_own: Flags
    prompt: Integers
    variety: Integers

    def of(self, chosen: Any) -> "Said":
        return Said(**{name: column[chosen] for name, column in vars(self).items()})


def by_variety(varieties: Iterable[int], by_judge: Mapping[int, Said]) -> dict[int, dict[int, Said]]:
    """Per variety what each judge says in it, of those that have said anything of their own laboratory at all."""
    own = {judge: said for judge, said in by_judge.items() if said.is_own.any()}
    return {variety: {judge: said.of(said.variety == variety) for judge, said in own.items()} for variety in varieties}


def figures_of(parts: Sequence[Mapping[int, Said]], apart: str = "") -> dict[int, tuple[Figure, ...]]:
    """By judge: own less others beyond people, own less others, mean of own, mean of others.

    apart  why what is said is on no common scale.
    """
    judges = sorted({judge for part in parts for judge in part})
    return {judge: _figures(pooled([part[judge] for part in parts if judge in part]), apart) for judge in judges}


def _figures(said: Said, apart: str) -> tuple[Figure, ...]:
    if apart:
        return (Figure.without_value(apart, len(said.value)),) * 4
    beyond = own_less_others(said.value - said.people, said.is_own, said.prompt)
    own, others = (np.where(chosen, said.value, np.nan) for chosen in (said.is_own, ~said.is_own))
    means = (inference.mean(values, cluster=said.prompt) for values in (own, others))
    return (beyond, own_less_others(said.value, said.is_own, said.prompt), *means)


# --- The table ----------------------------------------------------------------------------------------------


def tables(
    results: Results,
    by_judge: Mapping[int, tuple[Figure, ...]],
    *,
    unit: str,
    recipe: Mapping[str, Any],
    fewer_is_better: bool = False,
) -> list[Table]:
    """The table, where any judge has answered about its own laboratory. recipe  what the area compares."""
    rows = rows_of(results, by_judge)
    if not rows:
        return []
    sign = _("Below 0 it finds less in its own.") if fewer_is_better else _("Above 0 it is kinder to its own.")
    return [
        Table(
            id="self-preference",
            headline=NO_HEADLINE,
            title=_("Judges and models of their own laboratory"),
            summary=_("Own less others, beyond people: %(figures)s.") % {"figures": _in_words(rows, unit)},
            dimensions=(_("judge"),),
            measures=(
                _("own less others, beyond people"),
                _("own less others"),
                _("own laboratory"),
                _("other laboratories"),
            ),
            rows=tuple(rows),
            recipe=of_own(
                results,
                "self_preference",
                difference="mean about models of the judge's own laboratory less mean about others",
                beyond="the same of what the judge says less what people say of the same",
                **recipe,
            ),
            unit=unit,
            x=_("judge"),
            note=_("These answers count in this table and in what draws judges, and in no other figure.") + " " + sign,
        )
    ]


def rows_of(results: Results, by_judge: Mapping[int, tuple[Figure, ...]]) -> list[Row]:
    """A row for each judge; that other figures do without these answers is no mark of this one."""
    rows = [results.row(judge, (results.rater(judge),), figures) for judge, figures in by_judge.items()]
    return [replace(row, marks=tuple(mark for mark in row.marks if mark != OWN_LABORATORY)) for row in rows]


def _in_words(rows: Iterable[Row], unit: str) -> str:
    return in_parts(f"{row.labels[0]} {figure_text(row.figures[0], unit)}" for row in rows)


# --- Wins ---------------------------------------------------------------------------------------------------


def wins_of(parts: Sequence[Mapping[int, Said]]) -> dict[int, tuple[Figure, ...]]:
    """By judge, of what is said of contests between its own laboratory and others (each a 1, 1/2 or 0 for the own):
    how much oftener than people, its own share, people's share of the same contests."""
    judges = sorted({judge for part in parts for judge in part})
    return {judge: _wins(pooled([part[judge] for part in parts if judge in part])) for judge in judges}


def _wins(said: Said) -> tuple[Figure, ...]:
    on_both = np.where(np.isnan(said.people), np.nan, said.value)
    beyond = inference.mean(said.value - said.people, cluster=said.prompt)
    shares = (inference.mean(one, statistic=share_of_sums, cluster=said.prompt) for one in (on_both, said.people))
    return (beyond, *shares)


def tables_of_wins(
    results: Results, by_judge: Mapping[int, tuple[Figure, ...]], *, recipe: Mapping[str, Any]
) -> list[Table]:
    """The table, where any judge has compared its own laboratory with another."""
    rows = rows_of(results, by_judge)
    if not rows:
        return []
    return [
        Table(
            id="self-preference-wins",
            headline=NO_HEADLINE,
            title=_("How often judges let their own laboratory win"),
            summary=_("Wins of the own laboratory, beyond people: %(figures)s.")
            % {"figures": _in_words(rows, "share")},
            dimensions=(_("judge"),),
            measures=(_("beyond people"), _("share of wins"), _("share of wins by people")),
            rows=tuple(rows),
            recipe=of_own(
                results,
                "self_preference_wins",
                contests="between a model of the judge's own laboratory and one of another",
                wins="1 where the own wins, 1/2 for a tie",
                beyond="the judge's share less people's, of contests that people decided",
                **recipe,
            ),
            unit="share",
            x=_("judge"),
            note=_("These answers count in this table and in what draws judges, and in no other figure."),
        )
    ]


def of_own(results: Results, metric: str, **settings: Any) -> Recipe:
    """A recipe that says which answers of judges it takes in, not which it leaves out."""
    made = results.recipe(metric, drawn=False, laboratories="as the project has them", interval=INTERVAL, **settings)
    extras = {name: value for name, value in made.extras.items() if name != LEFT_OUT}
    return replace(made, extras={**extras, TAKEN_IN: own_answers(results.names.raters)})
