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
#: The greatest Jensen-Shannon distance and Brier score that there can be; the greatest cross-entropy is the scale's.
MOST = (1.0, None, 2.0)


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
    questions = [_Question(loaded, question) for question in _asked_of_judges(loaded)]
    for judge in loaded.judges if questions else ():
        found = [question.of_judge(judge) for question in questions]
        items, rows = (np.concatenate(column) for column in zip(*found, strict=True))
        for variety in loaded.varieties:
            here = loaded.items.variety[items] == variety
            if here.any():
                parts[variety][judge] = DistancesOfItems(loaded.items.prompt[items[here]], rows[here])
    return parts


def _asked_of_judges(loaded: Loaded) -> list[int]:
    return np.unique(loaded.items.question[loaded.grades.item[~loaded.grades.by_human]]).tolist()


class _Question:
    """What people said on one question type, from which every judge's distances are taken: whoever is left out in turn,
    the shares of the others and how far that person is from them are the same beside each judge."""

    def __init__(self, loaded: Loaded, question: int):
        made = self.made = loaded.grades
        self.here = np.flatnonzero((loaded.items.question[made.item] == question) & ~np.isnan(made.grade))
        # A grade that nobody gave adds nothing to a distance; what is left for it the whole scale says.
        self.n_scale = int(loaded.questions.highest[question] - loaded.questions.lowest[question]) + 1
        self.domain = np.unique(made.grade[self.here])
        people = self.here[made.by_human[self.here]]
        self.items = np.unique(made.item[people])
        item, code = self._coded(people)
        self.counts = _counts(item, code, len(self.items), len(self.domain))
        self.shares = distributions.shares(self.counts)
        self.item, code, self.others = distributions.of_the_others(item, made.rater[people], code, len(self.domain))
        self.times = np.maximum(np.bincount(self.item, minlength=len(self.items)), 1)[:, None]
        self.of_person = self._means(_three(self.others, np.eye(len(self.domain))[code], self.n_scale))

    def of_judge(self, judge: int) -> tuple[Integers, Floats]:
        """Items that the judge and two people graded, and their rows."""
        judged = self.here[self.made.rater[self.here] == judge]
        judged = judged[np.isin(self.made.item[judged], self.items)]
        said = _counts(*self._coded(judged), len(self.items), len(self.domain))
        both = said.any(axis=1) & (self.counts.sum(axis=1) >= 2)
        answers = distributions.shares(said)
        against_others = np.full((len(self.item), 3), np.nan)
        met = both[self.item]
        against_others[met] = _three(self.others[met], answers[self.item[met]], self.n_scale)
        of_all = _three(self.shares[both], answers[both], self.n_scale)
        return self.items[both], np.column_stack((of_all, self._means(against_others)[both], self.of_person[both]))

    def _coded(self, rows: Integers) -> tuple[Integers, Integers]:
        """Items and grades of these, as places."""
        item, grade = self.made.item[rows], self.made.grade[rows]
        return np.searchsorted(self.items, item), np.searchsorted(self.domain, grade)

    def _means(self, values: Floats) -> Floats:
        """Of each item the mean over its people, one of them left out."""
        n = len(self.items)
        return np.column_stack([np.bincount(self.item, column, minlength=n) for column in values.T]) / self.times


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
        means = [mean(column, statistic=rate_of_sums, cluster=pool.prompt) for column in pool.distances.T]
        made[judge] = tuple(
            one if most is None else one.within(0.0, most) for one, most in zip(means, MOST * 3, strict=True)
        )
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
