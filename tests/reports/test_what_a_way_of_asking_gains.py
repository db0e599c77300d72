"""What examples, rubrics and categories gain a judge, and whether longer responses are graded higher."""

import numpy as np
import pytest

from agreement.lengths import against_length
from annotation.models import Marking, Rating
from judging.models import Judge
from projects.models import Rater
from providers.models import Provider
from reports.dashboard.setups import Change, Setup, changes, of_metadata
from reports.dashboard.tables import Table, by_id
from reports.ratings.dashboard import RATINGS
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

NIGHTLY = "على السحور"


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"setup": "few-shot pairwise", "rubric": False}, {"asked": "pairwise", "shots": "few", "rubric": False}),
        ({"setup": "zero-shot pointwise without rubrics"}, {"asked": "pointwise", "shots": "zero", "rubric": False}),
        ({"setup": "taxonomy + few-shot"}, {"with_taxonomy": True, "shots": "few"}),
        ({"setup": "Pairwise, with grading rubric"}, {"asked": "pairwise", "shots": "zero", "rubric": True}),
        ({"kind": "pointwise", "shots": "few"}, {"asked": "pointwise", "shots": "few"}),
        ({"setup": "SFT"}, {"in words": "SFT"}),
        ({"setup": "few-shot", "shots": "zero"}, {"shots": "zero"}),
        ({"generated": True, "kind": "spans", "shots": 7}, {}),
        ({}, {}),
        (None, {}),
    ],
)
def test_what_metadata_say_of_how_a_judge_was_asked(metadata, said):
    assert of_metadata(metadata) == said


def test_judges_are_set_side_by_side_where_one_thing_differs():
    def asked(**aspects):
        return Setup("m", tuple(aspects.items()))

    setups = {
        1: asked(asked="pointwise", shots="zero", rubric=True),
        2: asked(asked="pairwise", shots="zero", rubric=True),
        3: asked(asked="pointwise", shots="few", rubric=True),
        4: asked(asked="pairwise", shots="zero", rubric=False),
        5: Setup("another", (("asked", "pairwise"), ("shots", "zero"), ("rubric", True))),
    }
    # 1 and 4 differ in two things, 5 is of another model; without a rubric is the plainer way.
    assert changes(setups, [1, 2, 3, 4, 5]) == [
        Change(1, 2, "asked"),
        Change(4, 2, "rubric"),
        Change(1, 3, "shots"),
    ]
    assert changes(setups, [1, 4, 5]) == []
    # Of one of two it is not known whether there was a rubric: more than the examples may differ.
    assert changes({1: asked(shots="zero"), 2: asked(shots="few", rubric=True)}, [1, 2]) == []


