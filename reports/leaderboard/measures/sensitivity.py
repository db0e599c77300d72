"""How far the order hangs on choices: another judge, other weights, single questions."""

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from agreement.sensitivity import fewest_removals, places, skill_mean
from projects.directions import set_apart
from reports.dashboard.columns import Floats
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text
from reports.leaderboard.measures import shuffled
from reports.leaderboard.measures.tables import name_of, recipe
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import scores_by
from reports.leaderboard.standings import Study, rows_of

GROUP = "sensitivity"
NOT_JUDGED = "not judged by it"


def tables(study: Study, scope: BoardScope, state: str) -> list[Table]:
    rows = rows_of(study.loaded, scope)
    reasons = study.why_no_rank(rows)
    chosen = [at for at, entry in enumerate(study.loaded.entries) if not reasons[at] and scope.size in ("", entry.size)]
    if len(chosen) < 2 or not len(rows):
        return []
    skill = study.loaded.questions.skill[rows].tolist()
    own = study.scores[rows][:, chosen]
    by_skill = [skill_mean(column, skill).value for column in own.T]
    lists: dict[str, list[int | None]] = {
        _("by question mean"): places(means(own)),
        _("by skill mean"): places([np.nan if value is None else value for value in by_skill]),
    }
    for judge in study.loaded.judges.values():
        scores = scores_by(study.loaded, [judge.id])[rows][:, chosen]
        if (~np.isnan(scores)).all(axis=0).any():
            whole = np.where((~np.isnan(scores)).mean(axis=0) >= 0.99, means(scores), np.nan)
            lists[_("by %(judge)s alone") % {"judge": judge.name}] = places(whole)
    order = sorted(range(len(chosen)), key=lambda at: (lists[_("by question mean")][at] or 0, at))
    lines = tuple(
        Row(
            (name_of(study.loaded.entries[chosen[at]]),),
            tuple(place(one[at], len(rows)) for one in lists.values()),
            {"configuration": study.loaded.entries[chosen[at]].slug},
        )
        for at in order
    )
    return [
        Table(
            id="sensitivity",
            title=_("How far the order hangs on choices"),
            summary=moved(lists),
            findings=(removals(study, own, chosen),),
            dimensions=(_("model"),),
            measures=tuple(lists),
            rows=lines,
            recipe=recipe(study, "places", state, scope.filters),
            unit="count",
            chart="none",
            headline=NO_HEADLINE,
            note=_("Plain places by score, 1 for the highest, among models that can be ranked."),
        ),
        *shuffled.tables(study, scope, state, rows, chosen),
    ]


def means(scores: Floats) -> Floats:
    known = ~np.isnan(scores)
    count = known.sum(axis=0)
    return np.divide(np.where(known, scores, 0).sum(axis=0), count, out=np.full(len(count), np.nan), where=count > 0)


def place(one: int | None, n: int) -> Figure:
    return Figure.without_value(NOT_JUDGED) if one is None else Figure(float(one), n)


def moved(lists: dict[str, list[int | None]]) -> str:
    """By how many places a model moves at most."""
    first = next(iter(lists.values()))
    most = max(
        (abs(one - other) for each in lists.values() for one, other in zip(first, each, strict=True) if one and other),
        default=0,
    )
    if not most:
        return _("Another weighting or judge moves no model.")
    return ngettext(
        "Another weighting or judge moves a model by at most %(n)s place.",
        "Another weighting or judge moves a model by at most %(n)s places.",
        most,
    ) % {"n": count_text(most)}


def removals(study: Study, scores: Floats, chosen: list[int]) -> str:
    change = fewest_removals(scores)
    if change.figure.value is None:
        return _("No removal of questions puts another model ahead.")
    detail = change.figure.detail
    names = [set_apart(study.loaded.entries[chosen[detail[who]]].name) for who in ("leader", "challenger")]
    return ngettext(
        "Without %(n)s question of %(all)s, %(challenger)s is ahead of %(leader)s.",
        "Without %(n)s questions of %(all)s, %(challenger)s is ahead of %(leader)s.",
        int(change.figure.value),
    ) % {
        "n": count_text(change.figure.value),
        "all": count_text(change.figure.n),
        "leader": names[0],
        "challenger": names[1],
    }
