"""The figures of the dashboards can be worked out from the frames alone: the same numbers to 1e-9."""

import krippendorff
import numpy as np
import pytest

from annotation.models import Marking
from projects.models import Project
from reports.dashboard.dashboards import tables
from reports.frames import calls, grades, markings, preferences, ratings, reviews, scores, spans, verdicts
from reports.ratings.reader import load as load_ratings
from reports.ratings.scope import RatingScope
from tests.preset_parts import set_points
from tests.reports.juice import juice
from tests.reports.menlo import a_study
from tests.reports.perle import study

pytestmark = pytest.mark.django_db


def figure(project: Project, table_id: str, measure: str, *labels: str) -> float:
    [table] = [table for table in tables(project, {}) if table.id == table_id]
    [row] = [row for row in table.rows if row.labels == labels]
    return row.figures[table.measures.index(measure)].number


def alpha(frame, item, value, level):
    """Krippendorff's alpha of the package, over a frame with a row per rating."""
    counts = frame.groupby([*([item] if isinstance(item, str) else item), value]).size().unstack(fill_value=0)
    return krippendorff.alpha(
        value_counts=counts.to_numpy(), value_domain=counts.columns.to_numpy(), level_of_measurement=level
    )


@pytest.fixture
def penalised(db):
    project = juice(("US-en", "KR-ko"), 6)
    set_points(project, {"high": 5, "medium": 1, "low": 0.1})
    # Later rounds and answers in part are in the frames too, and count in no figure.
    first = Marking.objects.filter(rater__kind="human").earliest("id")
    Marking.objects.create(response=first.response, rater=first.rater, round=7, is_complete=False)
    return project


def test_alpha_of_penalties(penalised):
    found = scores(penalised)
    mine = found[(found.measure == "penalty") & found.is_counted & (found.rater_kind == "human")]
    for measure, level in (("alpha, interval", "interval"), ("alpha, ordinal", "ordinal")):
        expected = figure(penalised, "penalty-alpha", measure, "All varieties")
        assert alpha(mine, "response_key", "score", level) == pytest.approx(expected, abs=1e-9)


def test_errors_per_response(penalised):
    found = scores(penalised)
    mine = found[(found.measure == "errors") & found.is_counted & (found.rater_kind == "human")]
    assert mine.score.mean() == pytest.approx(
        figure(penalised, "errors-per-response", "all", "All varieties", "People"), abs=1e-9
    )


def test_share_of_spans_kept(penalised):
    found = spans(penalised)
    assert len(found) == found.is_counted.sum()
    assert set(found.outcome) <= {"kept", "rejected", "open", "pending"}
    assert reviews(penalised).is_counted.all()
    told = markings(penalised)
    assert told.is_counted.sum() == len(told) - 1


@pytest.fixture(scope="module")
def rated_share():
    return 0.03


@pytest.fixture
def rated(rated_share, db):
    return a_study("menlo", rated_share).project


def test_alpha_of_peoples_grades_by_dimension_and_variety(rated):
    found = ratings(rated)
    mine = found[found.is_counted & (found.rater_kind == "human")]
    item = ["response_key", "question"]
    expected = figure(rated, "ratings-by-dimension", "alpha", "All dimensions")
    assert alpha(mine, item, "grade", "ordinal") == pytest.approx(expected, abs=1e-9)
    for dimension, rows in mine.groupby("dimension"):
        expected = figure(rated, "ratings-by-dimension", "alpha", dimension)
        assert alpha(rows, item, "grade", "ordinal") == pytest.approx(expected, abs=1e-9)


def test_a_pairwise_judges_mean_absolute_deviation_from_gold(rated):
    """Gold by the project's rule: experts' grades where there are any; by majority, ties by mean, then median, and
    halfway, towards the middle of the scale, where that does not part them."""
    found = ratings(rated)
    counted = found[found.is_counted]
    people = counted[counted.rater_kind == "human"]
    item = ["response_key", "question"]
    gold = people.groupby(item).apply(gold_of, include_groups=False).rename("gold")
    name = "Harbor 9B, pairwise with rubric"
    judge = counted[counted.rater == name].join(gold, on=item).dropna(subset=["gold"])
    expected = figure(rated, "judges-against-gold", "MAD", name)
    assert (judge.grade - judge.gold).abs().mean() == pytest.approx(expected, abs=1e-9)


def gold_of(rows) -> float:
    chosen = rows[rows.is_expert] if rows.is_expert.any() else rows
    values, counts = np.unique(chosen.grade, return_counts=True)
    most = values[counts == counts.max()]
    if len(most) == 1:
        return float(most[0])
    nearest = np.abs(most - chosen.grade.mean())
    closest = most[nearest <= nearest.min() + 1e-9]
    if len(closest) == 1:
        return float(closest[0])
    apart = np.abs(closest - np.median(chosen.grade))
    last = closest[apart <= apart.min() + 1e-9]
    halfway = float(last.mean())
    return (
        halfway if halfway == round(halfway) else min(np.floor(halfway), np.ceil(halfway), key=lambda one: abs(one - 3))
    )


def test_what_counts_is_what_dashboards_load(rated):
    loaded = load_ratings(rated, list(rated.responses.values_list("variety", flat=True).distinct()), RatingScope())
    found = ratings(rated)
    assert found.is_counted.sum() == len(loaded.grades.grade)
    told = preferences(rated)
    assert told.is_counted.sum() == int(loaded.verdicts.is_ordered.sum())
    assert sorted(found[found.is_counted].grade) == sorted(loaded.grades.grade)


def test_a_judges_mean_absolute_deviation_from_peoples_scores():
    project = study(prompts=10, regraded=8, calibrated=6).project
    found = grades(project)
    reference = found[found.is_reference].set_index("response_key").percent.rename("reference")
    for name, rows in found[found.is_latest & (found.rater_kind == "judge")].groupby("rater"):
        errors = rows.join(reference, on="response_key").eval("percent - reference")
        expected = figure(project, "judges-against-people", "MAD", name)
        assert errors.abs().mean() == pytest.approx(expected, abs=1e-9)
        assert len(errors.dropna())


def test_the_score_of_a_grading_is_the_sum_of_its_verdicts():
    project = study(prompts=4).project
    of_criteria = verdicts(project)
    place = ["response_key", "rater", "round"]
    earned = of_criteria.weight.where(of_criteria.adds_weight, 0).groupby([of_criteria[one] for one in place]).sum()
    told = grades(project).set_index(place)
    assert (told.raw == earned.reindex(told.index)).all()
    assert np.allclose(told.percent, 100 * told.raw.astype(float) / told.maximum.astype(float), rtol=0, atol=1e-12)
    assert not len(calls(project)), "these judges' answers came from a file"
