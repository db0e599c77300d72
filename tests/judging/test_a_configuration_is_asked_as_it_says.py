"""Nour's models are asked with what their configurations say, and nothing else."""

from io import StringIO

import pytest
from django.core.management import call_command

from benchmark.cards import change_configuration, create_card, create_configuration
from benchmark.models import Answer, Configuration, ModelCard
from judging.collecting.beginning import create_collection, planned_collection
from judging.collecting.endpoints import add_endpoint
from judging.collecting.questions import setup_of
from judging.models import CollectionCall, TargetEndpoint
from projects.models import Response
from projects.problems import Invalid
from tests.benchmark.answered import frozen_set
from tests.benchmark.sets import question_line
from tests.judging.collecting import collect, started, target
from tests.people import signed_in

pytestmark = pytest.mark.django_db

RUN = {
    "name": "Simulated, thinking",
    "target_model": "simulated-1",
    "system_prompt": "أجب بإيجاز.",
    "sampling": {"temperature": 0, "top_p": 0.9, "top_k": 20, "seed": 7},
    "thinking_effort": "high",
    "token_limit": 64,
}
SENT = {"temperature": 0, "top_p": 0.9, "top_k": 20, "seed": 7, "reasoning_effort": "high", "max_tokens": 64}


@pytest.fixture
def card(project, nour) -> ModelCard:
    return create_card(project, {"name": "Simulated", "laboratory": "Simulated", "access": "api"}, nour)


@pytest.fixture
def row(project, card, nour) -> Configuration:
    frozen_set(project, question_line(), question_line("second"))
    return create_configuration(project, card, RUN, nour)


@pytest.fixture
def endpoint(row, project, provider) -> TargetEndpoint:
    return target(project, provider, "simulated-1")


def codes(verb, *arguments, **more) -> set[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        verb(*arguments, **more)
    return {(problem.field, problem.code) for problem in refused.value.problems}


def test_all_that_the_configuration_says_is_sent_and_nothing_else(endpoint, row, fake_provider):
    fake_provider.tell(record=True)
    collect(endpoint)
    bodies = [request["body"] for request in fake_provider.asked()]
    assert len(bodies) == 2
    for body in bodies:
        messages = body.pop("messages")
        assert body == {"model": "simulated-1", **SENT}
        assert [message["role"] for message in messages] == ["system", "user"]
        assert messages[0]["content"] == "أجب بإيجاز."
    assert Answer.objects.filter(configuration=row).count() == 2
    for response in Response.objects.all():
        assert response.metadata["collected"]["parameters"] == {**SENT, "system": "أجب بإيجاز."}


def test_what_an_answer_costs_is_planned_as_it_is_asked(endpoint):
    assert setup_of(endpoint).stated_limit == 64
    assert planned_collection(endpoint).is_bounded


def test_settings_of_the_target_model_do_not_stand_beside_a_configuration(project, provider, row):
    assert codes(add_endpoint, project, provider, "simulated-1", parameters={"temperature": 1}) == {
        ("", "configuration_says")
    }
    Configuration.objects.update(sampling={"temperature": 0.5}, system_prompt="", thinking_effort="", token_limit=None)
    add_endpoint(project, provider, "simulated-1", parameters={"temperature": 0.5})


def test_a_run_that_is_laid_out_keeps_its_configuration(endpoint, row, nour):
    change_configuration(row, {"token_limit": 32}, nour)
    started(endpoint)
    assert codes(change_configuration, row, {"token_limit": 16}, nour) == {("token_limit", "has_answers")}
    assert change_configuration(row, {"name": "Simulated"}, nour).name == "Simulated"


def test_a_configuration_that_nothing_answered_for_can_be_mended(endpoint, row, nour):
    run = started(endpoint)
    CollectionCall.objects.filter(run=run).update(state="failed", problem="rejected: 400")
    assert change_configuration(row, {"thinking_effort": "low"}, nour).thinking_effort == "low"


def test_answers_that_were_asked_for_otherwise_are_not_its_own(project, provider, card, nour):
    frozen_set(project, question_line())
    endpoint = target(project, provider, "simulated-1", parameters={"temperature": 1})
    collect(endpoint)
    assert codes(create_configuration, project, card, RUN, nour) == {("target_model", "asked_otherwise")}
    same = {"name": "Simulated", "target_model": "simulated-1", "sampling": {"temperature": 1}}
    row = create_configuration(project, card, same, nour)
    assert row.target_model == endpoint.target_model


def test_what_cannot_be_sent_as_it_is_said_is_refused(endpoint, row):
    # As a file of answers from elsewhere may have it.
    Configuration.objects.update(sampling={"max_tokens": 5})
    assert codes(create_collection, endpoint) == {("", "not_sampling")}


def test_a_model_without_a_configuration_is_told_of_on_page_and_command_line(project, provider, card, nour):
    endpoint = target(project, provider, "simulated-1", parameters={"temperature": 1, "max_tokens": 9, "system": "أ"})
    frozen_set(project, question_line())
    lead = signed_in(nour)
    shown = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    add = f"/p/feasts/models/configuration/new/?target={endpoint.target_model_id}"
    assert "This model has no configuration in the benchmark" in shown
    assert add in shown
    said, out = StringIO(), StringIO()
    call_command("collect_responses", "feasts", "--plan", stdout=out, stderr=said)
    assert add in said.getvalue()
    assert "In no frozen set:" in out.getvalue()
    # The form says what it is asked with already.
    form = lead.get(add).content.decode()
    assert '<option value="simulated-1" selected>simulated-1 (' in form
    assert 'name="temperature" value="1"' in form
    assert 'name="token_limit" value="9"' in form
    sent = {"card": "simulated", "name": "S", "target_model": "simulated-1", "temperature": "1", "token_limit": "9"}
    assert lead.post(add, {**sent, "system_prompt": "أ"}).status_code == 302
    shown = lead.get(f"/p/feasts/targets/{endpoint.pk}/").content.decode()
    assert "It is asked as this configuration says:" in shown
    call_command("collect_responses", "feasts", "--plan", stdout=out, stderr=(after := StringIO()))
    assert after.getvalue() == ""
    assert "pasted by hand" not in lead.get("/p/feasts/models/card/simulated/").content.decode()


def test_a_benchmark_does_not_speak_of_rubrics(project, provider, nour):
    endpoint = target(project, provider, "simulated-1")
    project.question_sets.all().delete()
    project.preset = "leaderboard"
    project.save()
    lead = signed_in(nour)
    pages = ("/p/feasts/targets/", f"/p/feasts/targets/{endpoint.pk}/")
    for page in pages:
        assert "rubric" not in lead.get(page).content.decode().split("<main")[1].split("</main")[0].lower(), page
    [problem] = refused(create_collection, endpoint)
    assert "question set" in problem


def refused(verb, *arguments) -> list[str]:
    with pytest.raises(Invalid) as invalid:
        verb(*arguments)
    return [problem.message for problem in invalid.value.problems]