def test_correlation_and_slope_of_score_against_length_are_numpys():
    generator = np.random.default_rng(11)
    length = generator.integers(20, 2000, 60)
    score = 3 + 0.4 * np.log2(length) + generator.normal(0, 1, 60)
    score[7] = np.nan
    correlation, slope = against_length(length, score, np.arange(60) // 2)
    known = ~np.isnan(score)
    doublings = np.log2(length[known])
    assert correlation.value == pytest.approx(np.corrcoef(doublings, score[known])[0, 1])
    assert slope.value == pytest.approx(np.polyfit(doublings, score[known], 1)[0])
    assert correlation.n == 59
    assert correlation.bounds[0] < correlation.number < correlation.bounds[1] <= 1
    assert slope.bounds[0] < slope.number < slope.bounds[1]
    assert against_length([50] * 12, np.arange(12.0), np.arange(12))[0].undefined == "no variation"
    alike = against_length(np.arange(1, 13), [4.0] * 12, np.arange(12))
    assert (alike[0].undefined, alike[1].value) == ("no variation", 0.0)
    assert against_length([5], [np.nan], [1])[0].undefined == "no items"
    assert against_length([5], [3.0], [1])[0].undefined == "n < 2"
    with pytest.raises(ValueError, match="above 0"):
        against_length([0, 4], [1, 2], [1, 2])


@pytest.mark.django_db
def test_an_imported_judge_gains_by_the_rubric(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    plain, with_rubric, silent = (
        Rater.objects.create(project=feasts, kind="judge", name=name, model="simba-1")
        for name in ("Plain", "Rubric", "Silent")
    )
    for number in range(12):
        pair = pair_of(feasts, f"p{number}", question=question)
        for person in people:
            rate(pair, person, question, 5, 3)
        # The one is right of every other pair, the other of all but the last two.
        asked = {"setup": "pairwise"}
        rate(pair, plain, question, 5, 3 if number % 2 else 5, metadata={**asked, "rubric": False})
        rate(pair, with_rubric, question, 5, 3 if number < 10 else 5, metadata={**asked, "rubric": True})
        rate(pair, silent, question, 5, 3)

    tables = RATINGS.tables(feasts)
    found = by_id(tables, "setup-gains")
    row = next(row for row in found.rows if row.labels[-1] == "preference accuracy")
    assert row.labels[:-1] == ("simba-1", "without rubric → with rubric", "two by two, without examples")
    before, after, gain, p = row.figures
    assert (before.value, after.value) == (pytest.approx(6 / 12), pytest.approx(10 / 12))
    assert gain.value == pytest.approx(4 / 12)
    assert gain.bounds[0] < gain.number < gain.bounds[1]
    assert p.number >= p.detail["uncorrected"]
    assert [row.labels[:4] for row in by_id(tables, "judge-setups").rows] == [
        ("simba-1", "two by two", "without examples", "without rubric"),
        ("simba-1", "two by two", "without examples", "with rubric"),
    ]


@pytest.mark.django_db
def test_a_judge_of_spans_gains_by_the_categories(project, answered, simba):
    provider = Provider.objects.create(name="Local", base_url="http://127.0.0.1:9/v1")
    other = Rater.objects.create(project=project, kind="judge", name="With categories", model="simba-1")
    for rater, categories in ((simba, False), (other, True)):
        options = {"granularity": "response", "with_taxonomy": categories}
        Judge.objects.create(project=project, rater=rater, provider=provider, model="simba-1", options=options)
    mark(answered["nightly"].response, other, NIGHTLY)
    found = by_id(SPANS.tables(project), "span-setup-gains")
    assert {row.labels[:2] for row in found.rows} == {("simba-1", "without categories → with categories")}
    rows = {row.labels[-1]: row for row in found.rows}
    before, after, gain, _p = rows["F1"].figures
    # Simba: 0.4 as before; the other's one mark meets both errors about the nightly meal, of three: F1 of 1 and 2/3.
    assert (before.value, after.value) == (pytest.approx(0.4), pytest.approx(0.8))
    assert gain.undefined == "n < 2"  # one prompt
    # Of two marks one is an error, which is one of three; then the only mark is, and it meets two of the three.
    assert [one.value for one in rows["precision"].figures[:2]] == pytest.approx([1 / 2, 1])
    assert [one.value for one in rows["recall"].figures[:2]] == pytest.approx([1 / 3, 2 / 3])
    # What is of a category: the one error of Custom is found with the categories alone.
    assert [one.value for one in rows["recall, Custom"].figures[:2]] == pytest.approx([0, 1])
    assert rows["recall, Custom"].drill["category"] == "custom"


@pytest.mark.django_db
def test_imported_answers_on_spans_say_how_they_were_asked_for(project, answered, koshari):
    for name, setup in (("Plain", "zero-shot"), ("Examples", "few-shot")):
        rater = Rater.objects.create(project=project, kind="judge", name=name, model="nala-1")
        mark(koshari, rater, NIGHTLY)
        Marking.objects.filter(rater=rater).update(metadata={"setup": setup})
    row = by_id(SPANS.tables(project), "span-setup-gains").rows[0]
    assert row.labels[1] == "without examples → with examples"


@pytest.mark.django_db
def test_longer_responses_of_a_model_are_graded_higher(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    for number in range(10):
        response = add_response(feasts, f"r{number}", "a" * 2 ** (number % 5 + 1), "ar-EG", "Muse")
        Rating.objects.create(question=question, response=response, rater=mona, first_grade=number % 5 + 1)
    found: Table = by_id(RATINGS.tables(feasts), "grade-against-length")
    # One grade more for every doubling.
    assert figure(found, "Muse", "People", measure="correlation").value == pytest.approx(1.0)
    assert figure(found, "Muse", "People", measure="change for twice the length").value == pytest.approx(1.0)
    # Two each of 2, 4, 8, 16 and 32 characters, and of 1 to 5.
    assert figure(found, "Muse", "People", measure="mean characters").value == pytest.approx(12.4)
    assert figure(found, "Muse", "People", measure="mean grade").value == pytest.approx(3.0)
    assert (found.chart, found.measures[-2:]) == ("scatter", ("mean characters", "mean grade"))


@pytest.mark.django_db
def test_a_judge_on_each_dimension_is_the_judge_under_that_filter(project):
    feasts = make_ratings_project(project)
    questions = [question_type(feasts), question_type(feasts, "grammar", dimension="fluency")]
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for at, question in enumerate(questions):
        for number in range(4):
            pair = pair_of(feasts, f"p{at}{number}", question=question)
            for person in people:
                rate(pair, person, question, 5, 3 + number % 2)
            rate(pair, simba, question, 5 - at, 3 + at * (number % 3))
    found = by_id(RATINGS.tables(feasts), "judges-by-dimension")
    assert {row.labels for row in found.rows} == {("Simba", "Tone"), ("Simba", "Fluency")}
    values = {}
    for row in found.rows:
        alone = by_id(RATINGS.tables(feasts, filters=row.drill), "judges-against-gold").rows[0]
        measures = by_id(RATINGS.tables(feasts), "judges-against-gold").measures
        expected = [alone.figures[measures.index(name)].value for name in found.measures]
        assert [one.value for one in row.figures] == pytest.approx(expected)
        values[row.labels[1]] = expected
    assert values["Tone"] != values["Fluency"]
    assert by_id(RATINGS.tables(feasts, filters={"dimension": "tone"}), "judges-by-dimension").rows == ()
