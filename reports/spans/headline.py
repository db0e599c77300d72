"""The few figures that stand above all others on the dashboard, taken from its tables so that both say the same."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from projects.models import Project, Response
from reports.dashboard import cache
from reports.dashboard.dashboards import Tile
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.tables import Row, Table, by_id
from reports.spans.gold import errors_in_gold
from reports.spans.scope import Scope


def headline(project: Project, scope: Scope, tables: Sequence[Table]) -> list[Tile]:
    """Responses, errors, and F1 of people, of people against the gold, and of the best judge."""
    counts = counts_of(project, scope)
    varieties, answered = counts["varieties"], counts["answered"]
    return [
        counted(
            _("Responses"),
            counts["responses"],
            ngettext("in %(n)d variety", "in %(n)d varieties", varieties) % {"n": varieties},
        ),
        counted(
            _("Errors in the gold"),
            counts["errors"],
            ngettext("in %(n)d response", "in %(n)d responses", answered) % {"n": answered},
        ),
        *of_people(by_id(tables, "human-human")),
        *of_judges(by_id(tables, "judge-scores")),
    ]


def counts_of(project: Project, scope: Scope) -> dict[str, int]:
    """Responses and their varieties, errors of the gold and the responses that these are in; counted again only when
    such a row is written."""
    state = revisions(project).of("responses", "gold")
    key = cache.key_of("counts", project.pk, scope.filters, state)
    return cache.remembered({"counts": key}, lambda _missing: {"counts": counted_now(project, scope)})["counts"]


def counted_now(project: Project, scope: Scope) -> dict[str, int]:
    responses = Response.objects.filter(project=project)
    errors = errors_in_gold(project)
    if scope.variety:
        responses = responses.filter(variety__tag=scope.variety)
        errors = errors.filter(response__variety__tag=scope.variety)
    if scope.model:
        responses = responses.filter(target_model__name=scope.model)
        errors = errors.filter(response__target_model__name=scope.model)
    if scope.criticality:
        errors = errors.filter(criticality=scope.criticality)
    return {
        "responses": responses.count(),
        "varieties": responses.values("variety").distinct().count(),
        "errors": errors.count(),
        "answered": errors.values("response").distinct().count(),
    }


def counted(label: str, count: int, note: str) -> Tile:
    return Tile(label, Figure(float(count), count), "count", note)


def of_people(table: Table | None) -> list[Tile]:
    """F1 of two people on the same response; the last row is of all settings together."""
    if table is None or not table.rows:
        return []
    pooled = table.rows[-1].figures[1]
    return [Tile(_("F1 of people with each other"), pooled, "share", _("n = %(n)d") % {"n": pooled.n})]


def of_judges(table: Table | None) -> list[Tile]:
    if table is None:
        return []
    ceiling = table.ceilings.get(table.measures[2])
    tiles = []
    if ceiling is not None:
        tiles.append(Tile(_("F1 of people against the gold"), ceiling, "share", _("the human ceiling")))
    best = best_row(table)
    if best is not None:
        simulated = _("%(judge)s (simulated)") if "simulated" in best.marks else "%(judge)s"
        tiles.append(Tile(_("Best F1 of a judge"), best.figures[2], "share", simulated % {"judge": best.labels[0]}))
    return tiles


def best_row(table: Table) -> Row | None:
    """Of each judge the row of all settings, which comes last; of these the one with the highest F1."""
    of_all = {row.labels[0]: row for row in table.rows}
    defined = [row for row in of_all.values() if row.figures[2].value is not None]
    return max(defined, key=lambda row: row.figures[2].number, default=None)
