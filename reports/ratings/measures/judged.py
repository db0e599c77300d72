"""The figures of one judge, or of people under the same comparison, and what they are called."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from django.utils.translation import gettext as _

from agreement import judges as deviations
from agreement import preferences, scales
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure, Recipe, share
from agreement.order import NOTHING_DECIDED
from agreement.statistics import Statistic, mean_columns, share_of_sums
from reports.dashboard.columns import Floats, joined
from reports.dashboard.intervals import Block
from reports.ratings.measures.predictions import COLUMNS, Predictions, PredictionsByRater
from reports.ratings.results import RatingResults as Results

Key = TypeVar("Key", bound=Hashable)
#: How a recipe says it.
SCALES = (
    "questions of one ordered scale as one table; of several scales, or nominal ones, the mean of the figures of the "
    "questions, alpha nominal where grades have no order; MAD and signed error on one ordered scale alone"
)
NOT_ASKED = "no responses planned"
ONE_ORDER = "asked in one order"
#: In this order in every row of figures.
CLASSES = ("accuracy", "macro_f1")
CHANCE = ("alpha", "quadratic_kappa", "spearman")
OF_CLASSES = (*CLASSES, *CHANCE)
#: Columns of predictions that say on which scale each is.
SCALE = ("question", "lowest", "highest", "nominal")
MEASURES = (
    *CHANCE,
    *("mad", "signed_error"),
    *CLASSES,
    *("preference", "positional", "first_position", "scored"),
)


class Judged:
    """The figures of one judge, without intervals until they are drawn from its blocks."""

    def __init__(self, parts: Sequence[Predictions], options: PredictionsByRater):
        pool = {name: joined(parts, name) for name in COLUMNS}
        # Classes are those of the questions that were asked here; a project's other questions have no part in it.
        tables = scales.tables_of(*(pool[name] for name in SCALE))
        apart = scales.is_one_measure(*(pool[name] for name in SCALE[1:]))
        errors = np.full(len(pool["error"]), np.nan) if apart else pool["error"]
        known = errors[~np.isnan(errors)]
        away = deviation(known, np.zeros(len(known)))
        deviated = [Figure.without_value(apart, len(errors))] * 2 if apart else [away.mad, away.signed_error]
        accuracy = preferences.accuracy(pool["preference"], pool["verdict"], unparseable=options.policy, interval=False)
        nothing_first = NOTHING_DECIDED if len(pool["verdict"]) else NO_ITEMS
        self.pool, self.options, self.apart = pool, options, apart
        self.tables, self.errors = tables, errors
        self.classes = pool["truth"], pool["predicted"], tables, options.grade_policy
        self.names = (OF_CLASSES, ("mad", "signed_error"), ("preference",), ("positional",), ("first_position",))
        self.planned, self.scored = sum(part.planned for part in parts), sum(part.scored for part in parts)
        self.without_intervals: list[list[Figure]] = [
            deviated,
            [accuracy],
            [_mean(pool["same"], ONE_ORDER)],
            [_mean(pool["first_wins"], nothing_first)],
        ]

    @classmethod
    def of_each(cls, parts: Mapping[Key, Sequence[Predictions]], options: PredictionsByRater) -> dict[Key, Self]:
        """By rater, or by rater and whatever else. What is asked of the tables of classes is asked of all at once."""
        made = {one: cls(predictions, options) for one, predictions in parts.items()}
        sums = [(scales.confusion_sums(*one.classes), one.tables) for one in made.values()]
        of_classes = scales.figures_of_several(sums, OF_CLASSES)
        for one, figures in zip(made.values(), of_classes, strict=True):
            one.without_intervals.insert(0, list(figures.values()))
            one.take(one.without_intervals)
        return made

    def blocks(self) -> list[Block]:
        """What the intervals of the figures are drawn from, in their order."""
        ratio: list[Statistic] = [share_of_sums]
        pool = self.pool
        of_names = [scales.statistic(name, self.tables) for name in self.names[0]]
        right = preferences.accuracy_columns(pool["preference"], pool["verdict"], unparseable=self.options.policy)
        columns: list[tuple[Any, list[Statistic], str]] = [
            (scales.confusion_columns(*self.classes), of_names, "prompt"),
            (deviations.error_columns(self.errors), [deviations.mad, deviations.signed_error], "prompt"),
            (right, ratio, "contest_prompt"),
            (mean_columns(pool["same"]), ratio, "both_prompt"),
            (mean_columns(pool["first_wins"]), ratio, "contest_prompt"),
        ]
        return [
            Block(figures, of, statistics, pool[prompt])
            for figures, (of, statistics, prompt) in zip(self.without_intervals, columns, strict=True)
        ]

    def take(self, drawn: Sequence[Sequence[Figure]]) -> None:
        """These figures in place of those without intervals."""
        pairs = zip(self.names, drawn, strict=True)
        self.figures = {name: figure for names, of in pairs for name, figure in zip(names, of, strict=True)}

    def by_name(self) -> dict[str, Figure]:
        numbers = {"planned": self.planned, "scored": self.scored}
        figures = {name: figure.with_detail(**numbers) for name, figure in self.figures.items()}
        figures["scored"] = share(self.scored, self.planned, NOT_ASKED, **numbers)
        return {name: figures[name] for name in MEASURES}


def _mean(values: Floats, otherwise: str) -> Figure:
    known = values[~np.isnan(values)]
    return Figure(float(known.mean()), len(known)) if len(known) else Figure.without_value(otherwise)


# --- Words -----------------------------------------------------------------------------------------


def titles() -> dict[str, str]:
    return {
        "macro_f1": _("macro-F1"),
        "accuracy": _("accuracy"),
        "preference": _("preference accuracy"),
        "alpha": _("alpha"),
        "quadratic_kappa": _("quadratic kappa"),
        "spearman": _("Spearman"),
        "mad": _("MAD"),
        "signed_error": _("signed error"),
        "positional": _("positional agreement"),
        "first_position": _("first-position rate"),
        "scored": _("scored"),
    }


def measures(names: tuple[str, ...]) -> dict[str, Any]:
    names_shown = titles()
    of_grades = {names_shown[name]: "grade" for name in ("mad", "signed_error") if name in names}
    return {"measures": tuple(names_shown[name] for name in names), "units": of_grades}


def recipe(results: Results, metric: str, **more: Any) -> Recipe:
    return results.recipe(
        metric,
        prediction="one per answer: a judge asked in both orders gives two",
        unparseable=results.context.unparseable,
        classes="nearest grade of the question's own scale; macro-F1 over the grades of that scale",
        scales=SCALES,
        preference="inferred from the two grades; stated where there is no scale; a tie is a class",
        **more,
    )
