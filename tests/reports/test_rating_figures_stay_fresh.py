"""A new rating makes exactly the figures stale that it changes; all others are kept."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Rating, RatingSettings
from projects.models import LanguageVariety, PromptTemplate, Rater
from reports.dashboard.names import TOTAL
from reports.ratings.dashboard import RATERS, RATINGS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate

pytestmark = pytest.mark.django_db

OF_JUDGES = {"judges", "joint", "own_laboratory", "footing", "stated", "rounds", "distributions", "models", "systems"}
OF_JUDGES |= {"alternative"}
ALL_GROUPS = OF_JUDGES | {"people", "groups", "unsure"}
#: These are of all varieties together alone.
TOGETHER = {
    "own_laboratory",
    "footing",
    "distributions",
    "models",
    "alternative",
    "groups",
    "unsure",
    "joint",
    "stated",
    "rounds",
}


@pytest.fixture
def feasts(project):
    return make_ratings_project(project)


@pytest.fixture
def formality(feasts):
    return question_type(feasts)


@pytest.fixture
def pairs(feasts, formality):
    """Two in either variety, answered by two people and a judge."""
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    judge = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    made = []
    for tag in ("ar-EG", "ar-IQ"):
        for number in (1, 2):
            made.append(pair_of(feasts, f"{tag}-{number}", tag=tag, question=formality))
            for at, rater in enumerate((*people, judge)):
                rate(made[-1], rater, formality, 3 + at % 2, number + 1)
    return made


@pytest.fixture
def iraqi(db):
    return LanguageVariety.objects.get(tag="ar-IQ")


def computed(project, page=RATINGS, **filters) -> set[tuple[str, int]]:
    """What a reading of the dashboard had to compute: (group, variety or TOTAL)."""
    dashboard = page.figures(project, filters)
    dashboard.tables()
    return set(dashboard.computed)


def of(groups: set[str], variety: LanguageVariety) -> set[tuple[str, int]]:
    return {(group, TOTAL) for group in groups} | {(group, variety.pk) for group in groups - TOGETHER}


def test_reading_again_computes_nothing(feasts, pairs):
    assert {group for group, _pool in computed(feasts)} == ALL_GROUPS
    assert computed(feasts) == set()


def test_a_judges_answer_leaves_what_people_said_as_it_was(feasts, pairs, formality, iraqi):
    computed(feasts)
    computed(feasts, RATERS)
    other = Rater.objects.create(project=feasts, kind="judge", name="Nala")
    rate(pairs[2], other, formality, 4, 4)
    assert computed(feasts) == of(OF_JUDGES, iraqi)
    assert computed(feasts, RATERS) == set()


def test_a_persons_answer_changes_its_own_setting_and_the_total(feasts, pairs, formality, iraqi):
    computed(feasts)
    computed(feasts, RATERS)
    other = Rater.objects.create(project=feasts, kind="human", name="Salma")
    rate(pairs[2], other, formality, 4, 4)
    assert computed(feasts) == of(ALL_GROUPS, iraqi)
    assert computed(feasts, RATERS) == of({"raters", "confusions"}, iraqi)


def test_an_answer_to_a_check_changes_nothing(feasts, pairs, formality):
    computed(feasts)
    other = Rater.objects.create(project=feasts, kind="human", name="Salma")
    rate(pairs[2], other, formality, 4, 4, is_check=True)
    assert computed(feasts) == set()


@pytest.mark.parametrize(
    "change", [{"first_grade": 5}, {"second_grade": 1}, {"preference": "tie"}, {"is_swapped": True}, {"round": 2}]
)
def test_whatever_an_answer_says_is_in_its_state(feasts, pairs, iraqi, change):
    computed(feasts)
    mine = Rating.objects.filter(pair=pairs[3], rater__name="Mona")
    mine.update(**change)
    assert computed(feasts) == of(ALL_GROUPS, iraqi)


def test_two_answers_that_swap_their_grades_are_another_state(feasts, pairs, iraqi):
    computed(feasts)
    one, other = Rating.objects.filter(pair__in=pairs[2:], rater__name="Mona").order_by("id")
    grades = [(row.first_grade, row.second_grade) for row in (other, one)]
    for row, (first, second) in zip((one, other), grades, strict=True):
        Rating.objects.filter(pk=row.pk).update(first_grade=first, second_grade=second)
    assert computed(feasts) == of(ALL_GROUPS, iraqi)


def test_an_answer_taken_back_is_gone(feasts, pairs, iraqi):
    computed(feasts)
    Rating.objects.filter(pair=pairs[3], rater__name="Karim").delete()
    assert computed(feasts) == of(ALL_GROUPS, iraqi)


def test_rules_of_the_project_change_what_rests_on_them(feasts, pairs):
    computed(feasts)
    settings = RatingSettings.objects.create(project=feasts, unparseable="wrong")
    assert {group for group, _pool in computed(feasts)} == OF_JUDGES
    settings.gold_rule = "mean"
    settings.save()
    assert {group for group, _pool in computed(feasts)} == ALL_GROUPS
    Rater.objects.filter(project=feasts, name="Mona").update(is_expert=True)
    assert {group for group, _pool in computed(feasts)} == ALL_GROUPS


def test_a_template_that_changes_its_split_changes_what_a_split_keeps(feasts, pairs, formality):
    template = PromptTemplate.objects.create(project=feasts, key="t", question=formality, text="Ask.", split="train")
    type(pairs[0].prompt).objects.filter(pk=pairs[0].prompt_id).update(template=template)
    assert computed(feasts, split="test")
    PromptTemplate.objects.filter(pk=template.pk).update(split="test")
    assert ("people", pairs[0].variety_id) in computed(feasts, split="test")


def test_choosing_what_is_compared_computes_that_alone(feasts, pairs, formality):
    other = Rater.objects.create(project=feasts, kind="judge", name="Nala")
    rate(pairs[0], other, formality, 4, 4)
    computed(feasts)
    assert computed(feasts, setup="Nala", other_setup="Simba") == {("judges", TOTAL)}
    assert computed(feasts, model="Delta-9B", other_model="Nile-7B") == {
        (group, TOTAL) for group in ("models", "systems")
    }


def test_one_setting_alone_is_taken_from_what_is_kept(feasts, pairs, iraqi):
    computed(feasts)
    assert computed(feasts, variety="ar-IQ") == {(group, TOTAL) for group in ALL_GROUPS}


def test_reading_what_is_kept_asks_few_questions(feasts, pairs):
    computed(feasts)
    with CaptureQueriesContext(connection) as captured:
        computed(feasts)
    assert len(captured) <= 18
