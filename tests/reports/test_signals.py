"""A lead looks for answers faster than reading and for one grade over and over; nobody is judged by it."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from agreement.attention import reading_seconds
from annotation.models import Rating
from projects.models import Rater
from reports.signals import NOTABLE_SHARE, needed, signals
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import rating_stage
from tests.people import signed_in
from workflow.models import Assignment, Status, WorkItem

pytestmark = pytest.mark.django_db

PAIRS = 40
WORDS = "كلمة " * 60


@pytest.fixture
def study(project):
    """Four people rate forty pairs: three follow the pair with an error now and then, one gives 4 to everything."""
    question = question_type(make_ratings_project(project))
    chance = random.Random(11)
    worth = [(chance.randint(1, 5), chance.randint(1, 5)) for _number in range(PAIRS)]
    pairs = [pair_of(project, f"pair-{n}", WORDS, WORDS + "غيرها", question=question) for n in range(PAIRS)]
    stage = rating_stage(project, overlap=4)
    items = {item.pair_id: item for item in WorkItem.objects.filter(stage=stage)}
    names = ("Ahmed", "Basma", "Camelia", "Dina")
    people = [Rater.objects.create(project=project, kind="human", name=name) for name in names]
    now = timezone.now()
    for person in people:
        for number, pair in enumerate(pairs):
            grades = (
                (4, 4)
                if person.name == "Dina"
                else [min(5, max(1, g + chance.choice((0, 0, 0, 1, -1)))) for g in worth[number]]
            )
            at = now + timedelta(minutes=number)
            turn = Assignment.objects.create(
                item=items[pair.pk],
                stage=stage,
                rater=person,
                status=Status.SUBMITTED,
                submitted_at=at,
                # Ahmed is through before anybody could have read half of it.
                active_seconds=5 if person.name == "Ahmed" else 90,
            )
            Rating.objects.create(
                question=question,
                pair=pair,
                rater=person,
                first_grade=grades[0],
                second_grade=grades[1],
                assignment=turn,
                created_at=at,
            )
    return project


def by_name(project):
    return {one.rater.name: one for one in signals(project)}


def test_who_is_faster_than_reading_and_who_gives_one_grade_stand_first(study):
    found = by_name(study)
    assert found["Ahmed"].rushed.value == 1
    assert found["Ahmed"].rushed.n == PAIRS
    assert found["Basma"].rushed.value == 0
    assert found["Dina"].longest_run.value == 2 * PAIRS
    assert found["Dina"].modal_share.value == 1
    assert found["Dina"].careless.value == pytest.approx(1, abs=0.01)
    assert {name for name, one in found.items() if one.notable} == {"Ahmed", "Dina"}
    assert next(one.rater.name for one in signals(study)) == "Dina"


def test_reading_takes_the_prompt_and_both_responses(study):
    pair = study.pairs.first()
    texts = (pair.prompt.text, pair.first.text, pair.second.text)
    wanted = sum(reading_seconds(text, "Arab") for text in texts)
    assert needed(study, set(), {pair.pk}) == {-pair.pk: pytest.approx(wanted)}
    assert 0.5 * wanted > 5  # what makes Ahmed's five seconds too few


def test_answers_to_checks_and_unread_verdicts_are_no_grades_here(study):
    Rating.objects.filter(rater__name="Dina").update(is_check=True)
    dina = by_name(study)["Dina"]
    assert dina.modal_share.value is None
    assert dina.rushed.n == PAIRS  # time is time


def test_a_new_answer_is_seen_at_once(study):
    before = by_name(study)["Basma"].modal_share.n
    question = study.question_types.get()
    pair = pair_of(study, "late", question=question)
    Rating.objects.create(
        question=question, pair=pair, rater=Rater.objects.get(name="Basma"), first_grade=3, second_grade=3
    )
    assert by_name(study)["Basma"].modal_share.n == before + 2


def test_the_page_shows_pseudonyms_and_says_how_it_is_made(study, nour, mona):
    page = signed_in(nour).get("/p/feasts/signals/").content.decode()
    for one in signals(study):
        assert one.rater.pseudonym in page
        assert one.rater.name not in page
    assert str(NOTABLE_SHARE) in page
    assert signed_in(mona).get("/p/feasts/signals/").status_code == 404


def test_with_nothing_answered_the_page_says_so(project, nour):
    assert "Nobody has answered yet" in signed_in(nour).get("/p/feasts/signals/").content.decode()
