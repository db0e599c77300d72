"""Do judges put the target models in the order in which people put them: means, orders, strengths from comparisons."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import bradley_terry, inference, ranks, systems
from agreement.figures import NO_ITEMS, Figure
from agreement.inference import TOO_FEW_PROMPTS
from agreement.joint_biases import win_rate_at_no_difference
from agreement.statistics import share_of_sums
from agreement.system_clusters import Clusters, clusters
from projects.enumeration import enumerated
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.findings import first_of, highest
from reports.dashboard.names import PEOPLE
from reports.dashboard.results import defined, most
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.ratings.measures.model_answers import Comparisons, Pool, Side, Systems, statistics
from reports.ratings.measures.predictions import KEYS
from reports.ratings.results import RatingResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]

GROUP = "systems"
OF_PEOPLE = "told by people's grades alone"


def figures(parts: Sequence[Systems], is_total: bool, baseline: int | None = None) -> dict[str, Any]:
    """Of each variety and of all together.

    "agreement"  by judge: tau-b, pairwise accuracy, soft pairwise accuracy, how many models both graded.
    Of all together also "baseline": id of the model that others are compared with, None without grades; "models"  by
    (model, rater or PEOPLE): mean grade, win rate, win rate at equal length, improvement, significance group;
    "groups"  of ids; "strengths"  by (model, rater): log strength.
    """
    pool = Pool(parts)
    people = pool.side(PEOPLE)
    sides = {judge: pool.side(judge) for judge in pool.judges}
    rows, of_people = pool.table(people)
    of_judges = {judge: pool.table(side)[1] for judge, side in sides.items()}
    results: dict[str, Any] = {"agreement": _agreement(pool, of_people, of_judges, rows // KEYS)}
    if not is_total:
        return results
    chosen = _baseline(pool, baseline)
    groups = _groups(pool, people)
    ids = pool.models.tolist()
    results |= {"baseline": None if chosen is None else ids[chosen], "models": {}, "strengths": {}}
    results["groups"] = [[ids[at] for at in group] for group in groups.groups] if groups else []
    results["transitive"] = groups is None or groups.transitive
    for one in (PEOPLE, *pool.judges):
        side = people if one == PEOPLE else sides[one]
        compared = pool.comparisons(side)
        found = _of_models(pool, side, compared, chosen)
        strengths = _strengths(compared, len(ids))
        for at, (model, (mean, wins, alike, better)) in enumerate(zip(ids, found, strict=True)):
            if mean.undefined == wins.undefined == NO_ITEMS:
                continue
            results["models"][model, one] = (mean, wins, alike, better, _place(pool, groups, at, one))
            results["strengths"][model, one] = (strengths[at],)
    return results


def _agreement(
    pool: Pool, people: Floats, judges: Mapping[int, Floats], prompt: Integers
) -> dict[int, tuple[Figure, ...]]:
    """people, judges  tables of their grades. prompt  of each row."""
    counts = {}
    for judge, table in judges.items():
        n = int((~np.isnan(people) & ~np.isnan(table)).any(axis=0).sum())
        counts[judge] = Figure(float(n), n)
    if pool.apart:
        return {judge: (*(Figure.without_value(pool.apart, count.n),) * 3, count) for judge, count in counts.items()}
    found = systems.system_agreements(people, list(judges.values()), prompt)
    return {judge: (one.tau_b, one.accuracy, one.soft, counts[judge]) for judge, one in zip(judges, found, strict=True)}


def _baseline(pool: Pool, chosen: int | None) -> int | None:
    """Place of the model asked for, else of the one with most graded responses, the first of equals."""
    if chosen is not None and chosen in pool.models:
        return int(np.searchsorted(pool.models, chosen))
    return int(np.argmax(np.bincount(pool.model))) if len(pool.model) else None


def _of_models(pool: Pool, side: Side, compared: Comparisons, baseline: int | None) -> list[tuple[Figure, ...]]:
    """Mean grade, win rate, win rate at equal length and improvement of each model by one rater."""
    prompt, known, n = pool.row // KEYS, ~np.isnan(side.grade), len(pool.models)
    rows, table = pool.table(side)
    if pool.apart or baseline is None:
        better = [Figure.without_value(pool.apart or NO_ITEMS) for _model in range(n)]
    else:
        better = systems.improvements(table, baseline, cluster=rows // KEYS)
    made: list[tuple[Figure, ...]] = []
    for at in range(n):
        mine = known & (pool.model == at)
        mean = inference.mean(side.grade[mine], cluster=prompt[mine])
        if pool.apart and mean.value is not None:
            mean = Figure.without_value(pool.apart, mean.n)
        elif mean.value is not None:  # one scale, beyond which no mean of grades lies
            mean = mean.within(float(pool.lowest[0]), float(pool.highest[0]))
        first, second = compared.first == at, compared.second == at
        met = first | second
        credit = (1 + np.where(first, compared.says, -compared.says)[met]) / 2
        wins = inference.mean(credit, statistic=share_of_sums, cluster=compared.prompt[met])
        longer = np.where(first, compared.longer, -compared.longer)[met]
        alike = win_rate_at_no_difference(credit, longer[:, None], compared.prompt[met])
        made.append((mean, wins, alike, better[at]))
    return made


def _groups(pool: Pool, people: Side) -> Clusters | None:
    """Significance groups by people's grades; None where they make no means or there are too few prompts."""
    rows, table = pool.table(people)
    known = ~np.isnan(table).all(axis=1)
    prompt = rows[known] // KEYS
    if pool.apart or len(np.unique(prompt)) < ranks.MIN_UNITS:
        return None
    table = table[known]
    count = (~np.isnan(table)).sum(axis=0)
    means = np.divide(np.nansum(table, axis=0), count, out=np.full(len(count), np.nan), where=count > 0)
    return clusters(ranks.rank_sets(table, prompt), means)


