"""What a browser or a proxy keeps of a page, somebody else can look at: private pages are kept nowhere."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.people import PASSWORD, person, signed_in
from tests.projects.test_invite_people import invite, link_in
from tests.security.test_permission_matrix import MATRIX, ROLES, address
from tests.security.world import World, build_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(project, other_project) -> World:
    return build_world(project, other_project)


def asked_for(world: World) -> list[tuple[str, Any]]:
    """Each route that is read, and the answer to somebody who may."""
    administrator = person("root@example.org", "Root", is_superuser=True)
    answers = []
    for name, methods in MATRIX["routes"].items():
        if "get" in methods:
            allowed = MATRIX["groups"][methods["get"]]
            role = next(role for role in ROLES if role in allowed)
            user = administrator if role == "admin" else world.person_with(role)
            answers.append((name, signed_in(user).get(address(name, world))))
    for name, method in MATRIX["own"].items():
        if method == "get":
            answers.append((name, signed_in(administrator).get(address(name, world))))
    answers.append(("accept-invitation", Client().get(address("accept-invitation", world))))
    return answers


def test_no_page_of_any_route_is_kept(world):
    answers = asked_for(world)
    assert len(answers) > 100
    kept = [
        name
        for name, answer in answers
        if name not in settings.CACHEABLE_ROUTES and "no-store" not in answer.headers.get("Cache-Control", "")
    ]
    assert kept == []


def test_a_token_that_is_shown_once_is_not_kept(mona):
    shown = signed_in(mona).post("/account/tokens/", {"name": "nightly"})
    assert shown.context["new_token"] in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]


def test_an_invitation_and_the_way_in_are_not_kept(nour, project):
    newcomer = Client()
    link = link_in(invite(nour, project))
    for answer in (newcomer.get(link), newcomer.post(link), newcomer.get("/accounts/signup/")):
        assert "no-store" in answer["Cache-Control"]
    wrong = Client().post("/accounts/login/", {"login": nour.email, "password": "wrong"})
    right = Client().post("/accounts/login/", {"login": nour.email, "password": PASSWORD})
    for answer in (wrong, right, Client().get("/nothing/there/")):
        assert "no-store" in answer["Cache-Control"]


def test_what_is_nobodys_own_stays_cacheable(nour):
    """The texts of the scripts, the descriptions of files, and the scripts themselves."""
    for path in ("/texts/ar/spans.js", "/schemas/items.schema.json", "/static/app.js"):
        answer = signed_in(nour).get(path)
        assert answer.status_code == 200, path
        assert "no-store" not in answer.headers.get("Cache-Control", ""), path
