"""A toy area: how long responses are. It brings a reader, one measure, gold and a preset."""

import sys

import numpy as np
import orjson

from agreement.figures import Figure
from projects.models import Response
from projects.navigation import Entry
from projects.presets import ProjectPreset
from projects.steps import OPEN, Step
from reports.areas import Area
from reports.dashboard.columns import columns
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Group, Source
from reports.dashboard.reader import PlainReader, Reading
from reports.dashboard.tables import Table
from reports.gold.formats import GoldFormat

GROUP = "lengths"


def load(project, varieties, scope):
    rows = Response.objects.filter(**Reading(project, varieties, scope).chosen).order_by("id")
    return columns(rows.values_list("text", "variety_id"), "oi")


def statistics(loaded, context):
    texts, variety = loaded
    lengths = np.array([len(text) for text in texts])
    return {pk: lengths[variety == pk] for pk in np.unique(variety).tolist()}


def figures(parts, is_total):
    lengths = np.concatenate(parts)
    return {"mean": (Figure(float(lengths.mean()), len(lengths)),), "responses": len(lengths)}


def tables(results) -> list[Table]:
    return [
        Table(
            id="lengths",
            title="Length of responses",
            dimensions=("variety",),
            measures=("mean length",),
            rows=tuple(results.people_rows(lambda pool: pool["mean"])),
            recipe=results.recipe("mean_length", drawn=False),
        )
    ]


LENGTHS = Dashboard(
    area="lengths",
    page="lengths",
    title="Lengths",
    source=Source(PlainReader(load)),
    groups=(Group(sys.modules[__name__]),),
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
        prompts=lambda project: project.prompts.filter(responses__isnull=False).distinct(),
        summarise=lambda project: {"responses": project.responses.count()},
        card=lambda project, summary: f"# Lengths of {summary['responses']} responses",
    ),
    dashboards=(LENGTHS,),
    menu=(Entry(63, "Lengths", "lengths", "dashboard.read"),),
    setup_steps=(Step(64, "Read the lengths", "lengths", lambda project: (OPEN, "Not read yet.")),),
)