def _place(pool: Pool, groups: Clusters | None, at: int, one: int) -> Figure:
    if one != PEOPLE:
        return Figure.without_value(OF_PEOPLE)
    if groups is None:
        return Figure.without_value(pool.apart or TOO_FEW_PROMPTS)
    place = groups.place(at)
    return Figure.without_value(NO_ITEMS) if place is None else Figure(float(place), len(groups.groups))


def _strengths(compared: Comparisons, n: int) -> list[Figure]:
    """Of the models that the rater compared, among each other; the others have no items."""
    met = np.unique(np.concatenate((compared.first, compared.second)))
    first, second = (np.searchsorted(met, side) for side in (compared.first, compared.second))
    fit = bradley_terry.strengths(first, second, compared.says, len(met), compared.prompt)
    made = [Figure.without_value(NO_ITEMS)] * n
    for at, figure in zip(met.tolist(), fit.figures, strict=True):
        made[at] = figure.with_detail(ties=fit.ties)
    return made


# --- Tables ----------------------------------------------------------------------------------------

#: What the mean, the order and the comparisons of a rater are of, as recipes name it.
ANSWERS: dict[str, Any] = {
    "people": "gold of each item and pair",
    "judges": "the mean of a judge's answers to an item; of a pair the sign of their mean",
}
COMPARED: dict[str, Any] = {
    "comparisons": "pairs that the rater decided, and every two models' mean grades for one prompt on one question "
    "type where there is no such pair"
}


def tables(results: Results) -> list[Table]:
    return [by_rater(results), agreement(results), strengths(results)]


def _rows(results: Results, found: dict[tuple[int, int], tuple[Figure, ...]]) -> tuple[Row, ...]:
    """Model by model in the order of their names, people first."""
    names = results.names.models
    return tuple(
        results.row(one, (names[model], results.rater(one)), found[model, one], model=names[model])
        for model, one in sorted(found, key=lambda pair: (names[pair[0]].casefold(), pair[1] != PEOPLE, pair[1]))
    )


def by_rater(results: Results) -> Table:
    total = results.total()
    rows = _rows(results, total["models"])
    baseline = results.names.models[total["baseline"]] if total["baseline"] is not None else None
    return Table(
        id="models-by-rater",
        headline=first_of(rows),
        title=_("Target models by people and by judges"),
        summary=groups_in_words(results, rows),
        dimensions=(_("target model"), _("rater")),
        measures=(
            _("mean grade"),
            _("win rate"),
            _("win rate at equal length"),
            _("improvement"),
            _("significance group"),
        ),
        units={
            _("mean grade"): "grade",
            _("improvement"): "percent",
            _("significance group"): "count",
        },
        rows=rows,
        recipe=results.recipe(
            "models_by_rater",
            **ANSWERS,
            **COMPARED,
            items="all that the rater graded, so those of two raters may differ",
            win_rate="a win 1, a tie 1/2, against every other model",
            win_rate_at_equal_length="least squares of the win on tanh(difference of log2(1 + characters) over its "
            "root mean square), where the difference is 0 (after Dubois et al. 2024); cut to 0 and 1",
            improvement="100 (mean - mean of the baseline) / mean of the baseline, on prompts and question types that "
            "both have; grades as they are, whatever the lowest",
            baseline=baseline,
            groups="every model of a group is better than every model of the next: sign flips over prompts, people's "
            "grades, 95 % for all pairs together",
            flips=ranks.FLIPS,
            seed=0,
        ),
        x=_("target model"),
        series=_("rater"),
        marked=_("rater"),
        note=_("Improvement is in per cent of the mean of %(model)s. Choose another target model above.")
        % {"model": baseline}
        if baseline
        else "",
    )


