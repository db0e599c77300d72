"""The few figures that stand above all others, taken from the tables so that both say the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from projects.models import Project
from reports.dashboard.dashboards import Tile
from reports.dashboard.tables import Row, Table, by_id


def headline(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """Responses graded and their mean score, the nearest judge, and how near people are to each other."""
    scores, judges, people = (
        by_id(tables, name) for name in ("human-scores", "judges-against-people", "human-ceiling")
    )
    tiles = []
    if scores is not None and scores.rows:
        mean = whole(scores).figures[0]
        varieties = len({row.labels[1] for row in scores.rows if "variety" in row.drill})
        note = ngettext("in %(n)d community", "in %(n)d communities", varieties) % {"n": varieties}
        tiles.append(Tile(_("Responses graded"), Figure(float(mean.n), mean.n), "count", note))
        tiles.append(Tile(_("Mean score by people, in percent"), mean, "percent", _("n = %(n)d") % {"n": mean.n}))
    if judges is not None and judges.rows:
        nearest = judges.rows[0]
        # Generated judges are called simulated by their very names.
        is_unsaid = "simulated" in nearest.marks and "(simulated)" not in nearest.labels[0]
        simulated = _("%(judge)s (simulated)") if is_unsaid else "%(judge)s"
        note = simulated % {"judge": nearest.labels[0]}
        tiles.append(Tile(_("Smallest MAD of a judge"), nearest.figures[0], "pp", note))
    if people is not None and people.ceilings:
        [ceiling] = people.ceilings.values()
        tiles.append(Tile(_("MAD of people"), ceiling, "pp", _("the human ceiling")))
    return tiles


def whole(scores: Table) -> Row:
    """The row of all targets, all communities and both domains; of one community where there is one."""
    return min(scores.rows, key=lambda row: len(row.drill))
