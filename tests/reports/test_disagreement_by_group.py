"""Do communities of raters see the same texts differently, in ratings and in rubrics?"""

import pytest

from annotation.models import Rating
from projects.models import LanguageVariety, Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from rubrics.models import GradeRole
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db

N = 12


def row(found, *labels: str):
    rows = [row for row in found.rows if row.labels == labels]
    assert len(rows) == 1, [row.labels for row in found.rows]
    return dict(zip(found.measures, rows[0].figures, strict=True))


@pytest.fixture
def rated(project):
    """Two Egyptians and two Koreans on twelve texts. Egyptians say 4 and 4, or 4 and 3 on every third text; Koreans 2
    and 2. On the first text the second Korean says 4."""
    question = question_type(make_ratings_project(project))
    responses = [add_response(project, f"r{number:02}", f"رقم {number}", "ar-EG", "Nile-7B") for number in range(N)]
    egyptian, korean = responses[0].variety, LanguageVariety.objects.get(tag="ko-KR")
    for name, variety, grades in (
        ("Amal", egyptian, [4] * N),
        ("Noor", egyptian, [3 if number % 3 == 0 else 4 for number in range(N)]),
        ("Minji", korean, [2] * N),
        ("Jisoo", korean, [4] + [2] * (N - 1)),
    ):
        rater = Rater.objects.create(project=project, kind="human", name=name)
        rater.varieties.add(variety)
        Rating.objects.bulk_create(
            Rating(question=question, rater=rater, response=response, first_grade=grade)
            for response, grade in zip(responses, grades, strict=True)
        )
    return responses


def test_communities_beside_each_other(project, rated):
    found = by_id(RATINGS.tables(project, filters={}), "disagreement-by-group")
    [of_communities] = [row.labels for row in found.rows]
    assert of_communities[0] == "community"
    pair = row(found, *of_communities)
    # In grades, as shares of a scale of four steps: Egyptians differ by 1 on four texts of twelve, Koreans by 2 on one.
    within = sorted((pair["distance within the first"].value, pair["distance within the second"].value))
    assert within == pytest.approx([2 / N / 4, 4 / N / 4])
    # Amal is 2 from both Koreans but on the first text (2 and 0); Noor 1 on every third text, there 1 and 1, else 2.
    between = (2 * 24 - 2) + (3 * 2 * 1 + (1 + 1) + 8 * 2 * 2)
    assert pair["distance between"].value == pytest.approx(between / (4 * N) / 4)
    assert pair["distance between"].n == 4 * N
    excess = between / (4 * N) / 4 - (6 / N / 4) / 2
    assert pair["excess"].value == pytest.approx(excess)
    assert pair["p, corrected"].value < 0.001
    assert "Holm" in found.recipe.settings["correction"]


def test_experts_and_others_are_a_second_pair_and_both_are_corrected_together(project, rated):
    Rater.objects.filter(name__in=("Amal", "Minji")).update(is_expert=True)
    found = by_id(RATINGS.tables(project, filters={}), "disagreement-by-group")
    assert [row.labels[0] for row in found.rows] == ["community", "role"]
    role = row(found, "role", "other people", "experts")
    # Experts are 2 apart on every text, one pair of them each.
    assert role["distance within the second"].value == pytest.approx(2 / 4)
    p = [row.figures[4] for row in found.rows]
    smaller, larger = sorted(figure.detail["uncorrected"] for figure in p)
    assert sorted(figure.number for figure in p) == pytest.approx([2 * smaller, max(2 * smaller, larger)])


def test_who_speaks_none_or_several_is_in_no_group(project, rated):
    Rater.objects.get(name="Jisoo").varieties.add(rated[0].variety)
    Rater.objects.get(name="Minji").varieties.clear()
    assert by_id(RATINGS.tables(project, filters={}), "disagreement-by-group").rows == ()


def test_communities_of_graders_of_rubrics(project):
    """Of 37 points. Egyptians pass c5 (5) and c5 with c1 (15); Iraqis c5 with c2 (13), and all five (37)."""
    rubrics = make_rubrics_project(project)
    response = add_response(rubrics, "notes", "The red one is called a brick.", "ar-EG", "Muse")
    names = ("Farida", "Salma", "Ali", "Zaid")
    people = [Rater.objects.create(project=rubrics, kind="human", name=name) for name in names]
    for person, tag in zip(people, ("ar-EG", "ar-EG", "ar-IQ", "ar-IQ"), strict=True):
        person.varieties.set(LanguageVariety.objects.filter(tag=tag))
    rubric = frozen_rubric(response.prompt, people[0])
    passed = (["c5"], ["c5", "c1"], ["c5", "c2"], ["c1", "c2", "c3", "c4", "c5"])
    points = (5, 15, 13, 37)
    for at, (person, own) in enumerate(zip(people, passed, strict=True)):
        role = GradeRole.CALIBRATION if at else GradeRole.REFERENCE
        assert graded(response, person, rubric, own, role=role).raw == points[at]
    found = by_id(RUBRICS.tables(rubrics, filters={}), "disagreement-by-group")
    [labels] = [row.labels for row in found.rows]
    pair = row(found, *labels)
    within = sorted((pair["distance within the first"].value, pair["distance within the second"].value))
    assert within == pytest.approx([100 * 10 / 37, 100 * 24 / 37])
    between = (13 - 5) + (37 - 5) + (15 - 13) + (37 - 15)
    assert pair["distance between"].value == pytest.approx(100 * between / 4 / 37)
    assert (found.unit, pair["excess"].undefined) == ("pp", "too few prompts")
