"""A table says the same in JSON and CSV, and no spreadsheet runs what a model was called."""

import csv
import io

from agreement.figures import Figure, Recipe
from reports.dashboard.tables import Row, Table, by_id

TABLE = Table(
    id="judge-scores",
    title="Judges",
    summary="One judge.",
    dimensions=("judge",),
    measures=("precision", "recall"),
    rows=(Row(("=cmd()",), (Figure(0.5, 4, 0.25, 0.75), Figure.without_value("no gold spans")), marks=("simulated",)),),
    recipe=Recipe("span_scores", n_items=4, n_raters=1),
)


def test_csv_has_a_line_per_figure_and_an_inert_label():
    lines = list(csv.DictReader(io.StringIO(TABLE.as_csv())))
    assert [line["measure"] for line in lines] == ["precision", "recall"]
    assert lines[0]["judge"] == "'=cmd()"
    assert (lines[0]["value"], lines[0]["low"], lines[0]["high"]) == ("0.5", "0.25", "0.75")
    assert (lines[1]["value"], lines[1]["undefined"]) == ("", "no gold spans")
    assert lines[0]["recipe"] == TABLE.recipe.signature()


def test_json_carries_the_same_figures_and_the_recipe():
    data = TABLE.as_json()
    assert data["rows"][0]["figures"][0]["value"] == 0.5
    assert data["rows"][0]["figures"][1] == {
        "value": None,
        "n": 0,
        "low": None,
        "high": None,
        "undefined": "no gold spans",
        "detail": {},
    }
    assert data["signature"] == TABLE.recipe.signature()
    assert data["rows"][0]["marks"] == ["simulated"]


def test_a_table_is_found_by_its_id():
    assert by_id([TABLE], "judge-scores") is TABLE
    assert by_id([TABLE], "other") is None
