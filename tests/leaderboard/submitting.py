"""People who submit models to the open board of Feasts: Layla and Hassan for Pond Lab, Yara for Reed Lab; the account
of Sami is not verified. None of them is a member of the project."""

from typing import Any

import pytest

from benchmark.models import Board, VerifiedAccount
from projects.models import User
from tests.benchmark.boards import frozen_set, laboratory, open_questions
from tests.people import person

ADDRESS = "https://models.pond.example.org/v1"


def outsider(name: str, of: str | None = None) -> User:
    user = person(f"{name.lower()}@example.org", f"{name} Outsider")
    if of is not None:
        VerifiedAccount.objects.create(user=user, laboratory=laboratory(of))
    return user


def pond(**changes: Any) -> dict[str, Any]:
    """What Layla says of her model, as the form sends it."""
    return {
        "name": "Pond-7B",
        "access": "api",
        "parameters_total": "7",
        "licence": "Apache-2.0",
        "link": "https://pond.example.org/model",
        "declared_overlap": "None that we know of",
        "how": "endpoint",
        "address": ADDRESS,
        "model": "pond-7b",
        "temperature": "0",
        "token_limit": "500",
    } | changes


@pytest.fixture
def feasts(project):
    project.areas, project.preset = ["leaderboard"], "leaderboard"
    project.save()
    return project


@pytest.fixture
def questions(feasts):
    return frozen_set(feasts, *open_questions(4))


@pytest.fixture
def opened(feasts, questions):
    return Board.objects.create(
        project=feasts, slug="arabic", title="Feasts in Arabic", is_open=True, takes_submissions=True
    )


@pytest.fixture
def layla(db):
    return outsider("Layla", "Pond Lab")


@pytest.fixture
def hassan(db):
    return outsider("Hassan", "Pond Lab")


@pytest.fixture
def yara(db):
    return outsider("Yara", "Reed Lab")


@pytest.fixture
def sami(db):
    return outsider("Sami")
