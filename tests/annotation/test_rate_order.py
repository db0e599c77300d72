"""Which response stands first is drawn for each rater and pair, the same at every look, and recorded."""

import json
import re

import pytest

from annotation.models import Rating
from annotation.pairs.order import is_swapped
from tests.annotation.marked import rater_of
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import body, rating, rating_stage, turn_of
from tests.people import signed_in
from tests.workflow.working import submit


def test_the_draw_is_the_same_at_every_look():
    assert [is_swapped(7, 3, pair) for pair in range(50)] == [is_swapped(7, 3, pair) for pair in range(50)]


def test_each_order_comes_to_about_half_of_the_turns_whoever_rates():
    """10,000 draws of one half: 95 in 100,000,000 fall outside 5 standard deviations of 50 (5,000 +- 250)."""
    draws = [is_swapped(7, rater, pair) for rater in range(100) for pair in range(100)]
    assert abs(sum(draws) - 5000) < 250
    by_rater = [sum(draws[rater * 100 : rater * 100 + 100]) for rater in range(100)]
    by_pair = [sum(draws[pair::100]) for pair in range(100)]
    assert min(by_rater + by_pair) > 20
    assert max(by_rater + by_pair) < 80


def test_another_rater_another_pair_or_another_seed_draws_anew():
    def draws(seed, rater, pairs=range(200)):
        return [is_swapped(seed, rater, pair) for pair in pairs]

    for other in (draws(8, 3), draws(7, 4), draws(7, 3, range(200, 400))):
        agreement = sum(one == two for one, two in zip(draws(7, 3), other, strict=True))
        assert 60 < agreement < 140


def shown(client, turn) -> list[str]:
    """Which of the pair stands on side A and which on side B of the page."""
    page = client.get(f"/tasks/{turn.uuid}/").content.decode()
    found = re.search(r'<script id="rate-task" type="application/json">(.*?)</script>', page)
    assert found is not None
    task = json.loads(found.group(1))
    texts = {"first": turn.item.pair.first.text, "second": turn.item.pair.second.text}
    assert [texts[side] for side in task["sides"]] == sorted(texts.values(), key=page.index)
    return task["sides"]


def seed_of_both_orders(raters: list[int], pairs: list[int]) -> int:
    """A seed under which a person sees both orders, and the two people not the same; a drawn one may have none."""

    def orders(seed: int) -> list[tuple[bool, ...]]:
        return [tuple(is_swapped(seed, rater, pair) for pair in pairs) for rater in raters]

    return next(seed for seed in range(1000) if len(set(orders(seed))) == 2 and len(set(orders(seed)[0])) == 2)


@pytest.mark.django_db
def test_the_order_differs_between_raters_and_is_recorded_with_each_answer(project, mona, karim):
    question = question_type(make_ratings_project(project))
    shown_pairs = [pair_of(project, f"pair-{number}", question=question).pk for number in range(8)]
    stage = rating_stage(project)
    stage.seed = seed_of_both_orders([rater_of(person, project).pk for person in (mona, karim)], shown_pairs)
    stage.save()
    orders = {}
    for person in (mona, karim):
        client = signed_in(person)
        for _each in range(8):
            turn = turn_of(person, stage)
            sides = shown(client, turn)
            assert shown(client, turn) == sides
            assert submit(client, turn, 0, body(rating(first=5, second=1))).status_code == 200
            stored = Rating.objects.get(assignment=turn)
            assert stored.is_swapped == (sides == ["second", "first"])
            assert (stored.first_grade, stored.second_grade) == (5, 1), "the grades stay with their responses"
            orders[person.name, turn.item.pair_id] = stored.is_swapped
    pairs = {pair for _name, pair in orders}
    assert {orders["Mona Adel", pair] for pair in pairs} == {True, False}
    assert any(orders["Mona Adel", pair] != orders["Karim Samir", pair] for pair in pairs)
