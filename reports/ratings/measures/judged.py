"""The figures of one judge, or of people under the same comparison, and what they are called."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import judges as deviations
from agreement import preferences, scales
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure, Recipe, share
from agreement.order import NOTHING_DECIDED
from agreement.statistics import mean_columns, share_of_sums
from reports.dashboard.columns import Floats
from reports.dashboard.intervals import Block
from reports.ratings.measures.predictions import COLUMNS, Predictions, PredictionsByRater
from reports.ratings.results import RatingResults as Results

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
#: Columns of predictions that say on which scale each is.
SCALE = ("question", "lowest", "highest", "nominal")
MEASURES = (
    *CHANCE,
    *("mad", "signed_error"),
    *CLASSES,
    *("preference", "positional", "first_position", "scored"),
)


class Judged:
    """The figures of one judge, and the blocks that their intervals are drawn from."""

    def __init__(self, parts: Sequence[Predictions], options: PredictionsByRater):
        pool = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
        # Classes are those of the questions that were asked here; a project's other questions have no part in it.
        tables = scales.tables_of(*(pool[name] for name in SCALE))
        columns = scales.confusion_columns(pool["truth"], pool["predicted"], tables, options.grade_policy)
        names = (*CLASSES, *CHANCE)
        of_classes = scales.figures(columns, tables, names)
        apart = scales.is_one_measure(*(pool[name] for name in SCALE[1:]))
        errors = np.full(len(pool["error"]), np.nan) if apart else pool["error"]
        known = errors[~np.isnan(errors)]
        away = deviation(known, np.zeros(len(known)))
        deviated = [Figure.without_value(apart, len(errors))] * 2 if apart else [away.mad, away.signed_error]
        right = preferences.accuracy_columns(pool["preference"], pool["verdict"], unparseable=options.policy)
        accuracy = preferences.accuracy(pool["preference"], pool["verdict"], unparseable=options.policy, interval=False)
        ratio, of_names = [share_of_sums], [scales.statistic(name, tables) for name in names]
        self.blocks = [
            Block(list(of_classes.values()), columns, of_names, pool["prompt"]),
            Block(
                deviated,
                deviations.error_columns(errors),
                [deviations.mad, deviations.signed_error],
                pool["prompt"],
            ),
            Block([accuracy], right, ratio, pool["contest_prompt"]),
            Block([_mean(pool["same"], ONE_ORDER)], mean_columns(pool["same"]), ratio, pool["both_prompt"]),
            Block(
                [_mean(pool["first_wins"], NOTHING_DECIDED if len(pool["verdict"]) else NO_ITEMS)],
                mean_columns(pool["first_wins"]),
                ratio,
                pool["contest_prompt"],
            ),
        ]
        self.pool, self.options, self.apart = pool, options, apart
        self.names = ((*names,), ("mad", "signed_error"), ("preference",), ("positional",), ("first_position",))
        self.planned, self.scored = sum(part.planned for part in parts), sum(part.scored for part in parts)
        self.take([list(block.figures) for block in self.blocks])

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
