"""Nour's study has error spans or ratings and nothing to freeze: her prompts are asked as they are."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from judging.collecting.endpoints import add_endpoint
from judging.collecting.planning import plan
from judging.collecting.summaries import overview
from judging.models import CollectionCall
from judging.steps import responses
from projects.collecting_gates import gate_of, gates, gates_of
from projects.models import Project, Response
from projects.steps import BEGUN, DONE
from tests.benchmark.sets import question_line, set_of
from tests.judging.collecting import add_frozen, add_prompt, collect
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def shows(project: Project, *areas: str) -> Project:
    Project.objects.filter(pk=project.pk).update(areas=list(areas), preset=areas[0])
    project.refresh_from_db()
    return project


@pytest.fixture
def lead(nour):
    return signed_in(nour)


@pytest.mark.parametrize("area", ["spans", "ratings"])
def test_prompts_are_asked_as_they_are(area, project, provider, fake_provider):
    shows(project, area)
    add_prompt(project, "koshari", "إزاي أعمل كشري؟")
    endpoint = add_endpoint(project, provider, "simulated-1")
    assert (plan(endpoint).size, plan(endpoint).unfrozen) == (1, 0)
    assert responses(project) == (BEGUN, "1 response is missing.")
    collect(endpoint)
    told = Response.objects.get().metadata["collected"]
    assert (told["model"], told["rubric"]) == ("simulated-1", {})
    assert responses(project) == (DONE, "Every target model was asked every prompt.")
    assert (overview(project).frozen, overview(project).unfrozen) == (1, 0)


def test_the_pages_speak_of_no_rubric(lead, project, provider):
    shows(project, "ratings")
    endpoint = add_endpoint(project, provider, "simulated-1")
    page = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "There are no prompts here yet." in page
    assert "Import prompts" in page
    add_prompt(project, "koshari", "إزاي أعمل كشري؟")
    listed = lead.get("/p/feasts/targets/").content.decode()
    page = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "Ask 1 prompt" in page
    for shown in (listed, page):
        assert "rubric" not in shown
        assert "Left out" not in shown
    assert "/p/feasts/targets/" in lead.get("/p/feasts/").content.decode()


def test_the_command_speaks_of_no_rubric(project, provider, capsys):
    shows(project, "spans")
    add_prompt(project, "koshari", "إزاي أعمل كشري؟")
    add_endpoint(project, provider, "simulated-1")
    call_command("collect_responses", "feasts", "--plan")
    said = capsys.readouterr().out
    assert "Prompts to ask:          1" in said
    assert "rubric" not in said


def test_a_project_that_begins_to_write_rubrics_has_their_gate_from_then_on(project, provider, lead):
    shows(project, "spans", "rubrics")
    unwritten = add_prompt(project, "unwritten", "مثل لسه ما اتكتبش")
    endpoint = add_endpoint(project, provider, "simulated-1")
    assert (plan(endpoint).size, plan(endpoint).unfrozen) == (0, 1)
    with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=unwritten)
    page = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "Prompts are asked once their rubric is." in page
    assert 'href="/p/feasts/rubrics/"' in page


def test_hiding_the_pages_of_rubrics_opens_no_gate(project, provider):
    """What a project shows is in its file, which a lead changes; the rubrics that are there stay what they are."""
    add_frozen(project, "written", "يعني إيه؟")
    unwritten = add_prompt(project, "unwritten", "مثل لسه ما اتكتبش")
    endpoint = add_endpoint(shows(project, "spans"), provider, "simulated-1")
    assert gate_of(project).area == "rubrics"
    assert (plan(endpoint).size, plan(endpoint).unfrozen) == (1, 1)
    with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=unwritten)


def test_a_question_set_that_is_not_frozen_holds_its_project_back(project, provider):
    set_of(project, question_line())
    project.refresh_from_db()
    endpoint = add_endpoint(shows(project, "spans"), provider, "simulated-1")
    assert [gate.area for gate in gates_of(project)] == ["leaderboard"]
    assert plan(endpoint).size == 0
    with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=project.prompts.first())


def test_every_gate_that_is_declared_is_held_by_the_database(project, provider):
    prompt = add_prompt(project, "koshari", "إزاي أعمل كشري؟")
    endpoint = add_endpoint(project, provider, "simulated-1")
    assert set(gates()) == {"rubrics", "leaderboard"}
    for area in gates():
        shows(project, area)
        with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
            CollectionCall.objects.create(endpoint=endpoint, prompt=prompt)
    shows(project, "spans")
    CollectionCall.objects.create(endpoint=endpoint, prompt=prompt)
