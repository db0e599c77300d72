"""The few figures that stand above all others, taken from the tables so that both say the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from projects.models import Project
from reports.dashboard.dashboards import Tile
from reports.dashboard.tables import Table, by_id


def headline(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """Grades given, how far people agree, and the judge that prefers as they do most often beside a person."""
    people, varieties, judges = (
        by_id(tables, name) for name in ("ratings-by-dimension", "ratings-by-variety", "judges-against-gold")
    )
    tiles = []
    if people is not None and people.rows:
        alpha, _near, mean, _spread, ratings, _items, raters = people.rows[-1].figures
        n = len({row.drill["variety"] for row in varieties.rows if "variety" in row.drill}) if varieties else 0
        note = ngettext("in %(n)d variety", "in %(n)d varieties", n) % {"n": n}
        tiles.append(Tile(_("Grades by people"), Figure(ratings.number, ratings.n), "count", note))
        tiles.append(Tile(_("Mean grade"), mean, "grade", _("n = %(n)d") % {"n": mean.n}))
        note = ngettext("%(n)d rater", "%(n)d raters", int(raters.number)) % {"n": int(raters.number)}
        tiles.append(Tile(_("Alpha of people"), alpha, "share", note))
    if judges is not None and judges.rows:
        best, place = judges.rows[0], judges.measures.index(_("preference accuracy"))
        # Generated judges are called simulated by their very names.
        is_unsaid = "simulated" in best.marks and "(simulated)" not in best.labels[0]
        note = (_("%(judge)s (simulated)") if is_unsaid else "%(judge)s") % {"judge": best.labels[0]}
        if best.figures[place].value is not None:
            tiles.append(Tile(_("Best preference accuracy of a judge"), best.figures[place], "share", note))
        ceiling = judges.ceilings.get(judges.measures[place])
        if ceiling is not None:
            tiles.append(Tile(_("Preference accuracy of people"), ceiling, "share", _("the human ceiling")))
    return tiles
