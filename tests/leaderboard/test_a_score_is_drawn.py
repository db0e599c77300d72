"""A score beside its bar: as long as the score, with a line as wide as its interval; no bar without a score."""

import re
from pathlib import Path

import pytest

from agreement.figures import Figure
from reports.templatetags.board import score_bar


def drawn(figure: Figure) -> tuple[float, list[float]]:
    """Percent of the bar's width: where the value ends, and where the interval's line does."""
    svg = str(score_bar(figure))
    [value] = re.findall(r'score-bar__value" y="2" width="([\d.]+)"', svg)
    return float(value), [float(at) for at in re.findall(r"M([\d.]+) 1V9", svg)]


def test_value_and_interval_in_tenths_of_the_scale():
    assert drawn(Figure(7.25, 40, low=6.5, high=8.0)) == (72.5, [65.0, 80.0])


@pytest.mark.parametrize(("value", "low", "high", "ends"), [(0, -0.5, 1, [0, 10]), (10, 9, 10.4, [90, 100])])
def test_nothing_leaves_the_bar(value, low, high, ends):
    assert drawn(Figure(value, 40, low=low, high=high)) == (value * 10, ends)


def test_a_score_without_an_interval_has_no_line():
    assert drawn(Figure(5, 1)) == (50, [])


def test_without_a_score_there_is_no_bar():
    assert score_bar(Figure(None, 0, undefined="no items")) == ""


@pytest.mark.browser
def test_the_line_is_seen_in_the_colours_of_who_needs_their_own(page):
    styles = Path(__file__).resolve().parents[2] / "static" / "src" / "styles"
    css = "".join((styles / name).read_text(encoding="utf-8") for name in ("tokens.css", "board.css"))
    page.emulate_media(forced_colors="active")
    bar = score_bar(Figure(7.25, 40, low=6.5, high=8.0))
    page.set_content(f"<style>{css}</style><p style='color: CanvasText'>7.25</p><p style='color: Highlight'></p>{bar}")
    text, chosen = page.locator("p").evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
    assert page.locator(".score-bar__interval").evaluate("(one) => getComputedStyle(one).stroke") == text
    assert page.locator(".score-bar__value").evaluate("(one) => getComputedStyle(one).fill") == chosen
