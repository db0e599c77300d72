"""Judges beside people, part by part: each against the gold of what people answered."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from django.utils.translation import gettext as _

from agreement.alpha import alpha, alpha_of_coincidences, alpha_with_interval, coincidence_columns
from agreement.figures import NO_ITEMS, Figure
from agreement.inference import with_interval
from agreement.statistics import mean_columns, ratio_of_sums
from agreement.wide_scales import MANY_VALUES, Moments, alpha_of_moments
from annotation.questionnaires.gold import level_of
from formats.layout import Type
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.questionnaires.consensus import gold_of
from reports.questionnaires.measures.answers import COLUMNS, together
from reports.questionnaires.reader import CHOSEN_PARTS, Answered, Key, Loaded, Values
from reports.questionnaires.results import QuestionnaireResults as Results

GROUP = "judges"
#: Why what was chosen lies neither above nor below another answer.
NO_GRADES = "grades without an order"


class Beside(NamedTuple):
    """What a judge answered where there is gold: its value, the gold and the prompt of each item, shape (N,)."""

    value: Floats
    gold: Floats
    prompt: Integers


def statistics(loaded: Loaded, context: BaseContext) -> Loaded:
    """Per variety, what people and what judges answered."""
    return loaded


def figures(parts: Sequence[Answered], is_total: bool) -> dict[str, Any]:
    """Of one variety, or of several put together.

    beside  by judge and key: alpha with gold, share of the same answers, signed error, alpha of people on the same
            items (first answers), and the number of items.
    """
    people = together([part.people for part in parts])
    agreed = together([part.agreed for part in parts])
    gold = {key: gold_of(values) for key, values in people.items() if values.part.type != Type.TEXT}
    made: dict[tuple[int, Key], tuple[Figure, ...]] = {}
    judges = sorted({judge for part in parts for judge in part.judges})
    panels = frozenset().union(*(part.panels for part in parts))
    items: set[tuple[int, int]] = set()
    for judge in judges:
        for key, given in together([part.judges.get(judge, {}) for part in parts]).items():
            if key not in gold:
                continue
            truth = gold[key].of(given.item)
            known = ~np.isnan(truth)
            items |= {(key.stage, one) for one in given.item[known].tolist()}
            of_people = agreed.get(key, people[key])
            shared = np.isin(of_people.item, given.item[known])
            beside = Beside(given.value[known], truth[known], given.prompt[known])
            made[judge, key] = (*against_gold(beside, given), alpha_of_people(of_people, shared), _count(beside))
    if not made:
        return {}
    return {"beside": made, "responses": len(items), "judges": len(set(judges) - panels)}


def against_gold(beside: Beside, values: Values) -> tuple[Figure, ...]:
    """Krippendorff's alpha of judge and gold as two raters, the share of items on which both are the same, and the mean
    of judge less gold, each with an interval over prompts. n = items."""
    n = len(beside.gold)
    if not n:
        return (Figure.without_value(NO_ITEMS),) * 3
    same = (np.abs(beside.value - beside.gold) < 1e-9).astype(float)
    error = beside.value - beside.gold
    return (
        alpha_with_gold(beside, level_of(values.part)),
        _mean(same, beside.prompt),
        Figure.without_value(NO_GRADES, n) if not has_order(values) else _mean(error, beside.prompt),
    )


def alpha_with_gold(beside: Beside, level: str) -> Figure:
    """The two are no sample of raters, so the interval is over prompts alone."""
    n = len(beside.gold)
    items = np.tile(np.arange(n), 2)
    values = np.concatenate((beside.value, beside.gold))
    figure = alpha(items, values, level)
    if figure.value is None:
        return figure
    domain, codes = np.unique(values, return_inverse=True)
    if level == "interval" and len(domain) > MANY_VALUES:
        return with_interval(figure, Moments(items, values).columns, alpha_of_moments, cluster=beside.prompt)
    table = np.zeros((n, len(domain)), dtype=np.int64)
    np.add.at(table, (items, codes), 1)
    of_sums = alpha_of_coincidences(domain, level)
    return with_interval(figure, coincidence_columns(table), of_sums, cluster=beside.prompt)


def alpha_of_people(values: Values, shared: Flags) -> Figure:
    """How far people agree on the items that the judge answered: what a judge can be expected to reach."""
    item, value, rater, prompt = (getattr(values, name)[shared] for name in COLUMNS[:4])
    return alpha_with_interval(item, value, rater, prompt, level_of(values.part))


def has_order(values: Values) -> bool:
    """Whether an answer lies above or below another; of ordered answers by their places."""
    return values.part.type not in CHOSEN_PARTS or values.part.is_ordered


def _mean(values: Floats, prompts: Integers) -> Figure:
    figure = Figure(float(values.mean()), len(values))
    return with_interval(figure, mean_columns(values), ratio_of_sums, cluster=prompts)


def _count(beside: Beside) -> Figure:
    return Figure(float(len(beside.gold)), len(beside.gold))


# --- Tables ---------------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    """A row for each judge and part in each variety, and in all of them together."""
    rows: list[Row] = []
    for variety, drill, pool in results.pools(GROUP):
        made = pool.get("beside", {})
        for key in results.asked({key for _judge, key in made}):
            rows += [
                results.row(judge, (results.label(key), results.rater(judge), variety), of_judge, **drill)
                for (judge, of), of_judge in made.items()
                if of == key
            ]
    items, error = _("items"), _("signed error")
    return [
        Table(
            id="questionnaire-judges",
            title=_("Judges beside people"),
            dimensions=(_("question"), _("judge"), _("variety")),
            measures=(_("alpha"), _("same answer"), error, _("alpha of people"), items),
            units={error: "grade", items: "count"},
            rows=tuple(rows),
            headline=NO_HEADLINE,
            recipe=results.recipe(
                "krippendorff_alpha",
                level="nominal; ordinal of ordered answers, grades and ranks; interval of numbers",
                compared="judge and gold as two raters; signed error is judge less gold",
                people=FIRST_ANSWERS,
            ),
        )
    ]
