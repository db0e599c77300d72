"""The alphas among the figures of ratings, and the rows each was made from (see reports/verification.py)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement import scales
from reports.dashboard.columns import Integers
from reports.dashboard.figures import Alphas, PartsOf
from reports.dashboard.names import PEOPLE, TOTAL
from reports.dashboard.setups import setup_labels
from reports.ratings.context import ALL, DIMENSION
from reports.ratings.measures import by_dimension, people, predictions
from reports.ratings.measures.judged import SCALE
from reports.ratings.results import RatingResults as Results
from reports.verification import Level, MeanOf, Ratings, Shown


def read(results: Results, parts: PartsOf) -> Iterator[Shown]:
    yield from of_people(results, parts)
    yield from of_judges(results, parts("judges", TOTAL))


def of_people(results: Results, parts: PartsOf) -> Iterator[Shown]:
    """People among themselves: by dimension and question type, and by dimension in each variety."""
    total = parts("people", TOTAL)
    for (what, subject), (alpha, *_others) in results.total("people").items():
        rows = grades(total, what, subject)
        if what == DIMENSION:
            yield Shown("ratings-by-dimension", (results.dimension(subject)[0],), _("alpha"), alpha, rows)
        else:
            dimension, question, _drill = results.question(subject)
            yield Shown("ratings-by-question", (question, dimension), _("alpha"), alpha, rows)
    places = [*(variety.id for variety in results.names.varieties), TOTAL]
    for place, (variety, _where, pool) in zip(places, results.pools("people"), strict=False):
        for (what, subject), (alpha, *_others) in pool.items():
            if what == DIMENSION:
                labels, rows = (results.dimension(subject)[0], variety), grades(parts("people", place), what, subject)
                yield Shown("ratings-by-variety", labels, _("alpha"), alpha, rows)


def grades(parts: Sequence[people.GradesOfPeople], what: str, subject: int) -> Ratings | MeanOf:
    """People's first grades of the items of a dimension or a question type; items of all parts numbered on."""
    items, values, of_scale = [], [], []
    before = 0
    for part in (one.agreed for one in parts):
        of_item = part.dimension if what == DIMENSION else part.question
        chosen = np.ones(len(part.item), dtype=bool) if subject == ALL else of_item[part.item] == subject
        items.append(part.item[chosen] + before)
        values.append(part.grade[chosen])
        of_scale.append([getattr(part, name)[part.item[chosen]] for name in SCALE])
        before += len(of_item)
    tables = scales.tables_of(*(np.concatenate(column) for column in zip(*of_scale, strict=True)))
    return of_tables(np.concatenate(items), np.concatenate(values), tables)


def of_tables(item: Integers, value: NDArray[Any], tables: Sequence[scales.Table]) -> Ratings | MeanOf:
    """Ratings, shape (N,), as the tables that share classes have them."""
    levels: list[Level] = ["ordinal" if table.is_ordered else "nominal" for table in tables]
    made = [Ratings(item[table.rows], value[table.rows], level) for table, level in zip(tables, levels, strict=True)]
    return made[0] if len(made) == 1 else MeanOf(made)


def of_judges(results: Results, parts: Sequence[predictions.PredictionsByRater]) -> Iterator[Shown]:
    """Each judge against gold; in the foot of both tables people against the gold of all others."""
    judged = results.total("judges")["judges"]
    rows = {rater: against_gold(parts, rater) for rater in judged}
    for rater, figures in judged.items():
        if rater != PEOPLE:
            yield Shown("judges-against-gold", (results.rater(rater),), _("alpha"), figures["alpha"], rows[rater])
    ways = {rater: way for rater, way in results.names.own.setups.items() if rater in judged}
    for rater, way in ways.items():
        yield Shown("judge-setups", setup_labels(way), _("alpha"), judged[rater]["alpha"], rows[rater])
    for (rater, dimension), figures in results.total("judges").get("by_dimension", {}).items():
        labels = (results.rater(rater), results.dimension(dimension)[0])
        own = against_gold(parts, rater, by_dimension.questions_of(parts, dimension))
        yield Shown("judges-by-dimension", labels, _("alpha"), figures["alpha"], own)
    if PEOPLE in judged and judged[PEOPLE]["alpha"].value is not None:
        tables = ("judges-against-gold", "judge-setups") if ways else ("judges-against-gold",)
        for table in tables:
            yield Shown(table, (_("Human ceiling"),), _("alpha"), judged[PEOPLE]["alpha"], rows[PEOPLE])


def against_gold(
    parts: Sequence[predictions.PredictionsByRater], one: int, questions: Integers | None = None
) -> Ratings | MeanOf:
    """Gold and prediction as two ratings of an item each, as classes; what could not be read is left out. `questions`:
    on these question types alone."""
    of_rater = [part.predictions[one] for part in parts if one in part.predictions]
    if questions is not None:
        of_rater = [by_dimension.within(each, questions) for each in of_rater]
    truth = np.concatenate([part.truth for part in of_rater])
    given = np.concatenate([part.predicted for part in of_rater])
    read = given >= 0
    item = np.arange(int(read.sum()))
    of_scale = [np.concatenate([getattr(part, name) for part in of_rater])[read] for name in SCALE]
    tables = scales.tables_of(*(np.tile(column, 2) for column in of_scale))
    return of_tables(np.concatenate((item, item)), np.concatenate((truth[read], given[read])), tables)


ALPHAS = Alphas(
    tables=(
        *("ratings-by-dimension", "ratings-by-variety", "ratings-by-question"),
        *("judges-against-gold", "judge-setups", "judges-by-dimension"),
    ),
    groups=("people", "judges"),
    read=read,
)
