"""Every route against every role, from one file: permissions.yaml.

The build fails for a route without a row, and for a row without its route.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from projects.models import Membership, Project, Role
from tests.people import join, person, signed_in
from tests.security.world import World, build_world
from tests.standing import standing

MATRIX = yaml.safe_load((Path(__file__).parent / "permissions.yaml").read_text())
ROLES = ["annotator", "validator", "author", "lead", "admin"]
FOREIGN_APPS = ("account_", "mfa_", "usersessions_", "socialaccount_")


def named_routes(resolver: URLResolver) -> dict[str, URLPattern]:
    found: dict[str, URLPattern] = {}
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            found |= named_routes(entry)
        elif entry.name and not entry.name.startswith(FOREIGN_APPS):
            found[entry.name] = entry
    return found


ROUTES = named_routes(get_resolver())
EVERYBODY = [*ROLES, "other lead", "disabled", "visitor"]
CASES = [(name, method) for name, methods in MATRIX["routes"].items() for method in methods]


def allowed(name: str, method: str) -> set[str]:
    return set(MATRIX["groups"][MATRIX["routes"][name][method]])


def address(name: str, world: World) -> str:
    arguments = ROUTES[name].pattern.converters
    return reverse(name, kwargs={argument: world.argument(name, argument) for argument in arguments})


def client_of(role: str, world: World) -> Client:
    """A browser of their own, with the session that `everybody_signed_in` began."""
    client = Client()
    if role != "visitor":
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    return client


def everybody_signed_in(world: World) -> World:
    people = {role: world.person_with(role) for role in ROLES[:-1]}
    people["other lead"] = join(person("else@example.org", "Else"), world.other_project, "lead")
    people["admin"] = person("root@example.org", "Root", is_superuser=True)
    gone = people["disabled"] = join(person("gone@example.org", "Gone"), world.project, *Role.values)
    world.sessions = {role: str(signed_in(user).session.session_key) for role, user in people.items()}
    gone.is_active = False
    gone.save()
    return world


def make_world() -> World:
    world = build_world(
        Project.objects.create(slug="feasts", name="Feasts"), Project.objects.create(slug="weddings", name="Weddings")
    )
    return everybody_signed_in(world)


@pytest.fixture(scope="module")
def standing_world(django_db_setup, django_db_blocker) -> Iterator[World]:
    with standing(django_db_blocker, make_world) as world:
        yield world


@pytest.fixture
def world(standing_world, db) -> World:
    return standing_world


@contextmanager
def undone() -> Iterator[None]:
    """What happens inside leaves no trace for the next one of them."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_every_route_has_a_row():
    listed = [*MATRIX["routes"], *MATRIX["public"], *MATRIX["own"], *MATRIX["founders"]]
    assert sorted(ROUTES) == sorted(listed)


@pytest.mark.parametrize(("name", "method"), CASES)
def test_a_route_lets_in_whom_the_matrix_names(name, method, world):
    for role in EVERYBODY:
        with undone():
            response = getattr(client_of(role, world), method)(address(name, world), **world.bodies.get(name, {}))
            if role in allowed(name, method):
                assert response.status_code not in (401, 403, 404), (role, response.status_code)
            elif role in ("visitor", "disabled"):
                assert_must_sign_in(name, response)
            else:
                assert response.status_code == 404, role


def assert_must_sign_in(name: str, response) -> None:
    if response.status_code == 302:
        assert response.url.startswith("/accounts/login/")
    else:
        assert response.status_code == 401


@pytest.mark.parametrize(("name", "method"), MATRIX["own"].items())
def test_what_is_ones_own_needs_an_account(name, method, world):
    assert_must_sign_in(name, getattr(Client(), method)(address(name, world)))


@pytest.mark.parametrize("name", sorted(set(MATRIX["routes"])))
def test_demotion_takes_effect_in_the_running_session(name, world):
    method = next(iter(MATRIX["routes"][name]))
    lead = join(person("was@example.org", "Was Lead"), world.project, "lead")
    client = signed_in(lead)
    client.get("/")
    Membership.objects.filter(user=lead).delete()
    assert getattr(client, method)(address(name, world), **world.bodies.get(name, {})).status_code == 404
