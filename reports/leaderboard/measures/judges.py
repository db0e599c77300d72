"""How far judges are from people on the same answers, and from themselves when they are asked again."""

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.deviation import deviation
from agreement.figures import Figure
from agreement.kappa import cohen_kappa, confusion
from agreement.ranks import mean_score
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text
from reports.leaderboard.measures.columns import people_scores
from reports.leaderboard.measures.tables import recipe
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import scores_by
from reports.leaderboard.standings import Study, rows_of

GROUP = "judges"
#: Kappa is of whole points: 0 to 10.
GRADES = 11


@dataclass(frozen=True)
class Agreement:
    """kappa with quadratic weights, of whole points; mad and signed error in points, n answers."""

    kappa: Figure
    mad: Figure
    signed: Figure


def agreement(score: Floats, reference: Floats) -> Agreement:
    """Of scores with their references, both shape (N,), NaN where either is missing."""
    both = ~(np.isnan(score) | np.isnan(reference))
    apart = deviation(score[both], reference[both])
    given, right = (np.floor(values[both] + 0.5).astype(np.int64) for values in (score, reference))
    kappa = cohen_kappa(confusion(given, right, GRADES), "quadratic")
    return Agreement(kappa, apart.mad, apart.signed_error)


def two_people(study: Study, rows: Integers) -> tuple[Floats, Floats]:
    """Scores of the first two people of each answer that two scored, (N,) each: the ceiling of any judge."""
    given = np.stack([one[rows] for one in study.loaded.people.values()], axis=-1).reshape(-1, len(study.loaded.people))
    chosen = given[(~np.isnan(given)).sum(axis=1) >= 2]
    if not len(chosen):
        return np.empty(0), np.empty(0)
    order = np.argsort(np.isnan(chosen), axis=1, kind="stable")[:, :2]
    pair = np.take_along_axis(chosen, order, axis=1)
    return pair[:, 0], pair[:, 1]


def tables(study: Study, scope: BoardScope, state: str) -> list[Table]:
    made = (human_check(study, scope, state), repeats(study, scope, state))
    return [table for table in made if table is not None]


def human_check(study: Study, scope: BoardScope, state: str) -> Table | None:
    """Each judge, and the common judges together, against the people who scored the same answers."""
    rows = rows_of(study.loaded, scope)
    people = people_scores(study)
    if not (~np.isnan(people[rows])).any():
        return None
    by_name: dict[str, Floats] = {_("The board's judges"): study.scores}
    by_name |= {one.name: scores_by(study.loaded, [one.id]) for one in study.loaded.judges.values()}
    skill = study.loaded.questions.skill
    lines = []
    for slug, label in {"": _("All skills"), **study.loaded.skills}.items():
        kept = rows if not slug else rows[skill[rows] == slug]
        for name, scores in by_name.items():
            found = agreement(scores[kept].ravel(), people[kept].ravel())
            if found.mad.n:
                figures = (found.kappa, found.mad, found.signed)
                lines.append(Row((label, name), figures, {"skill": slug} if slug else {}))
    first, second = two_people(study, rows)
    ceiling = agreement(first, second)
    measures = (_("kappa"), _("MAD"), _("signed error"))
    has_pairs = ceiling.mad.value is not None
    return Table(
        id="human-check",
        title=_("Judges against people"),
        summary=_("People scored %(n)s of the answers; the board's judges are %(mad)s points of 10 from them.")
        % {"n": lines[0].figures[1].n, "mad": figure_text(lines[0].figures[1], "score")}
        if lines
        else "",
        findings=(
            _("Two people of the same answer are %(mad)s points apart: no judge can be expected nearer.")
            % {"mad": figure_text(ceiling.mad, "score")},
        )
        if has_pairs
        else (_("No answer was scored by two people yet, so there is no human ceiling."),),
        dimensions=(_("skill"), _("judge")),
        measures=measures,
        rows=tuple(lines),
        recipe=recipe(study, "judges_against_people", state, scope.filters, kappa="quadratic weights, whole points"),
        unit="score",
        ceilings={measures[0]: ceiling.kappa, measures[1]: ceiling.mad} if has_pairs else {},
        chart="none",
        headline=NO_HEADLINE,
        note=_("A signed error above 0 is lenient. Scores of people are the mean of those who scored the answer."),
    )


def repeats(study: Study, scope: BoardScope, state: str) -> Table | None:
    """What a judge says of the same answer when it is asked again."""
    kept = np.isin(study.loaded.use, rows_of(study.loaded, scope))
    lines = []
    for judge, (use, column, _round, value) in study.loaded.rounds.items():
        known = ~np.isnan(value) & kept[use]
        key = use[known] * len(study.loaded.entries) + column[known]
        _keys, place, count = np.unique(key, return_inverse=True, return_counts=True)
        mean = np.bincount(place, value[known]) / count
        squares = np.bincount(place, (value[known] - mean[place]) ** 2)
        again = count >= 2
        if not again.any():
            continue
        spread = np.sqrt(squares[again] / (count[again] - 1))
        lines.append(
            Row((study.loaded.judges[judge].name,), (mean_score(spread), Figure(float(again.sum()), int(again.sum()))))
        )
    if not lines:
        return None
    return Table(
        id="repeats",
        title=_("Judges asked again"),
        summary=_("The standard deviation of a judge's scores of the same answer, on average over answers."),
        dimensions=(_("judge"),),
        measures=(_("standard deviation"), _("answers asked again")),
        rows=tuple(lines),
        recipe=recipe(study, "spread_of_repeats", state, scope.filters),
        unit="score",
        units={_("answers asked again"): "count"},
        headline=NO_HEADLINE,
    )
