"""Judges and people on the same footing: both against what the other people said, on the same answers.

Against the full gold a person who had a part in it comes out too well, and against the gold without it a judge is
compared with another reference than the person. Here each answer of a person makes a row: what the person said and what
the judge said of the same thing, against the reference that is left without either. A person who posed as a judge would
come out equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement import inference, judges
from agreement.deviation import mean_of_others
from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.multiplicity import LEVEL, corrected
from agreement.rater_means import RaterMeans, rater_means
from agreement.statistics import Scale, Statistic, scale_of
from projects.enumeration import enumerated
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.results import Results
from reports.dashboard.tables import HEADING, NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text

#: Comparisons that a sentence names; of more it says how many.
NAMED_AT_MOST = 4
#: With fewer people an interval would hold the difference from people in general less often than it says.
PEOPLE_AT_LEAST = 6

NOTE = gettext_lazy(
    "Each answer of a person is a row: the person and the judge are compared with what the others said, without this "
    "person and without the judge. Judges against the full gold stand in the last column. The p-values are corrected "
    "for all comparisons of this table (Holm). Intervals are of other prompts and other people; with fewer than six "
    "people there is none."
)


@dataclass(frozen=True, eq=False)
class Sides:
    """Columns of the judge and of the person in the same rows, shape (N, k) each, arrays or sparse; the prompt and the
    person of each row and what it weighs, shape (N,); and how many rows say anything."""

    judge: Any
    person: Any
    prompt: Integers
    rater: Integers
    weight: Floats
    n: int


@dataclass(frozen=True)
class Footing:
    judge: Figure
    person: Figure
    difference: Figure


def compared(sides: Sides, statistics: Sequence[Statistic]) -> list[Footing]:
    """One for each statistic; n = answers of people. Undefined: "no items", or undefined on one side.

    Each is that of one person after the other beside the judge on the same answers, then the mean over people, each
    with the weight of the own rows (`agreement.rater_means` says why). Intervals are over prompts and people: who else
    might have been asked. A person is left out with the own rows; what others are compared with stays, which is enough
    from six people on (`tests/reports/test_footing_coverage.py`). With fewer there is no interval, "too few raters".
    """
    if not sides.n:
        nothing = Figure.without_value(NO_ITEMS)
        return [Footing(nothing, nothing, nothing) for _statistic in statistics]
    options: dict[str, Any] = {"rater": sides.rater, "prompt": sides.prompt, "weight": sides.weight}
    means = rater_means(sides.judge, sides.person, statistics, **options)
    return [
        _footing(of_both, scale_of(statistic), sides.n) for of_both, statistic in zip(means, statistics, strict=True)
    ]


def _footing(means: RaterMeans, scale: Scale, n: int) -> Footing:
    if np.isnan(means.value).any():
        nothing = Figure.without_value(NO_ITEMS)
        return Footing(nothing, nothing, Figure.without_value(inference.ONE_SIDE, n))
    judge, person = (
        inference.with_bounds(
            Figure(float(means.value[side]), n),
            means.without_prompt[side],
            scale,
            without_rater=means.without_rater[side],
            raters_at_least=PEOPLE_AT_LEAST,
            telling=int(means.telling[side]) if scale is Scale.SHARE else None,
        )
        for side in (0, 1)
    )
    less, without, without_rater = (one[0] - one[1] for one in (means.value, means.without_prompt, means.without_rater))
    difference = Figure(float(less), n)
    if len(without) < 2:
        return Footing(judge, person, Figure.without_value(TOO_FEW, n))
    return Footing(
        judge,
        person,
        inference.difference_with_bounds(difference, without, scale, without_rater, PEOPLE_AT_LEAST),
    )


def pairs_of(answers: Integers, judged: Integers) -> tuple[Integers, Integers]:
    """Every answer of a person with every answer of the judge to the same thing: places in both.

    answers, judged  what each is about, shapes (A,) and (J,).
    """
    order = np.argsort(judged, kind="stable")
    begin = np.searchsorted(judged[order], answers, side="left")
    times = np.searchsorted(judged[order], answers, side="right") - begin
    place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    return np.repeat(np.arange(len(answers)), times), order[np.repeat(begin, times) + place]


def deviations(
    item: Integers,
    score: Floats,
    prompt: Integers,
    rater: Integers,
    judged_item: Integers,
    judged_score: Floats,
    beside: Flags | None = None,
) -> Sides:
    """|e| and e of scores against the mean of the other people's, for `judges.mad` and `judges.signed_error`.

    item, score, prompt, rater  of each score of a person, shape (A,). judged_item, judged_score  of the judge, shape
    (J,).
    beside  which of people's scores stand beside the judge, shape (A,), all by default: the others are part of the
            reference alone.
    """
    reference = mean_of_others(item, score)
    person, judge = pairs_of(item, judged_item)
    known = ~np.isnan(reference[person]) & ~np.isnan(judged_score[judge])
    if beside is not None:
        known &= beside[person]
    person, judge = person[known], judge[known]
    return Sides(
        judges.error_columns(judged_score[judge] - reference[person]),
        judges.error_columns(score[person] - reference[person]),
        prompt[person],
        rater[person],
        np.ones(len(person)),
        len(person),
    )


def deviations_compared(sides: Sides) -> list[Footing]:
    """MAD and signed error of both sides."""
    return compared(sides, [judges.mad, judges.signed_error])


# --- Table --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """One judge in one measure: its title, both sides, and the judge against the full gold.

    task  what people beside it did, where they did different things; is_of_task  whether the judge did the same.
    """

    judge: int
    measure: str
    footing: Footing
    full: Figure
    is_better_above: bool | None = True
    task: str = ""
    is_of_task: bool = True


def table(
    results: Results,
    rows: Iterable[Compared],
    recipe: Mapping[str, Any],
    unit: str = "share",
    table_id: str = "judges-beside-people",
    title: str = "",
    by_task: bool = False,
) -> Table:
    """rows  in the order in which they stand. recipe  what the area's comparison was told. by_task  whether people
    beside a judge did different things, which a column then says."""
    shown = [row for row in rows if row.footing.difference.n]
    p = corrected([row.footing.difference for row in shown])
    return Table(
        id=table_id,
        headline=NO_HEADLINE,
        title=title or _("Judges beside people, on the same footing"),
        summary=in_words(results, shown, p),
        dimensions=(_("judge"), _("measure"), *((_("people beside it"), _("task")) if by_task else ())),
        measures=(
            _("the judge"),
            _("a person"),
            _("judge less person"),
            _("p, corrected"),
            _("the judge against the full gold"),
        ),
        rows=tuple(
            Row(
                (results.rater(row.judge), row.measure, *((row.task, of_which_task(row)) if by_task else ())),
                (row.footing.judge, row.footing.person, row.footing.difference, of_row, row.full),
                results.by_rater(row.judge),
                results.marks(row.judge),
            )
            for row, of_row in zip(shown, p, strict=True)
        ),
        recipe=results.recipe(
            "judge_less_person",
            reference="what the other people said, without this person and without the judge",
            rows="answers of people to what the judge answered too",
            people="each by the own answers, the judge on the same; then the mean, weighed by answers",
            correction="Holm, over all rows",
            drawn=False,
            interval=f"{inference.CROSSED}, 95 %",
            people_at_least=PEOPLE_AT_LEAST,
            **recipe,
        ),
        unit=unit,
        units={_("p, corrected"): "p"},
        chart="none",
        marked=HEADING,
        note=str(NOTE),
    )


def of_which_task(row: Compared) -> str:
    return _("the same as the judge's") if row.is_of_task else _("another than the judge's")


def in_words(results: Results, rows: Sequence[Compared], p: Sequence[Figure]) -> str:
    """Of people who did what the judge did."""
    if not rows:
        return _("Nothing that a judge answered has answers of two people, so none can stand beside a person.")
    of_task = [pair for pair in zip(rows, p, strict=True) if pair[0].is_of_task]
    if not of_task:
        return _("No judge stands beside people who did the same task: those in the table did another.")
    rows, p = [row for row, _p in of_task], [one for _row, one in of_task]
    if all(row.footing.difference.detail.get("interval") == inference.TOO_FEW_RATERS for row in rows):
        return _("Too few people stand beside a judge to say whether it differs from people in general.")
    named: dict[bool, list[str]] = {True: [], False: []}
    for row, of_row in zip(rows, p, strict=True):
        if row.is_better_above is None or of_row.value is None or of_row.number > LEVEL:
            continue
        is_better = (row.footing.difference.number > 0) == row.is_better_above
        words = _("%(judge)s (%(measure)s)") % {"judge": results.rater(row.judge), "measure": row.measure}
        named[is_better].append(words)
    sentences = []
    if len(named[True]) + len(named[False]) > NAMED_AT_MOST:
        counts = {"nearer": len(named[True]), "further": len(named[False]), "all": len(rows)}
        return _(
            "Of %(all)s comparisons the judge is clearly nearer to the others than a person in %(nearer)s, and clearly "
            "further in %(further)s."
        ) % {name: count_text(n) for name, n in counts.items()}
    if named[True]:
        sentences.append(_("Nearer to the others than a person is: %(judges)s.") % {"judges": enumerated(named[True])})
    if named[False]:
        sentences.append(
            _("Further from the others than a person is: %(judges)s.") % {"judges": enumerated(named[False])}
        )
    return " ".join(sentences) or _("No judge clearly differs from a person.")
