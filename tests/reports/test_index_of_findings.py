"""What stands on a card: the one number a table is about, and a small drawing of the rows that matter."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from agreement.figures import TOO_FEW, Figure
from reports.dashboard.figures import TableGroup
from reports.dashboard.findings import MAX_ROWS, headline, highest, lowest, selection
from reports.dashboard.index import Card, Index
from reports.dashboard.small_charts import Scale, lines_of, small_chart
from reports.dashboard.tables import NO_HEADLINE, Headline, Row, Table
from reports.dashboard.wording import measure_with_unit
from reports.spans.dashboard import SPANS
from tests.reports.tables_at_hand import (
    all_tables,
    categories,
    counts,
    errors_both_ways,
    figure,
    judges,
    people,
    recipe,
    spread,
    sweep,
)


def of_judges_by_variety(varieties: int = 3, judges: int = 2) -> Table:
    """Each judge in each variety, and in all of them, as dashboards have it."""
    rows = []
    for judge in range(judges):
        who = {"rater": f"r-{judge}"}
        for at in range(varieties):
            rows.append(
                Row((f"Judge {judge}", f"S{at}"), (figure(0.1 * judge + 0.05 * at),), {"variety": f"v{at}", **who})
            )
        rows.append(Row((f"Judge {judge}", "All varieties"), (figure(0.3 + 0.1 * judge),), who))
    return Table(
        id="scores", title="Scores", summary="", dimensions=("judge", "variety"), measures=("F1",), rows=tuple(rows),
        recipe=recipe("f1"), x="variety", series="judge",
    )  # fmt: skip


def by_variety_with_total() -> Table:
    rows = [Row((f"S{at}",), (figure(0.2 + at / 10),), {"variety": f"v{at}"}) for at in range(3)]
    return replace(
        people(), rows=(*rows, Row(("All varieties",), (figure(0.3),))), ceilings={"f1": figure(0.44)}
    )  # fmt: skip


def labels(table: Table) -> list[str]:
    chosen = selection(table)
    assert chosen is not None
    return [" ".join(one.row.labels) for one in chosen.rows]


def test_without_a_name_the_figure_is_that_of_everything_together():
    main = headline(by_variety_with_total())
    assert main is not None
    assert main.row.labels == ("All varieties",)
    assert main.figure.value == 0.3


def test_a_table_names_its_figure():
    table = by_variety_with_total()
    named = replace(table, headline=Headline(("S1",)))
    assert headline(named).figure.value == pytest.approx(0.3)
    assert headline(named).row.labels == ("S1",)
    assert headline(replace(table, headline=NO_HEADLINE)) is None
    assert headline(replace(table, rows=())) is None


def test_the_best_is_sought_among_totals_alone():
    rows = of_judges_by_variety().rows
    assert highest(rows) == Headline(("Judge 1", "All varieties"), 0)
    assert lowest(rows) == Headline(("Judge 0", "All varieties"), 0)
    undefined = [Row(("Judge",), (Figure.without_value(TOO_FEW),))]
    assert highest(undefined) is None
    assert highest([]) is None


def test_of_judges_the_totals_are_drawn_and_not_every_variety():
    assert labels(of_judges_by_variety()) == ["Judge 0 All varieties", "Judge 1 All varieties"]
    assert labels(of_judges_by_variety(judges=1)) == ["Judge 0 S0", "Judge 0 S1", "Judge 0 S2", "Judge 0 All varieties"]


def test_what_is_of_all_stands_last_and_is_another_mark():
    table = by_variety_with_total()
    assert labels(table)[-1] == "All varieties"
    drawing = small_chart(table)
    assert drawing.count('class="small-chart__dot"') == 3
    assert drawing.count('class="small-chart__total"') == 1
    assert drawing.count("small-chart__label--total") == 1


def test_many_rows_are_drawn_by_their_ends_and_it_is_said():
    table = of_judges_by_variety(judges=12)
    chosen = selection(table)
    assert chosen is not None
    assert (len(chosen.rows), chosen.of) == (MAX_ROWS, 12)
    values = [one.figure.number for one in chosen.rows]
    assert min(values) == pytest.approx(0.3)
    assert max(values) == pytest.approx(1.4)
    left_out = Card(table, "", small_chart(table)).rows_left_out
    assert (len(left_out.rows), left_out.of, left_out.are_ends) == (MAX_ROWS, 12, True)
    assert Card(by_variety_with_total(), "", small_chart(people())).rows_left_out is None


def test_a_drawing_without_a_number_above_it_says_what_it_measures():
    """An axis from 0 to 8 says nothing by itself."""
    table = replace(by_variety_with_total(), headline=NO_HEADLINE, units={"f1": "points"})
    card = Card(table, "", small_chart(table))
    assert card.number is None
    html = render_to_string("reports/cards.html", {"cards": [card], "has_title": True})
    assert f'<p class="finding-card__note"><bdi>{measure_with_unit(table, "f1")}</bdi></p>' in html
    assert Card(by_variety_with_total(), "", small_chart(people())).drawn_measure == "", "the number says it"


def test_rows_without_a_figure_are_not_said_to_lie_between_the_ends():
    """Of ten judges two have no figure: the eight that have one are drawn, and none of them is one of two ends."""
    table = of_judges_by_variety(judges=10)
    none = (Figure.without_value(TOO_FEW),)
    without = [replace(row, figures=none) if row.labels[0] in ("Judge 8", "Judge 9") else row for row in table.rows]
    table = replace(table, rows=tuple(without))
    chosen = selection(table)
    assert chosen is not None
    assert (len(chosen.rows), chosen.of, chosen.are_ends) == (8, 10, False)
    card = Card(table, "", small_chart(table))
    html = render_to_string("reports/cards.html", {"cards": [card], "has_title": True})
    assert "8 of 10 rows are drawn: the others have no figure." in html
    assert "the lowest and the highest" not in html


def test_of_a_map_what_stands_beside_the_headline_is_drawn():
    table = replace(categories(), headline=highest(categories().rows))
    chosen = selection(table)
    assert chosen is not None
    assert {one.row.labels[0] for one in chosen.rows} == {headline(table).row.labels[0]}
    assert len({one.row.labels[1] for one in chosen.rows}) == len(chosen.rows) == 8


def test_of_lines_each_is_drawn_at_the_place_of_the_headline():
    table = replace(sweep(), headline=Headline((sweep().rows[0].labels[0], "0.5"), 2))
    assert len(labels(table)) == 3
    assert all(label.endswith("0.5") for label in labels(table))


def test_of_boxes_the_median_is_drawn_between_the_quartiles():
    chosen = selection(spread())
    assert chosen is not None
    first = chosen.rows[0].figure
    assert (first.low, first.value, first.high) == (5, 40, 70)


def test_a_table_without_a_chart_has_no_drawing():
    assert small_chart(counts()) == ""
    assert small_chart(replace(people(), rows=people().rows[:1])) == ""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_drawing_is_sound_says_what_it_shows_and_obeys_the_policy(language):
    with translation.override(language):
        for table in all_tables():
            drawing = small_chart(table)
            if not drawing:
                continue
            root = ElementTree.fromstring(drawing)
            assert root.get("role") == "img"
            chosen = selection(table)
            for row in chosen.rows:
                assert row.row.labels[row.labels[0]] in root.get("aria-label")
            assert "style=" not in drawing
            width, height = (float(number) for number in root.get("viewBox").split()[2:])
            for circle in root.iter("circle"):
                assert 0 < float(circle.get("cx")) < width
                assert 0 < float(circle.get("cy")) < height


def test_the_ceiling_is_a_named_dashed_line():
    drawing = small_chart(judges())
    assert drawing.count("small-chart__ceiling") == 1
    assert "People 0.44" in drawing
    assert "People: 0.44" in ElementTree.fromstring(drawing).get("aria-label")


def test_an_undefined_row_says_why():
    table = replace(by_variety_with_total(), rows=(*by_variety_with_total().rows[:2], people().rows[-1]))
    assert "undefined: n &lt; 2" in small_chart(table)


def test_from_right_to_left_the_axis_begins_at_the_right():
    table = by_variety_with_total()

    def places() -> list[float]:
        return [float(x) for x in re.findall(r'cx="([\d.]+)"', small_chart(table))]

    with translation.override("en"):
        english = places()
    with translation.override("ar"):
        arabic = places()
    assert english == sorted(english)
    assert arabic == sorted(arabic, reverse=True)


@pytest.mark.parametrize("values", [[0.43, 0.46], [0, 0], [1050], [-3.9, 12.2], [0.0001, 0.0002], [5, 5000]])
def test_an_axis_has_few_round_steps_that_hold_all_values(values):
    scale = Scale.of(values, 10, False)
    assert scale.low <= min(values)
    assert max(values) <= scale.high + 1e-12
    assert 2 <= len(scale.ticks()) <= 7
    assert len({scale.words(value) for value in scale.ticks()}) == len(scale.ticks())


def test_a_label_is_broken_between_words_and_behind_hyphens_and_never_cut_silently():
    assert lines_of("gemini-3.1-pro-preview (simulated)", 140) == ["gemini-3.1-pro-", "preview (simulated)"]
    [cut] = lines_of("x" * 60, 140)
    assert cut.endswith("…")
    long_name = replace(
        judges(), rows=tuple(replace(row, labels=("y" * 90,)) for row in judges().rows[:1]) + judges().rows[1:]
    )
    assert "y" * 90 in small_chart(long_name), "in full as its title"


@pytest.mark.django_db
def test_cards_of_words_alone_come_last_and_are_no_higher_than_their_words(project):
    tables = (
        replace(judges(), id="nothing", rows=()),
        replace(judges(), id="words", headline=NO_HEADLINE, chart="none"),
        people(),
        by_variety_with_total(),
    )
    shown = Index(SPANS, project, {}).written(TableGroup("judges", "Judges", tables))
    assert re.findall(r'<article class="([^"]+)" id="([^"]+)"', shown) == [
        ("surface finding-card", people().id),
        ("surface finding-card", by_variety_with_total().id),
        ("surface finding-card finding-card--words", "nothing"),
        ("surface finding-card finding-card--words", "words"),
    ]


def test_a_card_shows_the_unit_where_the_name_of_the_measure_does_not():
    number = Card(errors_both_ways(), "", small_chart(errors_both_ways())).number
    assert number is not None
    assert number.measure == "Signed error (percentage points)"
    assert Card(people(), "", small_chart(people())).number.measure == "F1"
