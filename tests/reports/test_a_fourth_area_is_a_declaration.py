"""Somebody adds an area of their own: how long responses are. What they write is a scope, a reader and one measure;
loading only what changed, keeping, rows, recipe, form and parameters come with the shell."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from agreement.figures import Figure
from projects.models import Response
from projects.problems import Invalid
from reports.dashboard.columns import Floats, Integers, Rows, columns
from reports.dashboard.dashboards import Dashboard, list_address
from reports.dashboard.figures import Group, Source
from reports.dashboard.names import TOTAL
from reports.dashboard.parts import pooled, split
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.results import Results
from reports.dashboard.scope import Scope, by_model, by_variety
from reports.dashboard.tables import Table
from tests.people import EGYPTIAN, add_response


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
    area="spans",
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


@pytest.fixture
def two_varieties(project, koshari):
    add_response(project, "iraqi", EGYPTIAN[:40], "ar-IQ")
    return project


def test_its_table_has_a_row_for_each_setting_and_one_for_all(two_varieties):
    [table] = LENGTHS.tables(two_varieties)
    n = len(EGYPTIAN)
    assert [row.figures[0].value for row in table.rows if row.drill == {"variety": "ar-EG"}] == [n]
    assert table.rows[-1].labels == ("All varieties",)
    assert table.rows[-1].figures[0].value == (n + 40) / 2
    assert (table.recipe.n_items, table.recipe.filters) == (2, {})


def test_a_new_response_is_counted_and_nothing_else_is_computed_anew(two_varieties):
    first = LENGTHS.figures(two_varieties)
    first.tables()
    assert len(first.computed) == 3
    unchanged = LENGTHS.figures(two_varieties)
    unchanged.tables()
    assert unchanged.computed == []
    response = add_response(two_varieties, "another", EGYPTIAN[:10], "ar-IQ")
    fresh = LENGTHS.figures(two_varieties)
    [table] = fresh.tables()
    assert set(fresh.computed) == {("lengths", response.variety_id), ("lengths", TOTAL)}
    assert table.rows[-1].figures[0].n == 3


def test_its_filters_narrow_it_and_stand_in_the_recipe_the_form_and_the_address(two_varieties):
    [table] = LENGTHS.tables(two_varieties, {"variety": "ar-IQ"})
    assert [row.figures[0].value for row in table.rows] == [40.0]
    assert table.recipe.filters == {"variety": "ar-IQ"}
    assert list(LENGTHS.form(two_varieties, {}).fields) == list(LENGTHS.filters) == ["variety", "model"]
    assert LENGTHS.address(two_varieties, {}, table.rows[0]).endswith("/responses/?variety=ar-IQ")
    with pytest.raises(Invalid):
        LENGTHS.tables(two_varieties, {"hue": "red"})
