"""What people answered, and how far they agree on it, part by part."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.utils.translation import gettext as _

from agreement.alpha import alpha_with_interval
from agreement.figures import NO_ITEMS, Figure
from agreement.inference import with_interval
from agreement.statistics import mean_columns, ratio_of_sums, share_of_sums
from annotation.questionnaires.gold import level_of
from formats.layout import Type
from reports.dashboard.columns import joined
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import known_figures
from reports.questionnaires.reader import CHOSEN_PARTS, NO_MODEL, Key, Loaded, Values
from reports.questionnaires.results import ALL_MODELS
from reports.questionnaires.results import QuestionnaireResults as Results

GROUP = "answers"
#: Why free text has no alpha.
FREE_TEXT = "free text"
COLUMNS = ("item", "value", "rater", "prompt", "model", "expert")
Figures = dict[str, Any]


class Said(NamedTuple):
    """By what is compared, what people answered, and what of it agreement counts."""

    people: Mapping[Key, Values]
    agreed: Mapping[Key, Values]


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, Said]:
    """Per variety."""
    return {variety: Said(answered.people, answered.agreed) for variety, answered in loaded.items()}


def figures(parts: Sequence[Said], is_total: bool) -> Figures:
    """Of one variety, or of several put together.

    agreement  by key: alpha of first answers; answers, items, people. In total also chosen: by key and target model
    (ALL_MODELS of all) the share of each answer that could be chosen; means: likewise the mean of each grade, number
    and rank.
    """
    values, agreed = together([part.people for part in parts]), together([part.agreed for part in parts])
    if not values:
        return {}
    items = {(key.stage, one) for key, of_key in values.items() for one in np.unique(of_key.item).tolist()}
    people = {one for of_key in values.values() for one in np.unique(of_key.rater).tolist()}
    made: Figures = {
        "agreement": {
            key: (alpha_of(agreed[key]) if key in agreed else Figure.without_value(NO_ITEMS), *counts_of(of_key))
            for key, of_key in values.items()
        },
        "responses": len(items),
        "people": len(people),
    }
    if is_total:
        kinds = {key: of_key.part.type for key, of_key in values.items()}
        picked = [key for key, kind in kinds.items() if kind in CHOSEN_PARTS]
        graded = [key for key, kind in kinds.items() if kind not in CHOSEN_PARTS and kind != Type.TEXT]
        made["chosen"] = {key: {one: shares_of(some, key) for one, some in by_model(values[key])} for key in picked}
        made["means"] = {key: {one: mean_of(some) for one, some in by_model(values[key])} for key in graded}
    return made


def together(parts: Sequence[Mapping[Key, Values]]) -> dict[Key, Values]:
    keys = sorted({key for part in parts for key in part})
    return {key: pooled([part[key] for part in parts if key in part]) for key in keys}


def pooled(parts: Sequence[Values]) -> Values:
    return Values(parts[0].part, *(joined(parts, name) for name in COLUMNS))


# --- Figures of one part --------------------------------------------------------------------------------


def alpha_of(values: Values) -> Figure:
    """Undefined: "free text", and as `agreement.alpha.alpha`."""
    if values.part.type == Type.TEXT:
        return Figure.without_value(FREE_TEXT, len(values.value))
    return alpha_with_interval(values.item, values.value, values.rater, values.prompt, level_of(values.part))


def counts_of(values: Values) -> tuple[Figure, ...]:
    """Answers, items and people."""
    counts = (len(values.value), len(np.unique(values.item)), len(np.unique(values.rater)))
    return tuple(Figure(float(count), len(values.value)) for count in counts)


def mean_of(values: Values) -> Figure:
    """With an interval over prompts. n = answers."""
    figure = Figure(float(values.value.mean()), len(values.value))
    return with_interval(figure, mean_columns(values.value), ratio_of_sums, cluster=values.prompt)


def shares_of(values: Values, key: Key) -> tuple[tuple[str, Figure], ...]:
    """Of each answer that is offered its share of all answers, with an interval over prompts. n = answers."""
    offered = [(1, key.option)] if key.option else list(enumerate(values.part.options))
    n = len(values.value)
    made = []
    for value, option in offered:
        given = values.value == value
        columns = np.column_stack((given, np.ones(n)))
        figure = Figure(float(given.mean()), n)
        made.append((option, with_interval(figure, columns, share_of_sums, cluster=values.prompt)))
    return tuple(made)


def by_model(values: Values) -> Iterator[tuple[int, Values]]:
    """All target models together, then each where there are several."""
    yield ALL_MODELS, values
    found = [one for one in np.unique(values.model).tolist() if one != NO_MODEL]
    for one in found if len(found) > 1 else ():
        chosen = values.model == one
        yield one, Values(values.part, *(getattr(values, name)[chosen] for name in COLUMNS))


# --- Tables ---------------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [agreement(results), chosen(results), means(results)]


def agreement(results: Results) -> Table:
    """A row for each part in each variety, and in all of them together."""
    rows: list[Row] = []
    for variety, drill, pool in results.pools():
        for key in results.asked(pool.get("agreement", {})):
            rows.append(results.people_row((results.label(key), variety), pool["agreement"][key], drill))
    answers, items, people = _("answers"), _("items"), _("people")
    total = results.total().get("agreement", {})
    return Table(
        id="questionnaire-agreement",
        title=_("How far people agree"),
        summary=known_figures((results.label(key), total[key][0]) for key in results.asked(total)),
        dimensions=(_("question"), _("variety")),
        measures=(_("alpha"), answers, items, people),
        units={answers: "count", items: "count", people: "count"},
        rows=tuple(rows),
        recipe=results.recipe(
            "krippendorff_alpha",
            gold=False,
            level="nominal; ordinal of ordered answers, grades and ranks; interval of numbers",
            options="of any of several each by itself, chosen or not",
            answers=FIRST_ANSWERS,
        ),
    )


def chosen(results: Results) -> Table:
    """A row for each answer that could be chosen, of all target models and of each."""
    shares = results.total().get("chosen", {})
    rows = [
        results.people_row((results.question(key), option, results.model(model)), (figure,), {})
        for key in results.asked(shares)
        for model, of_model in shares[key].items()
        for option, figure in of_model
    ]
    return Table(
        id="questionnaire-choices",
        title=_("What is chosen"),
        dimensions=(_("question"), _("answer"), _("target model")),
        measures=(_("share"),),
        rows=tuple(rows),
        headline=NO_HEADLINE,
        recipe=results.recipe("share_of_answers", gold=False),
    )


def means(results: Results) -> Table:
    """A row for each grade, number and rank, of all target models and of each."""
    of_parts = results.total().get("means", {})
    rows = [
        results.people_row((results.question(key), results.model(model)), (figure,), {})
        for key in results.asked(of_parts)
        for model, figure in of_parts[key].items()
    ]
    return Table(
        id="questionnaire-means",
        title=_("Grades, numbers and ranks"),
        dimensions=(_("question"), _("target model")),
        measures=(_("mean"),),
        unit="grade",
        rows=tuple(rows),
        headline=NO_HEADLINE,
        recipe=results.recipe("mean", gold=False, ranks="1 is the best"),
    )
