"""Nour gives her judges a budget. When it is spent they wait; she raises it, and they go on where they were.

The simulated provider counts 100 tokens read and one written for each word of its answer. A call is never begun
unless the most that it can cost is set aside: a token for every byte sent, and all that the judge may write.
"""

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Marking
from jobs.models import Job, JobState
from jobs.sweeping import sweep
from judging.engine import runs, shards
from judging.engine.choice import Choice
from judging.engine.run_sets import create_set, pause_set, raise_limits, resume_set, start_set
from judging.engine.summaries import set_progress
from judging.judges import add_judge
from judging.models import Call, CallState, PausedBecause, Run, RunSet, RunState, Shard
from projects.problems import Invalid
from providers.client.bodies import written
from tests.judging.budgeting import DOLLAR, a_set, priced, work_off
from tests.people import signed_in

CALLS = 24


@pytest.fixture
def judge(project, provider, feasts):
    """Reads for 1 dollar and writes for 2 dollars a million tokens, and may write 100 at a time."""
    provider.concurrency = 4
    provider.save()
    return priced(add_judge(project, provider, "simulated-1", max_output_tokens=100))


def test_without_a_limit_what_was_spent_is_known(judge):
    run_set = work_off(a_set(judge))
    assert Call.objects.filter(state=CallState.SCORED).count() == CALLS
    costs = [
        1000 * prompt + 2000 * completion
        for prompt, completion in Call.objects.order_by("pk").values_list("prompt_tokens", "completion_tokens")
    ]
    assert list(Call.objects.order_by("pk").values_list("cost", flat=True)) == costs
    assert set(Call.objects.values_list("cost_is_bound", flat=True)) == {False}
    assert (run_set.money_spent, run_set.money_reserved, run_set.tokens_reserved) == (sum(costs), 0, 0)
    told = set_progress(run_set)
    assert told.whole.spend.money == sum(costs)
    assert told.whole.spend.tokens == run_set.tokens_spent


def test_money_runs_out_and_is_raised(judge, nour):
    whole = work_off(a_set(judge)).money_spent
    limit = 5_000_000  # half a cent
    run_set = work_off(a_set(judge, first_round=2, money_limit=limit))
    run = run_set.runs.get()
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.BUDGET)
    counts = runs.counts(run)
    assert 0 < counts[CallState.SCORED] < CALLS
    assert counts[CallState.SCORED] + counts[CallState.PLANNED] == CALLS
    assert (run_set.money_reserved, run_set.tokens_reserved) == (0, 0)
    assert run_set.money_spent <= limit
    # what is left would not have paid for the dearest case of one more call: some 4,000 bytes and 100 tokens
    assert limit - run_set.money_spent < 4500 * 1000 + 100 * 2000

    raise_limits(run_set, 2 * whole + DOLLAR, None, by=nour)
    assert resume_set(run_set, by=nour) == 1
    work_off(run_set)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert runs.counts(run)[CallState.SCORED] == CALLS
    run_set.refresh_from_db()
    assert run_set.money_spent == whole
    assert Marking.objects.filter(rater=judge.rater, round=2, is_complete=True).count() == 12


def test_a_worker_taken_for_dead_pauses_nobody(judge, monkeypatch):
    """It stood still between claiming its shard and reserving for it: the budget is not spent, its claim is."""
    run_set = a_set(judge, money_limit=DOLLAR)
    prepare = shards.setup_and_connections

    def prepare_for_long(run):
        Job.objects.filter(state=JobState.RUNNING).update(heartbeat_at="2020-01-01T00:00Z")
        assert sweep() == 1
        return prepare(run)

    monkeypatch.setattr(shards, "setup_and_connections", prepare_for_long)
    work_off(run_set)
    run = run_set.runs.get()
    assert (run.state, run.paused_because) == (RunState.RUNNING, "")
    assert runs.counts(run)[CallState.PLANNED] == CALLS

    monkeypatch.setattr(shards, "setup_and_connections", prepare)
    Job.objects.filter(state=JobState.QUEUED).update(due_at=timezone.now())
    work_off(run_set)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert runs.counts(run)[CallState.SCORED] == CALLS


