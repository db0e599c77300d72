"""Nour plans, runs, pauses and goes on with several judges from a terminal."""

import re

import pytest
from django.core.management import CommandError, call_command

from judging.engine import runs
from judging.judges import add_judge
from judging.models import Call, CallState, RunSet, RunState
from tests.judging.budgeting import priced


@pytest.fixture
def names(project, provider, feasts):
    judges = [add_judge(project, provider, model, max_output_tokens=100) for model in ("simulated-1", "simulated-2")]
    return [priced(judge).rater.name for judge in judges]


@pytest.fixture
def said(capsys):
    def run(*options: str) -> str:
        call_command("run_judges", "feasts", *options)
        return capsys.readouterr().out

    return run


def test_the_plan_says_what_it_costs(names, said):
    told = said("--judge", *names, "--replicates", "3", "--money", "0.25", "--plan")
    assert "All judges" in told
    money = re.search(r"Cost: +\$([\d.]+) to \$([\d.]+), at most \$([\d.]+)", told)
    assert money
    low, high, most = map(float, money.groups())
    assert 0 < low < high <= most
    assert re.search(r"Tokens: +[\d,]+ to [\d,]+, at most [\d,]+", told)
    assert "Limit in money:  $0.2500 is may" in told or "Limit in money:  $0.2500 is " in told
    assert "as far as no like calls have ended" in told
    assert not RunSet.objects.exists()


def test_two_judges_twice_over_a_sample(names, said):
    told = said("--judge", *names, "--replicates", "2", "--variety", "ar-EG", "--sample", "3", "--here")
    assert "24 calls in 4 runs" in told
    assert f"{names[1]}, round 2: Done: 6 scored" in told
    assert re.search(r"Spent: \$0\.\d{4}, [\d,]+ tokens", told)
    assert Call.objects.filter(state=CallState.SCORED).count() == 24
    assert Call.objects.values("response").distinct().count() == 3


def test_a_budget_runs_out_and_more_is_given(names, said):
    told = said("--judge", names[0], "--money", "0.005", "--here")
    assert "The budget is spent." in told
    run_set = RunSet.objects.get()
    assert f"--resume {run_set.uuid}" in told
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("run_judges", "feasts", "--resume", str(run_set.uuid), "--money", "0.000001", "--here")
    told = said("--resume", str(run_set.uuid), "--money", "1", "--here")
    assert "Done: 24 scored" in told
    assert run_set.runs.get().state == RunState.DONE


def test_pause_cancel_and_retry(names, said, fake_provider):
    run_set = str(RunSet.objects.get().uuid) if RunSet.objects.exists() else ""
    assert not run_set
    said("--judge", *names)
    run_set = str(RunSet.objects.get().uuid)
    assert "Paused" in said("--pause", run_set)
    assert "Nothing was changed" in said("--pause", run_set)
    assert "Cancelled" in said("--cancel", run_set)
    fake_provider.tell(shares={"badrequest": 0.5})
    said("--resume", run_set, "--here")
    failed = Call.objects.filter(state=CallState.FAILED).count()
    assert failed
    fake_provider.tell(shares={})
    assert "Done: 24 scored" in said("--retry", run_set, "--here")
    assert Call.objects.filter(state=CallState.SCORED).count() == 48


def test_a_run_by_itself_is_paused_too(names, said):
    said("--judge", names[0])
    run = str(runs.Run.objects.get().uuid)
    assert "Paused" in said("--pause", run)
    assert "Running" in said("--resume", run)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--pause", "nonsense"], "has no run set or run nonsense"),
        (["--judge", "simulated-1 (paragraph)", "--money", "much"], "no amount of US dollars"),
        (["--judge", "simulated-1 (paragraph)", "--money", "0"], "more than nothing"),
        (["--judge", "simulated-1 (paragraph)", "--variety", "tlh"], "“tlh” is not in this project"),
        (["--judge", "simulated-1 (paragraph)", "--replicates", "99"], "Between 1 and 20"),
    ],
)
def test_what_is_wrong_is_said(options, problem, names):
    with pytest.raises(CommandError, match=problem):
        call_command("run_judges", "feasts", *options)
    assert not RunSet.objects.exists()
