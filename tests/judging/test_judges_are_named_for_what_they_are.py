"""Judges with known defects run over HTTP as any judge does; Nour's dashboard names each, and an honest one nothing."""

import html
import random
import re

import pytest

from judging.models import CallState
from projects.models import Project
from providers.fake.grading import LONG, holds
from reports.dashboard.tables import Table, by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.judging import grading, rating
from tests.people import signed_in

pytestmark = pytest.mark.django_db

PROMPTS = 24
EXPLICIT = {"Names «lentils».": 4, "Names «rice».": 4, "Names «vinegar».": 3}
IMPLICIT = {"Is warm towards whoever asks.": 4, "Would be at home at a table in Cairo.": 4}
# Nobody ever earns it: one point of twenty, five of a hundred.
ENVOY = {"Names «the envoy».": 1}
PHARAOHS = {"Claims that «Pharaohs» ate it.": -2}

JUDGES = {
    "simulated-honest": {},
    "simulated-noisy": {"lenient": 0.1, "harsh": 0.1},
    "simulated-five": {"granted": ["the envoy"]},
    "simulated-verbose": {"verbose": 0.6},
    "simulated-blind": {"misses_implicit": 1},
}
RATERS = {
    "simulated-honest": {},
    "simulated-noisy": {"noise": 0.6},
    "simulated-lenient": {"lenient": 1},
    "simulated-severe": {"lenient": -1},
    "simulated-verbose": {"verbose": 0.5},
}


def plain(words: str) -> str:
    """With spaces of one kind."""
    return " ".join(words.split())


def habits(found: list[Table]) -> dict[str, list[str]]:
    """What is named of each judge."""
    table = next(table for table in found if table.id.startswith("habits-in-"))
    named: dict[str, list[str]] = {}
    for judge, _habit, finding, _rule in (row.labels for row in table.rows):
        named.setdefault(judge, [])
        if not finding.startswith(("nothing named", "cannot be told")):
            named[judge].append(plain(finding))
    return named


def told(page: str) -> str:
    """What the page of habits says, as it is read."""
    section = page.split("<main")[1].split("</main>")[0]
    assert 'id="habits-in-' in section
    return plain(html.unescape(re.sub(r"<[^>]+>", " ", section)))


# --- Grading by rubrics -------------------------------------------------------------------------------


@pytest.fixture
def graded(project, mona) -> Project:
    """24 prompts, two responses each: some of the words asked for, short or long. Mona grades what is true."""
    Project.objects.filter(pk=project.pk).update(preset="rubrics", areas=["rubrics"])
    project.refresh_from_db()
    grader, drawn = mona.raters.get(), random.Random(5)
    criteria = {**EXPLICIT, **IMPLICIT, **ENVOY}
    for number in range(PROMPTS):
        prompt = grading.ask(project, f"dish-{number}")
        rubric = grading.freeze(prompt, grader, criteria, implicit=IMPLICIT)
        for model in ("Nile-7B", "Delta-9B"):
            words = [word for word in ("lentils", "rice", "vinegar", "Pharaohs") if drawn.random() < 0.45]
            text = f"{model} on dish {number}: {' and '.join(words) or 'bread'}."
            text += " So it is cooked in every house and told at every table." * drawn.choice((1, 12))
            response = grading.respond(prompt, text, grading.target(model, f"{model}-lab".lower()))
            passed = [one for one in criteria if holds(text, one)]
            errors = {one: weight for one, weight in PHARAOHS.items() if "Pharaohs" in text}
            grading.reference(response, rubric, grader, passed, errors)
    return project


@pytest.fixture
def graded_by_judges(graded, provider, fake_provider) -> Project:
    fake_provider.tell(habits=JUDGES)
    for model in JUDGES:
        grading.run_through(grading.grading_judge(graded, provider, model, name=model))
    return graded


