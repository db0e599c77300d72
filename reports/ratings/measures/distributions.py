"""People's disagreement as data: how near each judge comes to the share of people who gave each grade."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import scipy
from django.utils.translation import gettext as _

from agreement import distributions
from agreement.figures import Figure
from agreement.inference import mean
from agreement.statistics import rate_of_sums
from reports.dashboard.columns import Floats, Integers, joined
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "distributions"


@dataclass(frozen=True, eq=False)
class DistancesOfItems:
    """Of one judge, one row for each item that it and two people or more graded: prompt; Jensen-Shannon (bits),
    cross-entropy (nats) and Brier of the judge against the shares of all people (columns 0 to 2) and against those of
    all but one, mean over whom is left out (3 to 5), and of that person against the same (6 to 8); shape (N, 9)."""

    prompt: Integers
    distances: Floats


def statistics(loaded: Loaded, context: Context) -> dict[int, dict[int, DistancesOfItems]]:
    """Per variety, by judge."""
    parts: dict[int, dict[int, DistancesOfItems]] = {variety: {} for variety in loaded.varieties}
    for judge in loaded.judges:
        items, rows = _of_judge(loaded, judge)
        for variety in loaded.varieties:
            here = loaded.items.variety[items] == variety
            if here.any():
                parts[variety][judge] = DistancesOfItems(loaded.items.prompt[items[here]], rows[here])
    return parts


def _of_judge(loaded: Loaded, judge: int) -> tuple[Integers, Floats]:
    made = loaded.grades
    asked = loaded.items.question[made.item]
    read = ~np.isnan(made.grade)
    items, rows = [np.empty(0, dtype=np.int64)], [np.empty((0, 9))]
    for question in np.unique(asked[made.rater == judge]).tolist():
        people = np.flatnonzero(made.by_human & read & (asked == question))
        judged = np.flatnonzero((made.rater == judge) & read & (asked == question))
        known = np.intersect1d(made.item[people], made.item[judged])
        people, judged = (one[np.isin(made.item[one], known)] for one in (people, judged))
        # A grade that nobody gave adds nothing to a distance; what is left for it the whole scale says.
        n_scale = int(loaded.questions.highest[question] - loaded.questions.lowest[question]) + 1
        domain = np.unique(made.grade[np.concatenate((people, judged))])
        of_people, of_judge = (
            (np.searchsorted(known, made.item[of]), np.searchsorted(domain, made.grade[of])) for of in (people, judged)
        )
        of_question, found = _distances(of_people, of_judge, made.rater[people], len(known), len(domain), n_scale)
        items.append(known[of_question])
        rows.append(found)
    return np.concatenate(items), np.concatenate(rows)


def _distances(
    people: tuple[Integers, Integers],
    judge: tuple[Integers, Integers],
    rater: Integers,
    n: int,
    n_values: int,
    n_scale: int,
) -> tuple[Integers, Floats]:
    """Items with two people, and their rows; people and judge are items and codes of their grades."""
    counts, said = (_counts(*side, n, n_values) for side in (people, judge))
    kept = np.flatnonzero(counts.sum(axis=1) >= 2)
    answers = distributions.shares(said)
    item, code, others = distributions.of_the_others(people[0], rater, people[1], n_values)
    alone = np.eye(n_values)[code]
    of_judge, of_person = (_three(others, side, n_scale) for side in (answers[item], alone))
    times = np.bincount(item, minlength=n)[:, None]
    footing = np.column_stack([np.bincount(item, one, minlength=n) for one in (*of_judge.T, *of_person.T)])
    rows = np.column_stack((_three(distributions.shares(counts), answers, n_scale), footing / np.maximum(times, 1)))
    return kept, rows[kept]


def _counts(item: Integers, code: Integers, n: int, n_values: int) -> Integers:
    return np.bincount(item * n_values + code, minlength=n * n_values).reshape(n, n_values)


def _three(people: Floats, judge: Floats, n_scale: int) -> Floats:
    """Jensen-Shannon, cross-entropy, Brier; shape (N, 3). Of what a judge or a person says a share is left for other
    grades, so that the cross-entropy is finite."""
    left = distributions.LEFT_FOR_OTHERS if n_scale > 1 else 0.0
    softened = (1 - left) * judge + left * (1 - judge) / max(1, n_scale - 1)
    entropy = -scipy.special.xlogy(people, softened).sum(axis=1)
    return np.column_stack((distributions.jensen_shannon(people, judge), entropy, distributions.brier(people, judge)))


def figures(parts: Sequence[dict[int, DistancesOfItems]], is_total: bool) -> dict[int, tuple[Figure, ...]]:
    """By judge: nine means over items, in the order of `measures`. Of one variety among several nothing is shown."""
    if not is_total:
        return {}
    made = {}
    for judge in sorted({one for part in parts for one in part}):
        mine = [part[judge] for part in parts if judge in part]
        pool = DistancesOfItems(**{field.name: joined(mine, field.name) for field in fields(DistancesOfItems)})
        made[judge] = tuple(mean(column, statistic=rate_of_sums, cluster=pool.prompt) for column in pool.distances.T)
    return made


# --- Tables ----------------------------------------------------------------------------------------


def measures() -> tuple[str, ...]:
    return (
        _("Jensen-Shannon"),
        _("cross-entropy"),
        _("Brier"),
        _("Jensen-Shannon to the others"),
        _("cross-entropy to the others"),
        _("Brier to the others"),
        _("Jensen-Shannon of a person"),
        _("cross-entropy of a person"),
        _("Brier of a person"),
    )


def tables(results: Results) -> list[Table]:
    rows = sorted(results.rater_rows(results.total()), key=lambda row: (row.figures[3].value or 0.0, row.labels))
    return [
        Table(
            id="label-distributions",
            headline=NO_HEADLINE,
            title=_("Judges against the share of people who gave each grade"),
            summary=_("How near each judge comes to all that people said, not to the grade of most of them alone.")
            if rows
            else _("No item has been graded by two people and by a judge."),
            dimensions=(_("judge"),),
            measures=measures(),
            rows=tuple(rows),
            recipe=results.recipe(
                "label_distributions",
                gold=False,
                drawn=False,
                interval=INTERVAL,
                items="graded by two people or more, and by the judge",
                judge="the share of its answers of each grade; a judge asked once has one grade",
                others="each person is left out in turn; judge and person against the shares of the rest",
                left_for_others=distributions.LEFT_FOR_OTHERS,
                jensen_shannon="bits, 0 to 1",
                cross_entropy="nats; what is left is spread over the question's whole scale",
                brier="squared differences of the shares, 0 to 2",
            ),
            unit="score",
            chart="none",
            note=_(
                "Less is nearer. Compare a judge with a person in the columns to the others: both are measured there "
                "against the same people, one left out. n counts items."
            ),
        )
    ]
