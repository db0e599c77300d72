"""What people say: grades by dimension and by question type, and how far people agree on them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy
from django.utils.translation import gettext as _

from agreement import chance, consensus, crossed, scales, within
from agreement.alpha import alpha_from_counts, alpha_of_coincidences, coincidence_columns, dense_coincidences
from agreement.figures import NO_ITEMS, Figure
from agreement.intersection import Cells
from agreement.statistics import share_of_sums
from agreement.units import WIDE
from reports.dashboard.columns import Flags, Floats, Integers, each_variety, joined
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.tables import HEADING, NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text, number
from reports.ratings.context import ALL, DIMENSION, QUESTION, Context
from reports.ratings.measures.cells import (
    CountedCell,
    OneScale,
    ac_columns,
    ac_figure,
    mean,
    moments,
    spread_figure,
    standard_deviation,
    without_values,
)
from reports.ratings.measures.questions import block_of_questions, mean_figure, mean_on_scale
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "people"
#: How a recipe says it.
SCALES = (
    "questions of one ordered scale together; of several scales, or nominal ones, alpha and AC are the means of the "
    "questions', and means of grades and agreement within a grade are of one ordered scale alone"
)


@dataclass(frozen=True, eq=False)
class GradesOfPeople:
    """Of one variety. Items that people graded: dimension and question type by id, lowest and highest grade of its
    scale and whether its grades are names without an order, prompt, shape (I,). Their grades: index of the item, rater,
    grade, shape (G,). `at_first`  the same of first answers, where any was amended or sent back since."""

    dimension: Integers
    question: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags
    prompt: Integers
    item: Integers
    rater: Integers
    grade: Floats
    at_first: "GradesOfPeople | None" = None

    @property
    def agreed(self) -> "GradesOfPeople":
        """Those that agreement counts."""
        return self.at_first or self


def statistics(loaded: Loaded, context: Context) -> dict[int, GradesOfPeople]:
    """Per variety."""
    parts = _grades_of_people(loaded)
    first = _grades_of_people(loaded.at_first) if loaded.at_first else {}
    return {variety: replace(part, at_first=first.get(variety)) for variety, part in parts.items()}


def _grades_of_people(loaded: Loaded) -> dict[int, GradesOfPeople]:
    grades, items, questions = loaded.grades, loaded.items, loaded.questions
    people = np.flatnonzero(grades.by_human)
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, loaded.items.variety):
        chosen = people[in_variety[grades.item[people]]]
        places, item = np.unique(grades.item[chosen], return_inverse=True)
        asked = items.question[places]
        parts[variety] = GradesOfPeople(
            questions.dimension[asked],
            questions.id[asked],
            questions.lowest[asked],
            questions.highest[asked],
            questions.nominal[asked],
            items.prompt[places],
            item,
            grades.rater[chosen],
            grades.grade[chosen],
        )
    return parts


def figures(parts: Sequence[GradesOfPeople], is_total: bool) -> dict[tuple[str, int], tuple[Figure, ...]]:
    """Of one variety, or of several put together.

    By ("dimension", id or ALL), in total by ("question", id) too: alpha, Gwet's AC, agreement within 1, mean, standard
    deviation, ratings, items, raters. Intervals over prompts; of the first three, which speak of people in general,
    over raters too. The first three count each person's first answer, all others the one that stands.
    """
    pool = _pooled(parts)
    if not len(pool.grade):
        return {}
    at_first = any(part.at_first for part in parts)
    agreed = _pooled([part.agreed for part in parts]) if at_first else None
    agreement = {key: _drawn(cell.agreement) for key, cell in _counted(agreed, is_total)} if agreed else {}
    made: dict[tuple[str, int], tuple[Figure, ...]] = {}
    for key, cell in _counted(pool, is_total):
        own = agreement.get(key, [Figure.without_value(NO_ITEMS)] * 3) if agreed else _drawn(cell.agreement)
        made[key] = (*mean_on_scale([*own, *_drawn([cell.means])], 3, cell.ends), *cell.counts)
    return made


def _drawn(blocks: Sequence[Block]) -> list[Figure]:
    return [figure for block in with_intervals(blocks) for figure in block]


def _counted(pool: GradesOfPeople, is_total: bool) -> Iterator[tuple[tuple[str, int], "CountedCell | _Cell"]]:
    """Key and cell of each, but those without a grade."""
    scale = _one_scale(pool) if len(pool.grade) else None
    for key, chosen in _cells(pool, is_total) if len(pool.grade) else ():
        yield key, scale.cell(chosen) if scale else _Cell(pool, chosen)


def _one_scale(pool: GradesOfPeople) -> OneScale | None:
    """Where all grades are on one ordered scale of few grades, what cells have in common."""
    lowest, highest = int(pool.lowest[0]), int(pool.highest[0])
    if scales.is_one_measure(pool.lowest, pool.highest, pool.nominal) or (highest - lowest + 1) ** 2 > WIDE:
        return None
    scale = OneScale(pool.item, pool.rater, pool.grade, pool.prompt, (lowest, highest))
    if not scale.is_small:
        return None
    scale.count()
    return scale


def _pooled(parts: Sequence[GradesOfPeople]) -> GradesOfPeople:
    """Of all parts, items numbered on."""
    sizes = np.cumsum([0, *(len(part.question) for part in parts)])
    of = partial(joined, parts)
    scale = of("lowest"), of("highest"), of("nominal")
    item = np.concatenate([part.item + start for part, start in zip(parts, sizes, strict=False)])
    return GradesOfPeople(of("dimension"), of("question"), *scale, of("prompt"), item, of("rater"), of("grade"))


def _cells(pool: GradesOfPeople, is_total: bool) -> Iterator[tuple[tuple[str, int], Flags]]:
    """Key and items of each cell."""
    yield (DIMENSION, ALL), np.ones(len(pool.question), dtype=bool)
    for dimension in np.unique(pool.dimension).tolist():
        yield (DIMENSION, dimension), pool.dimension == dimension
    for question in np.unique(pool.question).tolist() if is_total else []:
        yield (QUESTION, question), pool.question == question


class _Cell:
    """The grades of some items: counts, and the blocks of the figures that have intervals, as of `CountedCell`.

    Items of one ordered scale are one pool. Of several scales, or of grades without an order, alpha is the mean of the
    questions', and what adds grades up or asks how far they are apart has no value.
    """

    def __init__(self, pool: GradesOfPeople, chosen: Flags):
        of_cell = chosen[pool.item]
        place = np.cumsum(chosen) - 1
        item, grade = place[pool.item[of_cell]], pool.grade[of_cell]
        raters, rater = np.unique(pool.rater[of_cell], return_inverse=True)
        n_items, n, n_raters, prompt = int(chosen.sum()), len(grade), len(raters), pool.prompt[chosen]
        self.counts = tuple(Figure(float(number), n) for number in (n, n_items, n_raters))
        of_scale = [column[chosen] for column in (pool.question, pool.lowest, pool.highest, pool.nominal)]
        apart = scales.is_one_measure(*of_scale[1:])
        _asked, lowest, highest, _nominal = of_scale
        self.ends = () if apart else (float(lowest[0]), float(highest[0]))
        alphas = [
            _AlphaPart((item, grade, rater), n_items, table, (lowest[table.rows[0]], highest[table.rows[0]]), n_raters)
            for table in scales.tables_of(*of_scale)
        ]
        cells = alphas[0].ratings.cells(prompt) if len(alphas) == 1 else None
        self.agreement = [_alpha_block(alphas, prompt, cells), _ac_block(alphas, prompt, cells)]
        if apart:
            self.agreement.append(without_values(apart, n, prompt, 1))
            self.means = without_values(apart, n, prompt, 2)
        else:
            [one] = alphas
            pairs = within.agreement_within(one.table, one.domain, interval=False)
            pairs_of = partial(within.pair_columns, domain=one.domain)
            near, lost = one.columns_and_lost(pairs_of)
            without = crossed.what_is_left(near, lost), one.ratings.answers(pairs_of, one.ratings.cells(prompt))
            self.agreement.append(Block([pairs], near, [share_of_sums], prompt, *without))
            of_means = [Figure(float(grade.mean()), n), spread_figure(grade)]
            self.means = Block(of_means, moments(one.table, one.domain), [mean, standard_deviation], prompt)


def _alpha_block(alphas: Sequence["_AlphaPart"], prompt: Integers, cells: Cells | None) -> Block:
    columns, lost = zip(*(part.columns_and_lost(part.coincidences) for part in alphas), strict=True)
    figure, statistics = mean_figure([part.figure for part in alphas]), [part.statistic for part in alphas]
    answers = None if cells is None else alphas[0].ratings.answers(alphas[0].coincidences, cells)
    return block_of_questions(figure, columns, statistics, lost, prompt, answers)


def _ac_block(alphas: Sequence["_AlphaPart"], prompt: Integers, cells: Cells | None) -> Block:
    columns, lost = zip(*(part.columns_and_lost(part.ac_columns) for part in alphas), strict=True)
    figure = mean_figure([part.ac_figure(one) for part, one in zip(alphas, columns, strict=True)])
    answers = None if cells is None else alphas[0].ratings.answers(alphas[0].ac_columns, cells)
    return block_of_questions(figure, columns, [part.ac_statistic for part in alphas], lost, prompt, answers)


class _AlphaPart:
    """Alpha and AC of the grades of some rows of a cell, and the columns of all of the cell's items that they are
    drawn from. AC knows its whole scale, of which the values given and the two ends are enough to reckon with."""

    def __init__(
        self,
        ratings: tuple[Integers, Floats, Integers],
        n_items: int,
        table: scales.Table,
        ends: tuple[int, int],
        n_raters: int,
    ):
        item, grade, rater = ratings
        here = np.isin(np.arange(n_items), table.rows)[item]
        level, self.weights = ("ordinal", "quadratic") if table.is_ordered else ("nominal", "unweighted")
        self.domain, code = np.unique(grade[here], return_inverse=True)
        self.table = consensus.value_counts(item[here], code, n_items, len(self.domain))
        self.ratings = crossed.CountedRatings(self.table, item[here], code, rater[here], n_raters)
        self.figure = alpha_from_counts(self.table, self.domain, level)
        self.statistic = alpha_of_coincidences(self.domain, level)
        self.scale = np.union1d(self.domain, np.asarray(ends, dtype=float))
        self.n_values = int(self.scale[-1] - self.scale[0]) + 1
        self.ac_statistic = chance.ac_statistic(self.scale, self.weights, self.n_values)

    def coincidences(self, table: Any) -> Any:
        """`coincidence_columns`; sparse where a scale is so long that most of them are 0."""
        return dense_coincidences(table) if table.shape[1] ** 2 <= WIDE else coincidence_columns(table)

    def ac_columns(self, table: Any) -> Any:
        columns = ac_columns(table, self.domain, self.scale, self.weights)
        return columns if columns.shape[1] <= WIDE else scipy.sparse.csr_array(columns)

    def ac_figure(self, columns: Any) -> Figure:
        return ac_figure(columns, self.ac_statistic, self.weights, self.n_values)

    def columns_and_lost(self, columns_of: Callable[[Any], Any]) -> tuple[Any, Any]:
        """Columns that are made of the value counts, and what their sums lose without each rater."""
        return self.ratings.columns(columns_of), self.ratings.lost(columns_of)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [by_dimension(results), by_variety(results), by_question(results)]


def shape(results: Results, **more: Any) -> dict[str, Any]:
    return {
        "measures": (
            _("alpha"),
            _("Gwet's AC"),
            _("agreement within 1"),
            _("mean grade"),
            _("standard deviation"),
            _("ratings"),
            _("items"),
            _("raters"),
        ),
        "units": {
            **dict.fromkeys((_("ratings"), _("items"), _("raters")), "count"),
            **dict.fromkeys((_("mean grade"), _("standard deviation")), "grade"),
        },
        "marked": HEADING,
        "recipe": results.recipe(
            "people_agreement",
            gold=False,
            alpha="Krippendorff, ordinal; nominal where grades have no order",
            ac="Gwet's AC2, quadratic weights; AC1 where grades have no order; over the question's whole scale",
            scales=SCALES,
            within=1,
            item="a response on a question type",
            raters="all people, experts too; answers to checks left out",
            answers=FIRST_ANSWERS,
            **more,
        ),
        "note": _(
            "An item is a response as rated on one question type. Ratings of judges are not here. Where nearly "
            "everything has the same grade, alpha falls towards 0 although people hardly differ; Gwet's AC does not."
        ),
    }


def summary(figures_by_cell: dict[tuple[str, int], tuple[Figure, ...]]) -> str:
    of_all = figures_by_cell.get((DIMENSION, ALL))
    if of_all is None:
        return _("Nobody has graded a response yet.")
    alpha, _ac, near, _mean, _spread, ratings, items, raters = of_all
    words = _("%(raters)s people gave %(ratings)s grades on %(items)s items.")
    if alpha.value is not None:
        words = _("%(raters)s people gave %(ratings)s grades on %(items)s items: alpha %(alpha)s.")
        if near.value is not None:
            words = _(
                "%(raters)s people gave %(ratings)s grades on %(items)s items: alpha %(alpha)s; two people differ by "
                "at most one grade in %(near)s of cases."
            )
    return words % {
        "raters": number(raters.number, "count"),
        "ratings": number(ratings.number, "count"),
        "items": number(items.number, "count"),
        "alpha": figure_text(alpha),
        "near": figure_text(near),
    }


def by_dimension(results: Results) -> Table:
    figures_by_cell = results.total()
    rows = []
    for (what, subject), figures in figures_by_cell.items():
        if what == DIMENSION:
            label, drill = results.dimension(subject)
            rows.append(results.people_row((label,), figures, drill))
    return Table(
        id="ratings-by-dimension",
        title=_("Grades by dimension"),
        summary=summary(figures_by_cell),
        dimensions=(_("dimension"),),
        rows=ordered(results, rows),
        **shape(results),
    )


def ordered(results: Results, rows: list[Row]) -> tuple[Row, ...]:
    """Dimensions as the project has them, all of them together last."""
    place = {label: at for at, (_slug, label) in enumerate(results.names.own.dimensions.values())}
    return tuple(sorted(rows, key=lambda row: place.get(row.labels[0], len(place))))


def by_variety(results: Results) -> Table:
    rows: list[Row] = []
    for variety, where, pool in results.pools():
        of_variety = []
        for (what, subject), figures in pool.items():
            if what == DIMENSION:
                label, drill = results.dimension(subject)
                of_variety.append(results.people_row((label, variety), figures, {**where, **drill}))
        rows += ordered(results, of_variety)
    alphas = [
        (row.figures[0].number, row.labels[1])
        for row in rows
        if row.figures[0].value is not None and "variety" in row.drill and "dimension" not in row.drill
    ]
    return Table(
        id="ratings-by-variety",
        title=_("Grades by variety and dimension"),
        summary=_("Alpha of all dimensions runs from %(lowest)s (%(worst)s) to %(highest)s (%(best)s).")
        % {
            "lowest": number(min(alphas)[0]),
            "worst": min(alphas)[1],
            "highest": number(max(alphas)[0]),
            "best": max(alphas)[1],
        }
        if alphas
        else summary(results.total()),
        dimensions=(_("dimension"), _("variety")),
        rows=tuple(rows),
        chart="heat",
        x=_("dimension"),
        series=_("variety"),
        **shape(results, split="variety and dimension"),
    )


def by_question(results: Results) -> Table:
    figures_by_cell = results.total()
    rows: list[Row] = []
    for pk in results.names.own.questions:
        if (QUESTION, pk) in figures_by_cell:
            dimension, label, drill = results.question(pk)
            rows.append(results.people_row((label, dimension), figures_by_cell[QUESTION, pk], drill))
    return Table(
        id="ratings-by-question",
        headline=NO_HEADLINE,
        title=_("Grades by question type"),
        summary=summary(figures_by_cell),
        dimensions=(_("question type"), _("dimension")),
        rows=tuple(rows),
        x=_("question type"),
        **shape(results, split="question type"),
    )
