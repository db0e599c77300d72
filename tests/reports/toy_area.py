"""A toy area: how long responses are. It brings a scope, a reader, one measure, gold and a preset."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import orjson

from agreement.figures import Figure
from projects.models import Response
from projects.navigation import Entry
from projects.presets import ProjectPreset
from projects.steps import OPEN, Step
from reports.areas import Area
from reports.dashboard.columns import Floats, Integers, Rows, columns
from reports.dashboard.dashboards import Dashboard, list_address
from reports.dashboard.figures import Group, Source
from reports.dashboard.parts import pooled, split
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.results import Results
from reports.dashboard.scope import Scope, by_model, by_variety
from reports.dashboard.tables import Table
from reports.gold.formats import GoldFormat


@dataclass(frozen=True)
class LengthScope(Scope):
    variety: str = by_variety()
    model: str = by_model()


@dataclass(frozen=True, eq=False)
class Lengths(Rows):
    length: Floats
    variety: Integers


def load(project, varieties, scope) -> Lengths:
    reading = Reading(project, varieties, scope)
    rows = Response.objects.filter(**reading.chosen).order_by("id").values_list("text", "variety_id")
    texts, variety = columns(rows, "oi")
    return Lengths(np.array([float(len(text)) for text in texts]), variety)


def statistics(loaded, context):
    varieties = np.unique(loaded.variety).tolist()
    return split(Lengths, varieties, loaded.variety, length=loaded.length, variety=loaded.variety)


def figures(parts, is_total):
    length = pooled(parts).length
    return {"mean": (Figure(float(length.mean()), len(length)),), "responses": len(length)}


@dataclass(frozen=True)
class LengthResults(Results):
    all_settings = "All varieties"

    def size(self, group):
        return self.total(group)["responses"], 0


def tables(results) -> list[Table]:
    return [
        Table(
            id="lengths",
            title="Length of responses",
            summary="",
            dimensions=("variety",),
            measures=("mean length",),
            rows=tuple(results.people_rows("lengths", lambda pool: pool["mean"])),
            recipe=results.recipe("lengths", "mean_length", gold=False, drawn=False),
        )
    ]


LENGTHS = Dashboard(
    area="lengths",
    page="lengths",
    title="Lengths",
    lead="",
    empty="",
    scope=LengthScope,
    source=Source(
        "lengths",
        SimpleNamespace(
            fingerprints=lambda project: fingerprints_of(project, {"texts": ("responses",)}, {}), load=load
        ),
        lambda project, scope: SimpleNamespace(scope=scope),
        LengthResults,
    ),
    groups=(Group("lengths", ("texts",), SimpleNamespace(statistics=statistics, figures=figures, tables=tables)),),
    answers=lambda project: [Response.objects.filter(project=project)],
    responses="responses",
    address=lambda project, chosen, row: list_address("responses", LengthScope, project, {**chosen, **row.drill}),
)


def lines(project):
    for key, text in Response.objects.filter(project=project).order_by("id").values_list("key", "text"):
        yield orjson.dumps({"id": key, "length": len(text)}, option=orjson.OPT_APPEND_NEWLINE)


LENGTH_AREA = Area(
    name="lengths",
    preset=ProjectPreset(slug="lengths", name="Lengths", description="How long responses are."),
    gold=GoldFormat(
        area="lengths",
        name="Lengths",
        format="toy.lengths/1",
        importer="items",
        template="reports/gold.html",
        lines=lines,
        summarise=lambda project: {"responses": project.responses.count()},
        card=lambda project, summary: f"# Lengths of {summary['responses']} responses",
    ),
    dashboards=(LENGTHS,),
    menu=(Entry(63, "Lengths", "lengths", "dashboard.read"),),
    first_steps=(Step(64, "Read the lengths", "lengths", lambda project: (OPEN, "Not read yet.")),),
)