def test_tokens_need_no_price(project, provider, feasts):
    judge = add_judge(project, provider, "simulated-1", max_output_tokens=100)
    run_set = work_off(a_set(judge, token_limit=6000))
    assert run_set.runs.get().paused_because == PausedBecause.BUDGET
    assert 0 < run_set.tokens_spent <= 6000
    assert run_set.money_spent == 0
    assert set(Call.objects.values_list("cost", flat=True)) == {None}


def test_a_spent_budget_is_said_before_anything_goes_on(judge, nour):
    run_set = work_off(a_set(judge, money_limit=6_000_000))
    RunSet.objects.update(money_spent=6_000_000)
    with pytest.raises(Invalid, match="Raise its limit"):
        resume_set(run_set, by=nour)
    with pytest.raises(Invalid, match="Nothing was changed"):
        raise_limits(run_set, 5_999_999, None, by=nour)


@pytest.mark.parametrize(("verb", "state"), [("resume", RunState.PAUSED), ("retry", RunState.DONE)])
def test_every_entrance_says_so_too(judge, nour, verb, state):
    """The page of a run and the list of jobs, as pages and for programs, and the command."""
    run = work_off(a_set(judge, money_limit=6_000_000)).runs.get()
    Run.objects.update(state=state, paused_because=run.paused_because if state == RunState.PAUSED else "")
    RunSet.objects.update(money_spent=6_000_000)
    lead = signed_in(nour)
    for address in ("judges/runs", "jobs"):
        page = lead.post(f"/p/feasts/{address}/{run.uuid}/{verb}/", follow=True)
        assert "The budget is spent" in page.content.decode()
    for address in ("runs", "jobs"):
        told = lead.post(f"/api/v1/projects/feasts/{address}/{run.uuid}/{verb}/")
        assert (told.status_code, told.json()["problems"][0]["code"]) == (422, "budget_spent")
    with pytest.raises(CommandError, match="budget is spent"):
        call_command("run_judges", "feasts", f"--{verb}", str(run.uuid))
    run.refresh_from_db()
    assert run.state == state


def test_the_first_limit_of_a_set_waits_for_its_pause(judge, nour):
    run_set = a_set(judge)
    start_set(run_set, by=nour)
    with pytest.raises(Invalid, match="Pause the runs"):
        raise_limits(run_set, DOLLAR, None, by=nour)
    pause_set(run_set, by=nour)
    raise_limits(run_set, DOLLAR, None, by=nour)
    assert run_set.money_limit == DOLLAR


def test_no_price_no_limit_in_money(project, provider, feasts):
    judge = add_judge(project, provider, "simulated-1")
    with pytest.raises(Invalid, match="Nobody has said what these judges cost"):
        create_set(project, [judge], Choice(), money_limit=DOLLAR)


def test_a_reply_without_usage_costs_what_it_may_have_cost(project, provider, feasts):
    judge = priced(add_judge(project, provider, "simulated-1:errorbody", max_output_tokens=100))
    run_set = work_off(a_set(judge))
    for cost, is_bound in Call.objects.values_list("cost", "cost_is_bound"):
        assert is_bound
        assert cost > 1000 * 1000 + 100 * 2000  # a prompt of more than a thousand bytes
    assert run_set.money_spent == sum(Call.objects.values_list("cost", flat=True))


def test_all_judges_of_a_set_spend_from_one_budget(judge, project, provider):
    second = priced(add_judge(project, provider, "simulated-2", max_output_tokens=100))
    limit = 5_000_000
    run_set = work_off(a_set(judge, second, money_limit=limit))
    states = {run.judge_id: (run.state, run.paused_because) for run in run_set.runs.all()}
    assert (RunState.PAUSED, PausedBecause.BUDGET) in states.values()
    assert run_set.money_spent <= limit
    assert Shard.objects.filter(money_reserved__gt=0).count() == 0


def test_reasoning_that_is_counted_beside_the_answer_is_paid_for():
    """500 tokens in all, 100 of them read and 50 said: 400 were written, whatever the completion is said to be."""
    beside = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 500}
    within = {"prompt_tokens": 100, "completion_tokens": 400, "total_tokens": 500}
    assert [written(usage) for usage in (beside, within, {"completion_tokens": 50}, {})] == [400, 400, 50, None]
