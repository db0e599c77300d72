"""Held-back questions bear marks in every text; nobody below a lead comes upon one, wherever they look.

Looked at is every route of the product, with the arguments of the world and with everything held back in their place,
by GET and by what is posted to it; and from there every link.
"""

import itertools
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from benchmark.models import Board
from projects.models import Project
from tests.security.held_back import MARK, PARTS, HeldBack, content_of, crawl, hold_back, mark
from tests.security.test_permission_matrix import MATRIX, ROUTES, client_of, everybody_signed_in, undone
from tests.security.world import World, build_world
from tests.standing import standing

#: Everybody but those who lead.
BELOW = ["annotator", "validator", "author", "other lead", "disabled", "visitor"]
#: Sign out, or show a token once.
NOT_VISITED = {"set_language"}


def make_world() -> tuple[World, HeldBack]:
    world = build_world(
        Project.objects.create(slug="feasts", name="Feasts"), Project.objects.create(slug="weddings", name="Weddings")
    )
    held_back = hold_back(world)
    return everybody_signed_in(world), held_back


@pytest.fixture(scope="module")
def standing_world(django_db_setup, django_db_blocker) -> Iterator[tuple[World, HeldBack]]:
    with standing(django_db_blocker, make_world) as made:
        yield made


@pytest.fixture
def world(standing_world, db) -> World:
    return standing_world[0]


@pytest.fixture
def held_back(standing_world, db) -> HeldBack:
    return standing_world[1]


def addresses(name: str, world: World, held_back: HeldBack) -> set[str]:
    """A route with the arguments that the world has for it, and with each of those that are held back."""
    arguments = list(ROUTES[name].pattern.converters)
    usual = {argument: world.argument(name, argument) for argument in arguments}
    of_set = [usual]
    if "question_set" in arguments:
        # Of the version that holds them, too.
        secret = {"question_set": held_back.question_set.slug, "version": 1, "later": 1}
        of_set.append({**usual, **{key: value for key, value in secret.items() if key in arguments}})
    found = set()
    for values in of_set:
        choices = [[values[argument], *held_back.arguments.get(argument, [])] for argument in arguments]
        for chosen in itertools.product(*choices):
            try:
                found.add(reverse(name, kwargs=dict(zip(arguments, chosen, strict=True))))
            except Exception:
                continue
    return found


def every_address(world: World, held_back: HeldBack) -> list[str]:
    names = [name for name in ROUTES if name not in NOT_VISITED]
    return sorted(set().union(*(addresses(name, world, held_back) for name in names)))


def own_turn(held_back: HeldBack) -> str:
    return f"/tasks/{held_back.turn.uuid}/"


@pytest.mark.once  # every page asks its database in test_nothing_is_kept, on both
@pytest.mark.parametrize("role", BELOW)
def test_no_address_and_no_link_shows_it(role, world, held_back):
    begin = ["/", *every_address(world, held_back)]
    answered = 0
    with undone():
        for address, status, content in crawl(client_of(role, world), begin, most=len(begin) + 400):
            answered += status == 200
            if MARK.encode() in content:
                # The lead planned this very text for the annotator to check.
                assert (role, address.startswith(own_turn(held_back))) == ("annotator", True), (role, address)
    assert answered >= (6 if role in ("visitor", "disabled") else 10), "nothing was looked at"


@pytest.mark.once
@pytest.mark.parametrize("role", BELOW)
def test_nothing_that_is_sent_is_answered_with_it(role, world, held_back):
    methods = [(name, method) for name, by in MATRIX["routes"].items() for method in by if method != "get"]
    for name, method in methods:
        for address in sorted(addresses(name, world, held_back)):
            with undone():
                answer = getattr(client_of(role, world), method)(address, **world.bodies.get(name, {}))
                assert MARK.encode() not in content_of(answer), (role, method, address)


def test_the_annotator_reads_the_one_text_that_the_lead_planned_for_them(world, held_back):
    assert MARK in client_of("annotator", world).get(own_turn(held_back)).content.decode()
    for role in ("validator", "author", "other lead", "visitor"):
        assert client_of(role, world).get(own_turn(held_back)).status_code in (302, 404)


def test_a_lead_comes_upon_every_part_of_it(world, held_back):
    """What nobody could find anywhere, the others would not find either."""
    found = set()
    for _address, _status, content in crawl(client_of("lead", world), every_address(world, held_back), most=1500):
        found |= {part for part in PARTS if mark(part).encode() in content}
        if found == set(PARTS) - {"note"}:
            break
    assert found >= set(PARTS) - {"note"}


def test_what_a_lead_takes_of_the_board_can_be_passed_on(world, held_back):
    lead = client_of("lead", world)
    Board.objects.filter(slug="open").update(question_set=held_back.question_set)
    report = reverse("board-report", args=[world.project.slug, "secret-lake"])
    files = [reverse(f"leaderboard-{form}", args=[world.project.slug, "scores"]) for form in ("csv", "json")]
    for address in (report, *files):
        answer = lead.get(address)
        assert (answer.status_code, MARK.encode() in content_of(answer)) == (200, False), address
    by_program = lead.post(reverse("api-board-report", args=[world.project.slug, "secret-lake"]))
    assert (by_program.status_code, MARK.encode() in content_of(by_program)) == (200, False)


def test_the_open_board_is_read_and_tells_nothing(world, held_back):
    for address in ("/boards/open/", "/boards/open/board.json", "/boards/open/board.csv", "/boards/open/embed/"):
        answer = Client().get(address)
        assert answer.status_code == 200, address
        content = content_of(answer).decode()
        assert "Secret Lake" in content
        assert MARK not in content
    answer = Client().get("/boards/open/board.parquet")
    assert answer.status_code == 200
    assert MARK.encode() not in content_of(answer)
