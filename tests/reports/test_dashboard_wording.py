"""Figures in words: the same text on pages, in charts and in summaries, in every language."""

import pytest
from django.template import Context, Template
from django.utils import translation

from agreement.figures import TOO_FEW, Figure
from projects.enumeration import enumerated
from reports.dashboard import wording
from reports.dashboard.dashboards import n_tile
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
    assert wording.figure_text(figure, unit) == text


@pytest.mark.parametrize("language", ["en", "ar", "id"])
def test_the_decimal_mark_is_a_point_in_every_language(language):
    with translation.override(language):
        assert wording.figure_text(Figure(0.52, 9, 0.48, 0.56)).strip(ISOLATES) == "0.52 [0.48, 0.56]"


def test_a_figure_in_a_sentence_keeps_its_order_where_text_runs_right_to_left():
    figure = Figure(-0.25, 9, -0.5, 0.0)
    with translation.override("ar"):
        assert wording.figure_text(figure) == "\u2066\u22120.25 [\u22120.50, 0.00]\u2069"
        assert wording.labelled_figure("Nile-7B", figure) == f"\u2068Nile-7B: {wording.figure_text(figure)}\u2069"
    with translation.override("ko"):
        assert wording.figure_text(figure) == "\u22120.25 [\u22120.50, 0.00]"


def test_a_cell_isolates_the_figure_from_the_direction_of_the_page():
    shown = Template("{% load figures %}{{ figures|cells:units }}").render(
        Context({"figures": (Figure(0.5, 9, 0.4, 0.6), Figure.without_value(TOO_FEW, 1)), "units": ["share", "share"]})
    )
    assert '<bdi class="figure" dir="ltr">0.50 <span class="figure__interval">[0.40, 0.60]</span></bdi>' in shown
    assert "undefined: n &lt; 2" in shown
    assert "n = 9" in shown


def test_no_line_of_a_page_ends_within_an_interval():
    figures = (Figure(-0.25, 9, -0.5, 0.0), Figure(12000.0, 9, 9000.0, 15000.0))
    sentence = f"Of recall, {wording.figure_text(figures[0])}, and {wording.figure_text(figures[1], 'count')}."
    shown = Template("{% load figures %}{{ sentence|unbroken }}").render(Context({"sentence": sentence}))
    assert shown == ("Of recall, \u22120.25 [\u22120.50,\u00a00.00], and 12\u202f000 [9\u202f000,\u00a015\u202f000].")
    assert "\u00a0" not in sentence, "files keep it as it is"


@pytest.mark.parametrize(("n", "text"), [(999, "999"), (1934, "1\u202f934"), (81014, "81\u202f014")])
def test_a_count_in_words_is_written_as_in_tables(n, text):
    assert wording.count_text(n) == text
    assert n_tile("Grades", Figure(0.5, n), "share").note == f"n = {text}"
    shown = Template("{% load figures %}{{ figure|rests_on }}").render(Context({"figure": Figure(0.5, n)}))
    assert shown == f"n = {text}"


def test_names_in_a_row_are_parted_as_the_language_does():
    names = Template("{% load projects %}{{ names|enumerated }}")
    for language, text in (("en", "recall, F1"), ("ar", "recall، F1"), ("ko", "recall, F1")):
        with translation.override(language):
            assert names.render(Context({"names": ["recall", "F1"]})) == text
            assert section(judges(), lambda row: "").lines[0].name == enumerated(judges().rows[0].labels)


def test_a_ceiling_stands_under_its_own_measure():
    foot = section(judges(), lambda row: "").foot
    assert len(foot) == len(judges().measures)
    assert [figure is not None for figure in foot] == [name in judges().ceilings for name in judges().measures]
    shown = Template("{% load figures %}{{ foot|cells:units }}").render(
        Context({"foot": [None, Figure(0.5, 9)], "units": ["share", "share"]})
    )
    assert shown.startswith('<td></td><td><bdi class="figure"')


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
