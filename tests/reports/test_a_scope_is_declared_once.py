"""An area states each field of its scope once: the check, the recipe, the cache key, the page's form and what programs
may ask for all follow from it."""

from dataclasses import dataclass

import pytest

from projects.problems import Invalid
from reports.dashboard.cache import AREAS, COMPUTES
from reports.dashboard.dashboards import all_filters, of_page
from reports.dashboard.filters import NarrowingForm
from reports.dashboard.scope import COMPARES, SETS, Scope, by_model, by_variety, declared, one_of
from reports.spans.scope import SpanScope


@dataclass(frozen=True)
class ScoreScope(Scope):
    """Of an area that nobody has built yet."""

    variety: str = by_variety()
    shown: str = one_of(
        "Part", [("public", "Public"), ("held", "Held out")], "public or held", values=("public", "held")
    )
    least: float = declared("At least", "points", default=0.5, use=SETS, bounds=(0, 1, 0.1), problem="0 to 1.")
    rival: str = by_model("Beside", "target model to compare with", use=COMPARES)


def test_what_was_chosen_is_checked_and_what_was_not_has_its_default():
    scope = ScoreScope.of({"shown": "held", "least": "0.7", "variety": "", "rival": None})
    assert scope == ScoreScope(shown="held", least=0.7)
    assert ScoreScope.of(None).least == 0.5


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ({"hue": "red"}, [("unknown_filter", "hue")]),
        ({"shown": "secret"}, [("unknown_value", "shown")]),
        ({"least": "2"}, [("unknown_value", "least")]),
        ({"least": "nan"}, [("unknown_value", "least")]),
        (
            {"least": "much", "shown": "x", "y": "1"},
            [("unknown_filter", "y"), *(("unknown_value", n) for n in ("shown", "least"))],
        ),
    ],
)
def test_every_value_that_is_no_choice_is_named(given, codes):
    with pytest.raises(Invalid) as refused:
        ScoreScope.of(given)
    assert [(problem.code, problem.field) for problem in refused.value.problems] == codes


def test_a_recipe_names_the_part_of_the_data_alone():
    scope = ScoreScope.of({"variety": "ko-KR", "shown": "held", "least": 0.9, "rival": "Palm-1"})
    assert scope.filters == {"variety": "ko-KR", "shown": "held"}


def test_figures_of_one_variety_are_kept_whatever_is_compared_and_whichever_varieties_are_shown():
    kept_under = ScoreScope(shown="held").of_a_variety
    assert ScoreScope(shown="held", variety="ko-KR", rival="Palm-1").of_a_variety == kept_under
    assert ScoreScope(shown="held", least=0.6).of_a_variety != kept_under


def test_the_form_offers_what_is_declared_in_its_order(project, koshari):
    form = NarrowingForm(ScoreScope, project, {"shown": "held", "least": "0.7", "variety": "xx-XX"})
    assert list(form.fields) == ["variety", "shown", "least", "rival"]
    assert form.fields["variety"].choices == [("", "All"), (koshari.variety.tag, koshari.variety.label)]
    assert form.fields["rival"].choices[1:] == [(koshari.target_model.name, koshari.target_model.name)]
    assert form.chosen == {"shown": "held", "least": 0.7}
    assert form.refused == ["Variety"]
    assert form.fields["least"].widget.attrs["placeholder"] == "0.5"


def test_a_page_may_offer_a_part_of_its_scope():
    assert list(of_page("rater-results").filters) == ["variety", "dimension", "question", "split"]


def test_programs_may_ask_for_every_field_of_every_dashboard():
    pages = ("results", "rubric-results", "rating-results", "leaderboard")
    declared_somewhere = {name for page in pages for name in of_page(page).filters}
    assert set(all_filters()) == declared_somewhere
    assert all_filters()["matching"] == SpanScope.abouts()["matching"]


def test_the_version_in_a_recipe_is_of_all_code_that_computes(settings):
    """A folder of measures is an area, and every module of it changes the version that recipes name."""
    folders = {path.parent.name for path in settings.BASE_DIR.glob("reports/*/measures")}
    assert folders <= set(AREAS)
    for pattern in COMPUTES:
        assert list(settings.BASE_DIR.glob(pattern)), f"{pattern} matches nothing"