def test_judges_that_grade_are_named_for_what_they_are(graded_by_judges, nour):
    named = habits(RUBRICS.tables(graded_by_judges))
    assert named["simulated-honest"] == []
    assert named["simulated-noisy"] == []
    assert "lenient by 5.0 points" in named["simulated-five"]
    [longer] = [one for one in named["simulated-verbose"] if one.startswith("prefers longer responses")]
    # Of a little more than half the points that are not earned, 0.6 are given to responses 2.6 doublings longer.
    assert 6 < float(longer.split()[3]) < 18
    [blind] = [one for one in named["simulated-blind"] if one.startswith("misses implicit criteria")]
    assert "it sees 100 % on explicit and 0 % on implicit criteria, a gap of 100 %" in blind
    page = told(signed_in(nour).get("/p/feasts/rubric-results/habits-in-grading/").content.decode())
    assert "simulated-five: lenient by 5.0 points" in page
    assert longer in page
    assert blind in page
    assert "No bias is named of: simulated-honest; simulated-noisy." in page


def test_a_defect_is_of_the_judge_that_has_it_alone(graded_by_judges):
    """The others answer the same questions; only what they do is said of them."""
    named = habits(RUBRICS.tables(graded_by_judges))
    beginnings = {
        "prefers longer responses": {"simulated-verbose"},
        "misses implicit criteria": {"simulated-blind"},
    }
    for begins, judges in beginnings.items():
        assert {judge for judge, said in named.items() if any(one.startswith(begins) for one in said)} == judges
    assert not any(one.startswith("severe") for said in named.values() for one in said)


def test_the_calibrated_judge_stands_beside_the_raw_one(graded_by_judges, nour):
    """Five points too many on every response is what a map takes away whole; the raw judge's figures stay."""
    found = RUBRICS.tables(graded_by_judges)
    raw = {row.labels[0]: row.figures for row in by_id(found, "judges-against-people").rows}
    rows = {row.labels: row.figures for row in by_id(found, "calibrated-scores").rows}
    for judge, (mad, signed, _answered) in raw.items():
        shown = rows[judge, "raw"]
        assert (shown[0].value, shown[0].low, shown[0].high) == (mad.value, mad.low, mad.high)
        assert shown[1].value == signed.value
    linear = rows["simulated-five", "calibrated, linear"]
    assert linear[0].value == pytest.approx(0, abs=1e-6)
    assert linear[4].value == pytest.approx(5)
    assert linear[0].detail["maps"][0] == {"intercept": -5, "slope": 1}
    assert len(linear[0].detail["maps"]) == 5
    client = signed_in(nour)
    page = client.get("/p/feasts/rubric-results/").content.decode()
    assert 'id="calibrated-scores"' in page
    file = client.get("/p/feasts/rubric-results/calibrated-scores.csv").content.decode()
    assert "simulated-five,raw,MAD,5.0,48" in file
    assert 'simulated-five,"calibrated, linear",MAD,' in file
    recipe = by_id(found, "calibrated-scores").recipe.as_json()
    assert (recipe["settings"]["folds"], recipe["settings"]["seed of the folds"]) == (5, 0)


def test_who_refuses_or_cannot_be_read_is_named(graded, provider, fake_provider):
    for model in ("simulated-1:refuse", "simulated-2:malformed", "simulated-3"):
        grading.run_through(grading.grading_judge(graded, provider, model, name=model))
    named = habits(RUBRICS.tables(graded))
    assert named["simulated-1:refuse"] == ["refuses much: 100 % [85, 100] of what it was asked"]
    assert named["simulated-2:malformed"] == ["answers unreadably: 100 % [85, 100] of what it was asked"]
    assert named["simulated-3"] == []


def test_too_little_to_tell_is_said_so(project, mona, nour, provider, fake_provider):
    Project.objects.filter(pk=project.pk).update(preset="rubrics", areas=["rubrics"])
    for number in range(3):
        grading.graded_response(project, mona.raters.get(), f"dish-{number}", f"{grading.KOSHARI} {number}.")
    fake_provider.tell(leniency={"simulated-1": 1})
    grading.run_through(grading.grading_judge(project, provider))
    page = told(signed_in(nour).get("/p/feasts/rubric-results/habits-in-grading/").content.decode())
    assert "cannot be told: too few prompts (n = 3)" in page
    assert "lenient by" not in page


# --- Rating -------------------------------------------------------------------------------------------


