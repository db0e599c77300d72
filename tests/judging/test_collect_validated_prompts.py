"""Nour lets models be asked only what a native speaker has looked at; the rest waits, and she is told how much."""

import io

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from judging.collecting.beginning import create_collection
from judging.collecting.by_hand import check_open
from judging.collecting.endpoints import add_by_hand
from judging.collecting.planning import open_prompts, plan
from judging.models import CollectionCall
from projects.models import Laboratory, Localisation, Project, Prompt
from projects.problems import Invalid
from tests.annotation.rated import question_type
from tests.judging.collecting import add_prompt, collect, started, states, target, work_off
from tests.judging.rating import template
from tests.people import signed_in


@pytest.fixture
def asked(project, provider, mona):
    """One prompt as it was written, one that Mona localised, one that came without a name, and one that a model drafted
    and nobody looked at."""
    question = question_type(project)
    prompts = {key: add_prompt(project, key, f"سؤال {key}") for key in ("written", "monas", "nameless", "drafted")}
    for key, rater in (("monas", mona.raters.get()), ("nameless", None)):
        of = template(project, key, question)
        prompt = prompts[key]
        Localisation.objects.create(template=of, variety=prompt.variety, text=prompt.text, rater=rater, prompt=prompt)
    Prompt.objects.filter(key="drafted").update(metadata={"localisation": {"draft": {"model": "m"}}})
    return prompts


def settle(project, value: bool = True) -> Project:
    Project.objects.filter(pk=project.pk).update(only_validated_prompts=value)
    project.refresh_from_db()
    return project


def planned_for(endpoint) -> tuple[int, int]:
    endpoint.refresh_from_db()
    found = plan(endpoint)
    return found.size, found.unvalidated


def test_it_is_off_until_nour_asks_for_it(asked, project, provider):
    endpoint = target(project, provider, "simulated-1")
    assert planned_for(endpoint) == (4, 0)
    settle(project)
    endpoint = type(endpoint).objects.get(pk=endpoint.pk)
    assert planned_for(endpoint) == (2, 2)
    assert {prompt.key for prompt in open_prompts(endpoint)} == {"written", "monas"}
    collect(endpoint)
    assert set(endpoint.target_model.responses.values_list("prompt__key", flat=True)) == {"written", "monas"}
    with pytest.raises(Invalid, match="2 prompts wait for a native speaker"):
        create_collection(endpoint)


def test_what_is_accepted_is_asked(asked, project, provider, mona):
    endpoint = target(settle(project), provider, "simulated-1")
    Localisation.objects.update(rater=mona.raters.get())
    Prompt.objects.filter(key="drafted").update(metadata={"localisation": {"outcome": "validated"}})
    assert planned_for(endpoint) == (4, 0)


def test_a_run_that_was_planned_before_sends_nothing_that_is_held_back_since(asked, project, provider, fake_provider):
    endpoint = target(project, provider, "simulated-1")
    run = started(endpoint)
    settle(project)
    fake_provider.tell(record=True)
    work_off(run)
    assert states(endpoint) == {("collected", ""), ("failed", "not_validated")}
    assert len(fake_provider.asked()) == 2
    settle(project, False)


def test_the_database_refuses_a_call_that_some_program_plans_all_the_same(asked, project, provider):
    endpoint = target(settle(project), provider, "simulated-1")
    with pytest.raises(IntegrityError, match="native speaker"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=asked["nameless"], state="planned")
    settle(project, False)
    CollectionCall.objects.create(endpoint=endpoint, prompt=asked["nameless"], state="planned")


def test_nor_is_a_response_to_it_pasted_by_hand(asked, project, provider):
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    endpoint = add_by_hand(settle(project), "River Spark", laboratory=laboratory)
    check_open(endpoint, asked["monas"])
    with pytest.raises(Invalid, match="No native speaker has looked"):
        check_open(endpoint, asked["nameless"])


def test_page_and_command_say_how_many_wait_and_why(asked, project, provider, nour):
    endpoint = target(settle(project), provider, "simulated-1")
    lead = signed_in(nour)
    page = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "Not validated" in page
    assert "wait for a native speaker" in page
    assert lead.get("/p/feasts/targets/").status_code == 200
    collect(endpoint)
    page = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "2 prompts wait for a native speaker." in page
    out = io.StringIO()
    call_command("collect_responses", "feasts", "--plan", stdout=out)
    assert "Not validated:           2" in out.getvalue()


def test_nour_settles_it_on_the_page_and_an_empty_project_takes_it(project, nour):
    form = {"name": project.name, "guidelines": project.guidelines, "only_validated_prompts": "on"}
    assert signed_in(nour).post("/p/feasts/settings/", form).status_code == 302
    project.refresh_from_db()
    assert project.only_validated_prompts
