"""Judges against gold: how near their predictions come to it, and to people's, and two judges compared."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement import bootstrap, classes, preferences
from agreement import judges as deviations
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure, share
from agreement.order import NOTHING_DECIDED
from reports.dashboard.calibration import Calibrated
from reports.dashboard.draws import SEED
from reports.ratings.draws import Block, with_intervals
from reports.ratings.groups import PEOPLE, Floats, Integers
from reports.ratings.habits import calibrated_grades, of_predictions
from reports.ratings.predictions import COLUMNS, Predictions, Statistics, classes_of, statistics

__all__ = ["figures", "statistics"]

NOT_ASKED = "no responses planned"
ONE_ORDER = "asked in one order"
#: In this order in every row of figures.
CLASSES = ("accuracy", "macro_f1")
CHANCE = ("alpha", "quadratic_kappa", "spearman")
MEASURES = (
    *CHANCE,
    *("mad", "signed_error"),
    *CLASSES,
    *("preference", "positional", "first_position", "scored"),
)


def figures(parts: Sequence[Statistics], is_total: bool, setups: tuple[int, int] | None = None) -> dict[str, Any]:
    """Of one setting, or of several put together, with intervals in total.

    "judges": by judge or PEOPLE, by name of MEASURES. In total "compared": the two judges, and by name of COMPARED the
    figure of the first, of the second, and their difference; "calibrated" as `calibrated.Calibrated.rows` by judge; and
    "evidence" of habits. setups  rater ids of the two; without them the two with
    the highest preference accuracy.
    """
    known = sorted({one for part in parts for one in part.predictions})
    made = {
        one: _Judged([part.predictions[one] for part in parts if one in part.predictions], parts[0]) for one in known
    }
    mapped: dict[int, Calibrated] = {}
    rows: dict[int, dict[str, tuple[Figure, ...]]] = {}
    if is_total:
        mapped = {one: calibrated_grades(judged.pool) for one, judged in made.items() if one != PEOPLE}
        blocks = [block for one in made.values() for block in one.blocks]
        of_maps = [
            Block(one.figures, one.columns, one.statistics, made[judge].pool["prompt"]) for judge, one in mapped.items()
        ]
        drawn = iter(with_intervals([*blocks, *of_maps]))
        for one in made.values():
            one.take([next(drawn) for _ in one.blocks])
        rows = {judge: one.rows(next(drawn)) for judge, one in mapped.items()}
    found: dict[str, Any] = {"judges": {one: judged.by_name() for one, judged in made.items()}}
    if is_total:
        found["calibrated"] = rows
        found["evidence"] = {
            key: figure for one in mapped for key, figure in of_predictions(one, made[one].pool).items()
        }
        pair = setups or best_two(found["judges"])
        found["compared"] = (pair, compared(*(made[one] for one in pair))) if pair and set(pair) <= set(made) else None
    return found


def best_two(judged: dict[int, dict[str, Figure]]) -> tuple[int, ...]:
    """The judges with the highest preference accuracy, or accuracy where no preference is known; () for fewer."""
    worth = {
        one: next(
            (figures[name].number for name in ("preference", "accuracy") if figures[name].value is not None), -1.0
        )
        for one, figures in judged.items()
        if one != PEOPLE
    }
    ranked = sorted(worth, key=lambda one: (-worth[one], one))
    return tuple(ranked[:2]) if len(ranked) > 1 else ()


class _Judged:
    """The figures of one judge, and the blocks that their intervals are drawn from."""

    def __init__(self, parts: Sequence[Predictions], options: Statistics):
        pool = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
        n_classes = classes_of(pool["lowest"], pool["highest"])
        columns = classes.confusion_columns(pool["truth"], pool["said"], n_classes, options.grade_policy)
        names = (*CLASSES, *CHANCE)
        of_classes = classes.figures(
            pool["truth"], pool["said"], n_classes, names, unparseable=options.grade_policy, interval=False
        )
        errors = pool["error"][~np.isnan(pool["error"])]
        away = deviation(errors, np.zeros(len(errors)))
        right = preferences.accuracy_columns(pool["preference"], pool["verdict"], unparseable=options.policy)
        found = preferences.accuracy(pool["preference"], pool["verdict"], unparseable=options.policy, interval=False)
        ratio = [bootstrap.ratio_of_sums]
        self.blocks = [
            Block(list(of_classes.values()), columns, [classes.STATISTICS[name] for name in names], pool["prompt"]),
            Block(
                [away.mad, away.signed_error],
                deviations.error_columns(pool["error"]),
                [deviations.mad, deviations.signed_error],
                pool["prompt"],
            ),
            Block([found], right, ratio, pool["contest_prompt"]),
            Block([_mean(pool["same"], ONE_ORDER)], bootstrap.mean_columns(pool["same"]), ratio, pool["both_prompt"]),
            Block(
                [_mean(pool["first_wins"], NOTHING_DECIDED if len(pool["verdict"]) else NO_ITEMS)],
                bootstrap.mean_columns(pool["first_wins"]),
                ratio,
                pool["contest_prompt"],
            ),
        ]
        self.pool, self.options = pool, options
        self.names = ((*names,), ("mad", "signed_error"), ("preference",), ("positional",), ("first_position",))
        self.planned, self.scored = sum(part.planned for part in parts), sum(part.scored for part in parts)
        self.take([list(block.figures) for block in self.blocks])

    def take(self, drawn: Sequence[Sequence[Figure]]) -> None:
        """These figures in place of those without intervals."""
        pairs = zip(self.names, drawn, strict=True)
        self.figures = {name: figure for names, of in pairs for name, figure in zip(names, of, strict=True)}

    def by_name(self) -> dict[str, Figure]:
        numbers = {"planned": self.planned, "scored": self.scored}
        found = {name: figure.with_detail(**numbers) for name, figure in self.figures.items()}
        found["scored"] = share(self.scored, self.planned, NOT_ASKED, **numbers)
        return {name: found[name] for name in MEASURES}


def _mean(values: Floats, otherwise: str) -> Figure:
    known = values[~np.isnan(values)]
    return Figure(float(known.mean()), len(known)) if len(known) else Figure.without_value(otherwise)


#: What two judges are compared by: statistics of a grade's columns, and of a preference's.
COMPARED = ("macro_f1", "accuracy", "quadratic_kappa", "mad", "preference")


def compared(first: _Judged, second: _Judged) -> dict[str, tuple[Figure, Figure, Figure]]:
    """By name of COMPARED: the figure of each on what both answered, and first less second with its p-value.

    Of a judge that answered an item in both orders, the two answers weigh a half each, so that an item weighs the
    same in both judges' figures.
    """
    policy, grade_policy = first.options.policy, first.options.grade_policy
    both = np.intersect1d(first.pool["item"], second.pool["item"])
    n_classes = classes_of(*(first.pool[name][np.isin(first.pool["item"], both)] for name in ("lowest", "highest")))

    def of_grades(one: _Judged) -> Floats:
        truth, said = one.pool["truth"], one.pool["said"]
        # What the other did not answer is left out below; its classes may be more.
        alike = np.isin(one.pool["item"], both)
        table = np.zeros((len(truth), n_classes * (n_classes + 1)))
        table[alike] = classes.confusion_columns(truth[alike], said[alike], n_classes, grade_policy)
        return np.hstack((table, deviations.error_columns(one.pool["error"])))

    def of_preferences(one: _Judged) -> Floats:
        return preferences.accuracy_columns(one.pool["preference"], one.pool["verdict"], unparseable=policy)

    def of_table(statistic: bootstrap.Statistic) -> bootstrap.Statistic:
        return lambda sums: statistic(sums[..., :-3])

    graded = [
        *(of_table(classes.STATISTICS[name]) for name in COMPARED[:-2]),
        lambda sums: deviations.mad(sums[..., -3:]),
    ]
    found: list[tuple[Figure, Figure, Figure]] = []
    for make, item, prompt, of_sums in (
        (of_grades, "item", "prompt", graded),
        (of_preferences, "contest", "contest_prompt", [bootstrap.ratio_of_sums]),
    ):
        sides, cluster = _alike(
            [make(one) for one in (first, second)],
            [one.pool[item] for one in (first, second)],
            [one.pool[prompt] for one in (first, second)],
        )
        found += _differences(sides, cluster, of_sums)
    return dict(zip(COMPARED, found, strict=True))


def _alike(columns: list[Floats], items: list[Integers], prompts: list[Integers]) -> tuple[list[Floats], Integers]:
    """The columns of each side by item, answers of an item averaged, on items that both answered; and their prompts."""
    means, known = [], []
    for column, item in zip(columns, items, strict=True):
        counted = column.any(axis=1)
        mine, at = np.unique(item[counted], return_inverse=True)
        n = np.bincount(at, minlength=len(mine))
        sums = np.column_stack([np.bincount(at, one, minlength=len(mine)) for one in column[counted].T])
        means.append(sums.reshape(len(mine), column.shape[1]) / n[:, None])
        known.append(mine)
    both, *places = np.intersect1d(known[0], known[1], assume_unique=True, return_indices=True)
    prompt_of, first = np.unique(items[0], return_index=True)
    cluster = prompts[0][first[np.searchsorted(prompt_of, both)]]
    return [mean[place] for mean, place in zip(means, places, strict=True)], cluster


def _differences(
    sides: list[Floats], cluster: Integers, statistics: Sequence[bootstrap.Statistic]
) -> list[tuple[Figure, Figure, Figure]]:
    n = len(cluster)
    between = bootstrap.paired_differences(sides[0], sides[1], statistics, seed=SEED, cluster=cluster)
    found = []
    for statistic, difference in zip(statistics, between, strict=True):
        values = [float(statistic(side.sum(axis=0))) if n else np.nan for side in sides]
        alone = [Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n) for value in values]
        found.append((alone[0], alone[1], difference))
    return found