@pytest.fixture
def rated(project, mona) -> Project:
    """40 pairs worth 2 to 4 grades, short or long; Mona grades what they are worth."""
    make_ratings_project(project)
    formality, drawn = question_type(project), random.Random(8)
    for _number in range(40):
        grades = drawn.choices((2, 3, 4), k=2)
        sides = [f"{rating.worth(one)} {'And so on and on. ' * drawn.choice((1, 40))}" for one in grades]
        prompt = rating.ask(project, formality)
        first, second = (
            rating.respond(prompt, text, model) for text, model in zip(sides, ("Nile-7B", "Delta-9B"), strict=True)
        )
        rate(rating.set_side_by_side(first, second), mona, formality, *grades)
    return project


@pytest.fixture
def rated_by_judges(rated, provider, fake_provider) -> Project:
    fake_provider.tell(leaning=RATERS)
    for model in (*RATERS, "simulated-1:first"):
        rating.run_through(rating.rating_judge(rated, provider, model, name=model))
    return rated


def test_judges_that_rate_are_named_for_what_they_are(rated_by_judges, nour):
    named = habits(RATINGS.tables(rated_by_judges))
    assert named["simulated-honest"] == []
    assert named["simulated-noisy"] == []
    assert "lenient by 1.00 grades" in named["simulated-lenient"]
    assert "severe by 1.00 grades" in named["simulated-severe"]
    [longer] = [one for one in named["simulated-verbose"] if one.startswith("prefers longer responses")]
    assert 0.3 < float(longer.split()[3]) < 0.7
    always = (
        "prefers what it reads first: its two orders disagree on 100 % of 40 pairs, and 100 % of those go to the "
        "first; 100 % more of all pairs than go to the second"
    )
    assert always in named["simulated-1:first"]
    by_order = by_id(RATINGS.tables(rated_by_judges), "judge-order")
    assert {row.labels[0]: row.figures[0].value for row in by_order.rows}["simulated-1:first"] == 0
    page = told(signed_in(nour).get("/p/feasts/rating-results/habits-in-rating/").content.decode())
    assert always in page
    assert longer in page
    assert "No bias is named of: simulated-honest; simulated-noisy." in page


def test_only_who_always_takes_the_first_is_said_to(rated_by_judges):
    named = habits(RATINGS.tables(rated_by_judges))
    judges = {judge for judge, said in named.items() if any("reads first" in one for one in said)}
    assert judges == {"simulated-1:first"}


def test_a_grade_that_is_never_given_is_named(rated_by_judges):
    """Who gives a grade more to everything never gives the 2 that people give in about a third."""
    named = habits(RATINGS.tables(rated_by_judges))
    assert any(one.startswith("never uses grade 2 of the scale") for one in named["simulated-lenient"])
    assert any(one.startswith("never uses grade 4 of the scale") for one in named["simulated-severe"])


def test_calibration_takes_a_lenient_raters_grade_away(rated_by_judges):
    rows = {row.labels: row.figures for row in by_id(RATINGS.tables(rated_by_judges), "calibrated-grades").rows}
    assert rows["simulated-lenient", "raw"][0].value == pytest.approx(1)
    for method in ("calibrated, linear", "calibrated, isotonic"):
        mad, signed, rmse, kappa, saved = rows["simulated-lenient", method]
        assert (mad.value, signed.value, rmse.value, saved.value) == pytest.approx((0, 0, 0, 1), abs=1e-9)
        assert kappa.value == 1
        assert rows["simulated-1:first", method][0].value is not None


def test_long_is_long():
    """The texts of these stories are on either side of what the simulated model calls long."""
    assert len("So it is cooked in every house and told at every table.") < LONG < 12 * 55


def test_how_a_call_ended_is_seen_though_no_grade_changes(graded, provider, fake_provider):
    """Refusals are kept figures too: when calls turn out to have failed instead, nothing is named any more."""
    judge = grading.grading_judge(graded, provider, "simulated-1:refuse", name="refuses")
    run = grading.run_through(judge)
    assert habits(RUBRICS.tables(graded))["refuses"]
    run.calls.update(state=CallState.FAILED)
    assert habits(RUBRICS.tables(graded))["refuses"] == []
