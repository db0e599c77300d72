"""Nour puts her candidates to two models by one command, and is told which neither solves."""

import json

import pytest
from django.core.management import CommandError, call_command

from benchmark.models import Answer, Configuration, ModelCard, Question
from judging.collecting.endpoints import add_endpoint
from judging.models import Run, RunState
from tests.benchmark.boards import frozen_set
from tests.benchmark.sets import open_line, set_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def feasts(project):
    project.areas, project.preset = ["leaderboard"], "leaderboard"
    project.save()
    return project


@pytest.fixture
def models(feasts, provider):
    rows = []
    for name in ("simulated-1", "simulated-2"):
        endpoint = add_endpoint(feasts, provider, name)
        card = ModelCard.objects.create(
            project=feasts, slug=name, name=name, laboratory=endpoint.target_model.laboratory, access="open"
        )
        rows.append(
            Configuration.objects.create(
                project=feasts, card=card, target_model=endpoint.target_model, slug=name, name=name
            )
        )
    return rows


def lines():
    """What is to be answered with what no simulated model says."""
    return [
        open_line(f"q{at}", output="لا يقول هذا أحد", language=..., variety="ar-EG", rules=[{"rule": "rouge_l"}])
        for at in range(4)
    ]


def test_both_are_asked_once_and_what_neither_solves_is_listed(feasts, models, capsys):
    frozen_set(feasts, *lines())
    for _twice in range(2):
        call_command("screen_questions", "feasts", models="simulated-1,simulated-2", ask=True, here=True, json=True)
        told = json.loads(capsys.readouterr().out)
        assert [row["id"] for row in told["unsolved"]] == ["q0", "q1", "q2", "q3"]
    assert Answer.objects.count() == 8
    assert list(Run.objects.values_list("state", flat=True)) == [RunState.DONE, RunState.DONE], "asked once"
    assert Question.objects.count() == 4


def test_candidates_of_a_draft_are_not_asked(feasts, models):
    set_of(feasts, *lines())
    with pytest.raises(CommandError, match="freeze it and ask then"):
        call_command("screen_questions", "feasts", models="simulated-1", ask=True, here=True)
    assert not Run.objects.exists()


def test_a_model_without_a_provider_is_named(feasts, models):
    frozen_set(feasts, *lines())
    models[1].target_model.endpoints.all().delete()
    with pytest.raises(CommandError, match="No provider is known for simulated-2"):
        call_command("screen_questions", "feasts", models="simulated-1,simulated-2", ask=True, here=True)
    assert not Run.objects.exists()
