"""Figures in words: the same text on pages, in charts and in summaries, in every language."""

import pytest
from django.template import Context, Template
from django.utils import translation

from agreement.figures import TOO_FEW, Figure
from reports.dashboard import wording
from reports.sections import section
from tests.reports.tables_at_hand import categories, judges, stages

ISOLATES = "\u2066\u2069"


@pytest.mark.parametrize(
    ("figure", "unit", "text"),
    [
        (Figure(0.52, 9, 0.48, 0.56), "share", "0.52 [0.48, 0.56]"),
        (Figure(0.5, 9), "share", "0.50"),
        (Figure(7470.0, 9), "count", "7\u202f470"),
        (Figure(-0.001, 9), "share", "0.00"),
        (Figure(-0.25, 9, -0.5, 0.0), "share", "\u22120.25 [\u22120.50, 0.00]"),
        (Figure.without_value(TOO_FEW), "share", "undefined: n < 2"),
    ],
)
def test_a_figure_in_words(figure, unit, text):
    assert wording.said(figure, unit) == text


@pytest.mark.parametrize("language", ["en", "ar", "id"])
def test_the_decimal_mark_is_a_point_in_every_language(language):
    with translation.override(language):
        assert wording.said(Figure(0.52, 9, 0.48, 0.56)).strip(ISOLATES) == "0.52 [0.48, 0.56]"


def test_a_figure_in_a_sentence_keeps_its_order_where_text_runs_right_to_left():
    figure = Figure(-0.25, 9, -0.5, 0.0)
    with translation.override("ar"):
        assert wording.said(figure) == "\u2066\u22120.25 [\u22120.50, 0.00]\u2069"
        assert wording.said_of("Nile-7B", figure) == f"\u2068Nile-7B: {wording.said(figure)}\u2069"
    with translation.override("ko"):
        assert wording.said(figure) == "\u22120.25 [\u22120.50, 0.00]"


def test_a_cell_isolates_the_figure_from_the_direction_of_the_page():
    shown = Template("{% load figures %}{{ figures|cells:units }}").render(
        Context({"figures": (Figure(0.5, 9, 0.4, 0.6), Figure.without_value(TOO_FEW, 1)), "units": ["share", "share"]})
    )
    assert '<bdi class="figure" dir="ltr">0.50 <span class="figure__interval">[0.40, 0.60]</span></bdi>' in shown
    assert "undefined: n &lt; 2" in shown
    assert "n = 9" in shown


def test_what_was_scored_stands_beside_what_was_planned():
    figure = Figure(0.9, 10, detail={"scored": 9, "planned": 10})
    shown = Template("{% load figures %}{{ figure|rests_on }}").render(Context({"figure": figure}))
    assert shown == "n = 10, 9 of 10 scored"


def test_a_simulated_judge_is_called_so_in_the_chart_as_well():
    shown = section(judges(), lambda row: "")
    assert shown.marks == ["simulated"]
    assert [row["labels"][0].endswith("(simulated)") for row in shown.chart["rows"]] == [False, False, True]
    assert shown.chart["texts"][0][0] == "0.61 [0.57, 0.65]"


def test_marks_stand_beside_the_series_where_there_is_one():
    table = stages()
    assert table.series == "criticality"
    row = section(table, lambda row: "").lines[0]
    assert [label for label, _marks in row.labels] == ["US-en", "low"]


def test_the_recipe_is_listed_without_what_it_leaves_empty():
    recipe = dict(section(categories(), lambda row: "").recipe)
    assert recipe["settings"] == "threshold = 0.15, matching = some"
    assert recipe["signature"] == categories().recipe.signature()
    assert "filters" not in recipe
