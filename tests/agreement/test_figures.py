"""Every figure has a value or a reason, and every recipe one signature."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agreement import figures
from agreement.figures import Figure, Recipe, share

PACKAGE = Path(figures.__file__).parent
RECIPE = Recipe("span_f1", n_items=302, n_raters=5, settings={"threshold": 0.15, "one_to_one": False}, seed=7)


def test_a_figure_has_a_value_or_a_reason_never_both_or_neither():
    assert Figure(0.5, 3).undefined is None
    assert Figure.without_value("n < 2", 1).value is None
    for wrong in ({"value": None, "n": 0}, {"value": 1.0, "n": 1, "undefined": "n < 2"}):
        with pytest.raises(ValueError, match="either a value or the reason"):
            Figure(**wrong)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_not_finite_never_becomes_a_figure(number):
    with pytest.raises(ValueError, match="finite"):
        Figure(number, 3)
    with pytest.raises(ValueError, match="finite"):
        Figure(0.5, 3, 0.1, number)
    with pytest.raises(ValueError, match="both bounds"):
        Figure(0.5, 3, low=0.1)


def test_arithmetic_with_what_is_not_there_says_why():
    assert Figure(0.5, 3, 0.2, 0.8).number == 0.5
    assert Figure(0.5, 3, 0.2, 0.8).bounds == (0.2, 0.8)
    with pytest.raises(ValueError, match="n < 2"):
        _ = Figure.without_value("n < 2").number
    with pytest.raises(ValueError, match="no interval"):
        _ = Figure(0.5, 3).bounds


def test_a_figure_as_json():
    figure = share(3, 4, "no spans", kind="kept")
    assert json.loads(json.dumps(figure.as_json())) == {
        "value": 0.75,
        "n": 4,
        "low": None,
        "high": None,
        "undefined": None,
        "detail": {"kind": "kept"},
    }
    assert share(0, 0, "no spans").undefined == "no spans"


def test_the_order_of_settings_does_not_change_the_signature():
    other = replace(RECIPE, settings={"one_to_one": False, "threshold": 0.15})
    assert other.signature() == RECIPE.signature()
    assert other == RECIPE


@pytest.mark.parametrize(
    "change",
    [
        {"metric": "span_recall"},
        {"n_items": 303},
        {"n_raters": 6},
        {"settings": {"threshold": 0.5, "one_to_one": False}},
        {"gold_rule": "majority"},
        {"filters": {"variety": "ar-EG"}},
        {"seed": 8},
        {"code_version": "0.2"},
        {"data_snapshot": "9f"},
        {"extras": {"words": "uax29"}},
    ],
)
def test_whatever_is_made_otherwise_has_another_signature(change):
    assert replace(RECIPE, **change).signature() != RECIPE.signature()


def test_a_recipe_that_cannot_be_written_down_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        replace(RECIPE, settings={"threshold": float("nan")}).signature()
    with pytest.raises(TypeError):
        replace(RECIPE, filters={"varieties": {"ar-EG"}}).signature()


def test_the_arithmetic_loads_without_any_web_framework():
    modules = sorted(path.stem for path in PACKAGE.glob("*.py"))
    program = "import sys, importlib\n"
    program += "".join(f"importlib.import_module('agreement.{name}')\n" for name in modules if name != "__init__")
    program += "print(sorted(name for name in sys.modules if name.partition('.')[0] == 'django'))"
    root = PACKAGE.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_interval_is_cut_to_its_scale_and_says_so():
    figure = Figure(9.0, 7, 7.4, 10.6, detail={"units": 7})
    cut = figure.within(0, 10)
    assert (cut.value, cut.low, cut.high) == (9.0, 7.4, 10)
    assert cut.detail == {"units": 7, "cut_to": [0, 10]}
    assert Figure(0.5, 7, -0.3, 1.3).within(0, 10).bounds == (0, 1.3)
    for untouched in (Figure(9.0, 7, 8.0, 10.0), Figure(9.0, 7), Figure.without_value("no items")):
        assert untouched.within(0, 10) is untouched
    with pytest.raises(ValueError):
        figure.within(10, 0)