def nothing_in_order() -> str:
    return _("There are no grades with an order and no comparisons of target models yet.")


def groups_in_words(results: Results, rows: Sequence[Row]) -> str:
    if not rows:
        return nothing_in_order()
    total = results.total()
    groups = total["groups"]
    if len(groups) > 1:
        names = results.names.models
        best, rest = groups[0], groups[1]
        return _("By people's grades %(best)s stand above %(next)s and all below, beyond chance.") % {
            "best": enumerated([names[one] for one in best]),
            "next": enumerated([names[one] for one in rest]),
        }
    if groups and total["transitive"] and len(groups[0]) > 1:
        return _("People's grades tell no two target models apart beyond chance.")
    highest_mean = most([row for row in rows if row.labels[1] == results.rater(PEOPLE)])
    if highest_mean is None:
        return no_figure_yet()
    return _("People give %(model)s the highest mean grade, %(mean)s.") % {
        "model": highest_mean.labels[0],
        "mean": figure_text(highest_mean.figures[0], "grade"),
    }


def agreement(results: Results) -> Table:
    rows = results.pool_rows(lambda pool: pool["agreement"], raters_first=True)
    best = most([row for row in rows if "variety" not in row.drill] or rows, 2)
    summary = _("No judge has graded two target models that people graded too.")
    if best:
        summary = _("%(judge)s orders target models most as people do: soft pairwise accuracy %(soft)s.") % {
            "judge": best.labels[0],
            "soft": figure_text(best.figures[2]),
        }
    return Table(
        id="system-agreement",
        headline=highest(rows, 2),
        title=_("Do judges rank target models as people do"),
        summary=summary,
        dimensions=(_("judge"), _("variety")),
        measures=(_("tau-b"), _("pairwise accuracy"), _("soft pairwise accuracy"), _("target models")),
        units={_("target models"): "count"},
        rows=tuple(rows),
        recipe=results.recipe(
            "system_agreement",
            **ANSWERS,
            means="of prompts by question type that people and the judge both graded",
            tau_b="Kendall's, between the two sides' means; as the pairwise accuracy it jumps and has no interval",
            pairwise_accuracy="share of pairs of models that both sides' means order alike, or tie alike",
            soft_pairwise_accuracy="1 - mean |p_people - p_judge| over pairs of models, p by sign flips over prompts",
        ),
        chart="bars" if defined(rows, 2) else "none",
        x=_("variety"),
        series=_("judge"),
        marked=_("judge"),
        note=_(
            "Soft pairwise accuracy gives little weight to an order that chance alone may have made, on either side. "
            "Of few target models an order says little: with two it is right or wrong."
        ),
    )


def strengths(results: Results) -> Table:
    rows = _rows(results, results.total()["strengths"])
    best = most([row for row in rows if row.labels[1] == results.rater(PEOPLE)])
    summary = no_figure_yet() if rows else nothing_in_order()
    if best:
        summary = _("People find %(model)s strongest: %(strength)s.") % {
            "model": best.labels[0],
            "strength": figure_text(best.figures[0], "logits"),
        }
    return Table(
        id="strengths",
        headline=first_of(rows),
        title=_("Strengths of target models from comparisons"),
        summary=summary,
        dimensions=(_("target model"), _("rater")),
        measures=(_("strength"),),
        unit="logits",
        rows=rows,
        recipe=results.recipe(
            "bradley_terry",
            **ANSWERS,
            **COMPARED,
            ties="Davidson's",
            centre="log strengths of the models that a rater compared add up to 0",
            variance="leaving out one prompt at a time, in one Newton step",
        ),
        chart="bars" if defined(rows) else "none",
        x=_("target model"),
        series=_("rater"),
        marked=_("rater"),
        note=_(
            "Two target models whose strengths differ by 1 are at odds of 2.7 to 1 where nobody says tie. There are no "
            "strengths where some were never compared with the others, or one never lost."
        ),
    )
