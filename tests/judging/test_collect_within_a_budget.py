"""Nour collects responses for so much money and no more, waits, goes on, and pays for nothing twice."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from jobs.models import Job
from judging.collecting.beginning import create_collections, planned_collection
from judging.collecting.calling import MAX_WRITTEN
from judging.engine import run_sets, runs
from judging.engine.summaries import progress, set_progress
from judging.models import CollectionCall, PausedBecause, Run, RunSet, RunState, TargetEndpoint
from projects.models import ApiToken, Project, Response
from projects.problems import Invalid
from providers.client.openai_compatible import Connections
from providers.limiter.circuit_breaker import ProviderDown
from providers.models import ServedModel
from tests.judging.collecting import add_frozen, collect, proverbs, started, target, work_off
from tests.people import signed_in
from tests.rubrics.rubrics import make_rubrics_project

__all__ = ["proverbs"]

LIMIT = {"max_tokens": 200}


def priced(endpoint: TargetEndpoint) -> TargetEndpoint:
    """A dollar for a million tokens read, two for a million written."""
    price = {"input_price": Decimal(1), "output_price": Decimal(2)}
    ServedModel.objects.update_or_create(provider=endpoint.provider, name=endpoint.model, defaults=price)
    return endpoint


@pytest.fixture
def endpoint(project, provider, proverbs) -> TargetEndpoint:
    return priced(target(project, provider, "simulated-1", parameters=LIMIT))


def begun(*endpoints: TargetEndpoint, **more) -> RunSet:
    run_set = create_collections(endpoints[0].project, endpoints, **more)
    for run in run_set.runs.order_by("pk"):
        runs.start_here(run)
    return run_set


def gone_through(run_set: RunSet) -> RunSet:
    for run in run_set.runs.order_by("pk"):
        work_off(run)
    run_set.refresh_from_db()
    return run_set


def most_of_one(endpoint: TargetEndpoint) -> int:
    """What one call may cost at most."""
    estimate = planned_collection(endpoint).estimate
    assert estimate is not None
    assert estimate.most_money is not None
    return -(-estimate.most_money // estimate.calls)


# --- What it costs ---------------------------------------------------------------------------------------


def test_every_response_has_its_cost_and_the_run_their_sum(endpoint):
    run = collect(endpoint)
    calls = list(run.collection_calls.all())
    assert all(call.cost == call.prompt_tokens * 1000 + call.completion_tokens * 2000 for call in calls)
    assert not any(call.cost_is_bound for call in calls)
    spend = progress(run).spend
    assert (spend.money, spend.unpriced) == (sum(call.cost for call in calls), 0)
    assert spend.tokens == sum(call.prompt_tokens + call.completion_tokens for call in calls)


def test_without_a_price_there_is_no_cost_and_no_limit_in_money(project, provider, proverbs):
    endpoint = target(project, provider, "simulated-2", parameters=LIMIT)
    with pytest.raises(Invalid, match="what these models cost"):
        create_collections(project, [endpoint], money_limit=10**9)
    assert progress(collect(endpoint)).spend.money is None


def test_the_plan_says_what_it_may_cost(endpoint, project, provider):
    planned = planned_collection(endpoint)
    assert planned.is_bounded
    assert 0 < planned.estimate.money.low < planned.estimate.money.high <= planned.estimate.most_money
    spent = progress(collect(endpoint)).spend.money
    assert spent <= planned.estimate.most_money
    open_ended = planned_collection(priced(target(project, provider, "simulated-3")))
    assert not open_ended.is_bounded
    assert open_ended.estimate.most_tokens > 4 * MAX_WRITTEN


# --- A budget that runs out ------------------------------------------------------------------------------


def test_it_waits_when_the_budget_is_spent_and_goes_on_with_more(endpoint, project, fake_provider):
    for n in range(20):
        add_frozen(project, f"more-{n}", f"السؤال رقم {n}")
    limit = 5 * most_of_one(endpoint)
    run_set = gone_through(begun(endpoint, money_limit=limit))
    run = run_set.runs.get()
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.BUDGET)
    assert 0 < run_set.money_spent <= limit
    assert run_set.money_reserved == 0
    served = fake_provider.counts()["served"]
    assert 0 < served == progress(run).answered < 24
    run_sets.raise_limits(run_set, 10**9, None)
    assert run_sets.resume_set(run_set) == 1
    run_set = gone_through(run_set)
    assert run_set.runs.get().state == RunState.DONE
    assert fake_provider.counts()["served"] == 24
    assert run_set.money_spent == progress(run_set.runs.get()).spend.money


def test_two_target_models_share_one_budget_in_tokens(endpoint, project, provider):
    other = priced(target(project, provider, "simulated-2", parameters=LIMIT))
    estimate = planned_collection(endpoint).estimate
    limit = estimate.most_tokens
    run_set = gone_through(begun(endpoint, other, token_limit=limit))
    assert run_set.runs.count() == 2
    assert run_set.tokens_spent <= limit
    told = set_progress(run_set)
    assert told.whole.total == 8
    assert told.whole.spend.tokens == run_set.tokens_spent


def test_what_is_asked_again_because_nothing_came_costs_both_times(endpoint, fake_provider):
    fake_provider.tell(faults=["errorbody"] * 4)
    run_set = gone_through(begun(endpoint))
    run = run_set.runs.get()
    before = {call.pk: (call.cost, call.attempts) for call in run.collection_calls.all()}
    assert all(cost and attempts == 1 for cost, attempts in before.values())
    assert runs.retry_failed(run)
    assert progress(work_off(run)).answered == 4
    run_set.refresh_from_db()
    calls = list(run.collection_calls.all())
    assert all((call.retries, call.attempts) == (1, 2) and call.cost > before[call.pk][0] for call in calls)
    assert run_set.money_spent == sum(call.cost for call in calls)


def test_a_provider_that_is_down_lets_the_run_wait(endpoint, monkeypatch, fake_provider):
    async def down(self, request, **told):
        raise ProviderDown("simulated", attempts=1, uncertain=1)

    monkeypatch.setattr(Connections, "ask", down)
    run_set = gone_through(begun(endpoint, money_limit=10**9))
    run = run_set.runs.get()
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.PROVIDER)
    assert runs.counts(run)["planned"] == 4
    assert run_set.money_spent > 0  # an attempt broke off that the provider may charge for
    monkeypatch.undo()
    assert runs.resume(run)
    assert work_off(run).state == RunState.DONE


def test_its_jobs_share_the_provider_with_those_of_judges(endpoint):
    started(endpoint)
    job = Job.objects.get()
    assert (job.kind, job.queue, job.resource) == ("collect_shard", "calls", f"provider:{endpoint.provider_id}")


def test_a_call_keeps_its_name_until_nothing_came(endpoint, fake_provider):
    fake_provider.tell(record=True, faults=["errorbody"] * 4)
    run = collect(endpoint)
    first = {request["headers"]["idempotency-key"] for request in fake_provider.asked()}
    assert len(first) == 4
    assert runs.retry_failed(run)
    work_off(run)
    later = {request["headers"]["idempotency-key"] for request in fake_provider.asked()} - first
    assert len(later) == 4


# --- Responses that are there already --------------------------------------------------------------------


@pytest.fixture
def sisters(endpoint, provider, fake_provider) -> TargetEndpoint:
    """The same prompts for the same model in another project; here they are answered already."""
    collect(endpoint)
    other = make_rubrics_project(Project.objects.create(slug="sisters", name="Sisters"))
    for prompt in endpoint.project.prompts.exclude(key="unwritten"):
        add_frozen(other, prompt.key, prompt.text)
    return target(other, provider, "simulated-1", parameters=LIMIT)


def test_everything_is_asked_anew_where_nobody_chose_otherwise(sisters, fake_provider):
    collect(sisters)
    assert fake_provider.counts()["served"] == 8
    assert not CollectionCall.objects.filter(reused__isnull=False).exists()


def test_where_nour_chose_so_the_response_to_the_same_is_taken_over(sisters, endpoint, fake_provider):
    run_set = gone_through(begun(sisters, takes_over=True, money_limit=10**9))
    assert fake_provider.counts()["served"] == 4
    assert run_set.money_spent == 0
    assert progress(run_set.runs.get()).spend.reused == 4
    for response in Response.objects.filter(project=sisters.project):
        first = Response.objects.get(project=endpoint.project, prompt__key=response.prompt.key)
        assert response.text == first.text
        told = response.metadata["collected"]
        assert (told["taken_over"], told["given_at"], told["attempts"]) == (
            True,
            first.metadata["collected"]["at"],
            0,
        )
        assert "taken_over" not in first.metadata["collected"]


def test_other_parameters_are_another_question(sisters, fake_provider, provider):
    warm = target(sisters.project, provider, "simulated-1", name="Warm", parameters={**LIMIT, "temperature": 0.9})
    gone_through(begun(warm, takes_over=True))
    assert fake_provider.counts()["served"] == 8


# --- The command line, the pages, the programming interface ----------------------------------------------


def run(*arguments) -> str:
    out = StringIO()
    call_command("collect_responses", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_keeps_to_a_budget_and_goes_on(endpoint, project):
    for n in range(20):
        add_frozen(project, f"more-{n}", f"السؤال رقم {n}")
    dollars = Decimal(5 * most_of_one(endpoint)) / 10**9
    assert "Cost:" in run("feasts", "--plan")
    shown = run("feasts", "--money", f"{dollars:f}", "--here")
    assert "simulated-1: Paused" in shown
    assert "The budget is spent" in shown
    uuid = str(RunSet.objects.get().uuid)
    RunSet.objects.update(money_spent=RunSet.objects.get().money_limit)
    with pytest.raises(CommandError, match="budget is spent"):
        run("feasts", "--resume", uuid, "--here")
    shown = run("feasts", "--resume", uuid, "--money", "1", "--here")
    assert "simulated-1: Done: 24 collected" in shown
    assert "Spent: $" in shown


def test_the_command_pauses_and_cancels(endpoint):
    run_set = begun(endpoint)
    assert "simulated-1: Paused" in run("feasts", "--pause", str(run_set.uuid))
    assert "simulated-1: Cancelled" in run("feasts", "--cancel", str(run_set.uuid))
    assert "Nothing was changed" in run("feasts", "--cancel", str(run_set.uuid))
    only = run_set.runs.get()
    assert f"Run {only.uuid}: Running" in run("feasts", "--resume", str(only.uuid))


def text(response) -> str:
    return response.content.decode()


def test_nour_sets_a_budget_on_the_page_and_raises_it(endpoint, project, nour):
    lead = signed_in(nour)
    page = f"/p/feasts/targets/{endpoint.pk}/"
    assert "Limit in US dollars" in text(lead.get(page))
    assert lead.post(f"{page}collect/", {"money": "0"}).status_code == 422
    answer = lead.post(f"{page}collect/", {"money": "0.5"})
    shown = text(lead.get(answer.url))
    assert "0.50" in shown
    assert "Spent" in shown
    run_set = RunSet.objects.get()
    assert run_set.money_limit == 5 * 10**8
    limits = f"/p/feasts/judges/sets/{run_set.uuid}/limits/"
    assert lead.post(f"/p/feasts/judges/sets/{run_set.uuid}/pause/", follow=True).status_code == 200
    assert "The limits are kept" in text(lead.post(limits, {"money": "2"}, follow=True))
    shown = text(lead.get(f"/p/feasts/judges/sets/{run_set.uuid}/"))
    assert "Target model" in shown
    assert "simulated-1" in shown
    # on the page of judges it is no line
    assert str(run_set.uuid) not in text(lead.get("/p/feasts/judges/"))


def test_nothing_more_is_asked_from_the_page_once_the_budget_is_spent(endpoint, nour):
    lead = signed_in(nour)
    run_set = begun(endpoint, money_limit=10**9)
    one = run_set.runs.get()
    runs.pause(one)
    RunSet.objects.update(money_spent=10**9)
    for verb, state in (("resume", RunState.PAUSED), ("retry", RunState.DONE)):
        Run.objects.update(state=state, paused_because="person" if state == RunState.PAUSED else "")
        shown = text(lead.post(f"/p/feasts/targets/collections/{one.uuid}/{verb}/", follow=True))
        assert "The budget is spent" in shown
        with pytest.raises(CommandError, match="budget is spent"):
            run("feasts", f"--{verb}", str(one.uuid))
        one.refresh_from_db()
        assert one.state == state


def test_the_address_of_a_run_leads_to_its_page(endpoint, nour):
    lead = signed_in(nour)
    one = collect(endpoint)
    assert lead.get(f"/p/feasts/judges/runs/{one.uuid}/").url == f"/p/feasts/targets/collections/{one.uuid}/"
    answers = lead.get(f"/p/feasts/judges/runs/{one.uuid}/calls/")
    assert answers.url == f"/p/feasts/targets/collections/{one.uuid}/answers/"
    assert lead.get(f"/p/feasts/judges/runs/{one.uuid}/read-again/").status_code == 302


@pytest.fixture
def program(nour, client):
    _row, token = ApiToken.issue(nour, "budget")
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def test_programs_see_runs_of_target_models_and_stop_them(endpoint, program):
    one = begun(endpoint).runs.get()
    listed = program.get("/api/v1/projects/feasts/runs/").json()["results"]
    assert [(each["kind"], each["target_model"], each["judge"], each["unfrozen"]) for each in listed] == [
        ("collecting", "simulated-1", None, 1)
    ]
    address = f"/api/v1/projects/feasts/runs/{one.uuid}/"
    assert program.get(address).json()["counts"]["planned"] == 4
    assert program.post(f"{address}pause/").json()["state"] == "paused"
    assert program.post(f"{address}resume/").json()["state"] == "running"
    assert program.get(f"{address}read-again/").status_code == 404
    run_set = program.get(f"/api/v1/projects/feasts/run-sets/{RunSet.objects.get().uuid}/").json()
    assert [each["kind"] for each in run_set["runs"]] == ["collecting"]
    assert program.post(f"{address}cancel/").json()["counts"]["cancelled"] == 4
    assert Run.objects.get().state == RunState.CANCELLED
