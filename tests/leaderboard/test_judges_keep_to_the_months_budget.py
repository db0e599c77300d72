"""What judges cost for submitted models never exceeds what the lead allows them in a month, whatever happens.

The provider is a server of its own that charges a token for every byte it is sent, and its bill is what counts: not
what is written down here. Calls about Yara's model are of her month; those about a model of the house are not.
"""

import time

import pytest
from django.urls import reverse
from django.utils import timezone

from benchmark.answering import receive
from benchmark.models import Board
from benchmark.submissions import spending
from benchmark.submissions.submitting import submit
from jobs.models import Job
from jobs.sweeping import sweep
from judging.collecting.submitted import Terms, accept, follow_up
from judging.engine import runs, shards
from judging.engine.planning import plan
from judging.engine.run_kinds import kind_of
from judging.engine.runs import create_run
from judging.engine.shards import claim_shard, work_through
from judging.engine.submitted_answers import BudgetWatch, holds_of, watch_of
from judging.judges import add_judge
from judging.models import Call, PausedBecause, Run, RunSet, RunState, SubmissionHold
from projects.models import Response
from projects.problems import Invalid
from providers.client import retrying
from providers.endpoints import simulated_provider
from providers.limiter import circuit_breaker
from providers.models import Provider
from providers.prices import NOTHING, Amount
from providers.problem_texts import in_words
from tests.benchmark.boards import configuration, frozen_set, open_questions
from tests.judging.budgeting import priced
from tests.judging.collecting import work_off
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.leaderboard.submitting import feasts, layla, opened, pond, yara
from tests.people import signed_in
from tests.threads import at_once

__all__ = ["every_provider_is_up", "fake_provider", "fake_provider_process", "feasts", "layla", "opened", "yara"]
pytestmark = pytest.mark.django_db
N = 12
DOLLAR = 10**9


@pytest.fixture(autouse=True)
def nobody_works(monkeypatch):
    """Shards wait until a test works them off."""
    monkeypatch.setattr(runs, "send", lambda jobs: None)


@pytest.fixture
def questions(feasts):
    return frozen_set(feasts, *open_questions(N))


@pytest.fixture
def bill(fake_provider):
    """What the provider would charge, in tokens."""
    fake_provider.tell(bytes_of_a_token=1)
    fake_provider.tell(reset=True, bytes_of_a_token=1)
    before = fake_provider.charges()

    def tokens() -> int:
        now = fake_provider.charges()
        return sum(now[name] - before[name] for name in ("prompt_tokens", "completion_tokens"))

    return tokens


@pytest.fixture
def reed(opened, questions, yara, nour, fake_provider):
    """Yara's model has answered all questions, and so has a model of the house."""
    submission = submit(opened, yara, pond(name="Reed-1", how="weights", access="open", address="", model=""))
    accept(submission, nour)
    for row in (submission.configuration, configuration(opened.project, "House-1")):
        for question in questions.questions.select_related("prompt"):
            receive(row, question.prompt, f"الشاي مشروب دافئ {question.key}")
    return submission


def judge_of(submission, model: str = "simulated-2", concurrency: int = 4):
    provider = simulated_provider()
    Provider.objects.filter(pk=provider.pk).update(concurrency=concurrency)
    judge = add_judge(submission.board.project, Provider.objects.get(pk=provider.pk), model, kind="reference")
    judge.max_output_tokens = 300
    judge.save()
    return judge


def about(submission):
    return Response.objects.filter(answer__configuration=submission.configuration)


def started(judge, responses) -> Run:
    run = create_run(judge, responses)
    runs.start_here(run)
    run.refresh_from_db()
    return run


def allow(tokens: int | None = None, money: int | None = None) -> None:
    Board.objects.update(submission_tokens=tokens, submission_money=money)


def states(*run: Run) -> dict[str, int]:
    found: dict[str, int] = {}
    for state in Call.objects.filter(run__in=run).values_list("state", flat=True):
        found[state] = found.get(state, 0) + 1
    return found


def problems(run: Run) -> set[str]:
    return set(Call.objects.filter(run=run, state="cancelled").values_list("problem", flat=True))


def most_of_a_call(run: Run) -> Amount:
    shard = run.shards.get()
    kind = kind_of(run)
    setup = kind.setup(run)
    return max(
        (kind.worst_case(setup, kind.prepare(setup, question)) for question in kind.questions(shard)),
        key=lambda amount: amount.tokens,
    )


def spent(submission) -> int:
    return spending.spending_of(Board.objects.get(), submission.month).spent[1]


def nothing_is_set_aside(submission) -> None:
    assert holds_of(submission.board, submission.month) == (NOTHING, NOTHING)


def test_what_may_be_charged_is_set_aside_before_it_is_sent(reed, bill):
    """Room for five calls and a half: however many could be sent at once, the sixth is not."""
    run = started(judge_of(reed, concurrency=12), about(reed))
    limit = most_of_a_call(run).tokens * 11 // 2
    allow(tokens=limit)
    work_off(run)
    assert run.state == RunState.DONE
    assert 0 < bill() <= limit
    assert bill() == spent(reed)
    left = limit - bill()
    assert left < most_of_a_call_in(run), "it goes on as long as there is room for one"
    found = states(run)
    assert found["scored"] >= 5
    assert found["scored"] + found["cancelled"] == N
    assert problems(run) == {"submission_budget"}
    nothing_is_set_aside(reed)


def most_of_a_call_in(run: Run) -> int:
    """The worst case of the largest call that was sent."""
    rows = Call.objects.filter(run=run, state="scored").values_list("prompt_tokens", flat=True)
    return max(n for n in rows if n is not None) + 300


def test_answers_of_the_house_are_judged_whatever_the_month_says(reed, bill):
    run = started(judge_of(reed), Response.objects.filter(project=reed.board.project))
    allow(tokens=1)
    work_off(run)
    assert states(run) == {"scored": N, "cancelled": N}
    cancelled = Call.objects.filter(run=run, state="cancelled")
    assert set(cancelled.values_list("response__answer__configuration", flat=True)) == {reed.configuration_id}
    assert spent(reed) == 0
    nothing_is_set_aside(reed)


def test_nothing_is_sent_within_a_budget_of_nothing(reed, bill):
    run = started(judge_of(reed), about(reed))
    allow(tokens=0)
    work_off(run)
    assert (run.state, states(run), bill()) == (RunState.DONE, {"cancelled": N}, 0)


def test_once_the_limit_is_raised_the_rest_is_asked(reed, bill, nour):
    run = started(judge_of(reed), about(reed))
    allow(tokens=most_of_a_call(run).tokens * 3)
    work_off(run)
    assert states(run)["cancelled"] > 0
    allow(tokens=10**7)
    assert runs.retry_failed(run, nour)
    assert states(work_off(run)) == {"scored": N}
    assert bill() == spent(reed)
    assert not Call.objects.exclude(problem="").exists()


def test_a_limit_that_is_raised_in_the_middle_lets_the_run_go_on(reed, bill, monkeypatch):
    """Two at a time, and room for three. With the first that come back there is room for all."""
    run = started(judge_of(reed, concurrency=2), about(reed))
    allow(tokens=most_of_a_call(run).tokens * 3)
    store = shards.store

    def raised(*given):
        allow(tokens=10**7)
        return store(*given)

    monkeypatch.setattr(shards, "store", raised)
    work_off(run)
    assert states(run) == {"scored": N}


def test_a_judge_without_a_price_is_not_asked_while_money_is_limited(reed, bill, nour):
    judge = judge_of(reed)
    run = started(judge, about(reed))
    allow(money=DOLLAR)
    work_off(run)
    assert (states(run), bill(), problems(run)) == ({"cancelled": N}, 0, {"submission_unpriced"})
    assert "has no price" in in_words("submission_unpriced")
    assert not runs.retry_failed(run, nour)
    with pytest.raises(Invalid, match="money is limited, and its judge has no price: 12"):
        create_run(judge, about(reed))
    planned = plan(judge, Response.objects.filter(project=reed.board.project))
    assert (planned.size, planned.not_ready) == (N, N), "the house's own are asked about"
    html = signed_in(nour).get(reverse("run", args=["feasts", run.uuid])).content.decode()
    assert "the judge has no price" in html
    priced(judge)
    assert runs.retry_failed(run, nour)
    assert states(work_off(run)) == {"scored": N}
    # a dollar for a million tokens sent, two for those that came back
    rows = Call.objects.filter(run=run).values_list("prompt_tokens", "completion_tokens")
    assert spending.spending_of(Board.objects.get(), reed.month).judging[0] == sum(1000 * a + 2000 * b for a, b in rows)


def test_money_is_held_to_as_tokens_are(reed, bill):
    judge = priced(judge_of(reed))
    run = started(judge, about(reed))
    limit = most_of_a_call(run).money * 4
    allow(money=limit)
    work_off(run)
    spent_money = spending.spending_of(Board.objects.get(), reed.month).spent[0]
    assert 0 < spent_money <= limit
    assert states(run)["cancelled"] > 0


def test_what_an_attempt_that_failed_may_cost_counts_too(reed, bill, fake_provider, nour):
    """Every answer is cut off on its way: it is charged for, tried again, charged for again, and asked anew later."""
    run = started(judge_of(reed, concurrency=1), about(reed))
    limit = most_of_a_call(run).tokens * 20
    allow(tokens=limit)
    fake_provider.tell(faults=["cutstream"] * 6)
    work_off(run)
    for _again in range(3):
        assert bill() <= spent(reed) <= limit
        Call.objects.filter(run=run, state="scored").update(state="failed", problem="timeout")
        if not runs.retry_failed(run, nour):
            break
        work_off(run)
    assert bill() <= spent(reed) <= limit
    nothing_is_set_aside(reed)


def test_replies_that_are_taken_over_cost_nothing(reed, bill):
    """Another judge of the same model is told what that said before."""
    judge = judge_of(reed)
    work_off(started(judge, about(reed)))
    before = spent(reed)
    assert before == bill() > 0
    twin = add_judge(judge.project, judge.provider, judge.model, kind="reference", name="Twin")
    twin.max_output_tokens = judge.max_output_tokens
    twin.save()
    run = started(twin, about(reed))
    allow(tokens=before + most_of_a_call(run).tokens * 2)
    work_off(run)
    assert states(run) == {"scored": N}
    assert spent(reed) == before == bill()


def test_a_submission_of_last_month_counts_for_its_month(reed, bill):
    """Judged in December, submitted in November: November pays, and December has all of its own."""
    type(reed).objects.update(month="2026-10")
    reed.refresh_from_db()
    run = started(judge_of(reed), about(reed))
    limit = most_of_a_call(run).tokens * 3
    allow(tokens=limit)
    work_off(run)
    board = Board.objects.get()
    assert spending.spending_of(board, "2026-10").spent[1] == bill() > 0
    now = timezone.now().strftime("%Y-%m")
    assert spending.left(board, now).tokens == limit


def test_a_provider_that_is_away_leaves_nothing_set_aside(reed, bill, fake_provider, monkeypatch, nour):
    """Each attempt fails until the provider is left alone: the run is paused, and goes on when somebody says so."""
    monkeypatch.setattr(circuit_breaker, "MAX_SECONDS_DOWN", 0.0)
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)
    run = started(judge_of(reed, concurrency=2), about(reed))
    allow(tokens=most_of_a_call(run).tokens * 30)
    fake_provider.tell(shares={"error": 1.0})
    work_off(run)
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.PROVIDER)
    nothing_is_set_aside(reed)
    fake_provider.tell(shares={})
    monkeypatch.setattr(circuit_breaker, "MAX_SECONDS_DOWN", 120.0)
    assert runs.resume(run, nour)
    work_off(run)
    if "failed" in states(run):
        assert runs.retry_failed(run, nour)
        work_off(run)
    assert states(run) == {"scored": N}
    assert spent(reed) >= bill()


def test_a_run_that_is_cancelled_in_the_middle_pays_for_what_was_sent(reed, bill, monkeypatch, nour):
    run = started(judge_of(reed, concurrency=2), about(reed))
    allow(tokens=most_of_a_call(run).tokens * 30)
    store, is_first = shards.store, [True]

    def cancelled_once(*given):
        if is_first:
            is_first.clear()
            runs.cancel(run, nour)
            held = holds_of(reed.board, reed.month)
            assert held[0] == held[1] != NOTHING, "nobody knows yet what was in flight"
        return store(*given)

    monkeypatch.setattr(shards, "store", cancelled_once)
    work_off(run)
    assert run.state == RunState.CANCELLED
    assert bill() <= spent(reed)
    nothing_is_set_aside(reed)


def test_what_a_worker_that_died_had_set_aside_counts_as_spent(reed, bill):
    run = started(judge_of(reed), about(reed))
    most = most_of_a_call(run)
    allow(tokens=most.tokens * 4)
    shard, held = claim_shard(run.shards.get().pk)
    watch = watch_of(shard, held.claim)
    [reservation] = watch.months.values()
    assert reservation.extend(most, most)
    assert reservation.hold(most)
    assert holds_of(reed.board, reed.month) == (most, NOTHING)
    assert spending.left(Board.objects.get(), reed.month).tokens == most.tokens * 3
    Job.objects.filter(pk=held.job.pk).update(heartbeat_at=timezone.now() - timezone.timedelta(days=1))
    sweep()
    assert holds_of(reed.board, reed.month) == (most, most)
    assert spent(reed) == most.tokens
    work_off(run)
    assert spent(reed) <= most.tokens * 4
    assert bill() == spent(reed) - most.tokens
    assert SubmissionHold.objects.get().is_over, "the dead worker's alone"


def test_who_waits_for_budget_does_not_ask_for_it_all_the_time(reed, bill, fake_provider, monkeypatch):
    """Room for two calls at once, which take their time. It is looked for anew when something came back, and twice a
    second."""
    run = started(judge_of(reed, concurrency=6), about(reed))
    allow(tokens=most_of_a_call(run).tokens * 2 + 100)
    fake_provider.tell(latency_ms=300)
    looks = []
    reserve = BudgetWatch.reserve

    def counted(*given):
        looks.append(time.monotonic())
        return reserve(*given)

    monkeypatch.setattr(BudgetWatch, "reserve", counted)
    work_off(run)
    assert states(run)["scored"] >= 1
    waited = looks[-1] - looks[0]
    assert len(looks) <= 4 * N + waited / shards.BUDGET_RECHECK_SECONDS


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_share_one_budget(reed, bill):
    """Two judges, a worker each, and room for about eight of the 24 calls."""
    both = [started(judge_of(reed, model, concurrency=8), about(reed)) for model in ("simulated-1", "simulated-2")]
    limit = most_of_a_call(both[0]).tokens * 8
    allow(tokens=limit)
    at_once(work_through, [run.shards.get().pk for run in both])
    assert 0 < bill() <= limit
    assert bill() == spent(reed)
    found = states(*both)
    assert found["scored"] + found["cancelled"] == 2 * N
    nothing_is_set_aside(reed)


@pytest.fixture
def pond_holds_the_rest(reed, layla, nour, fake_provider, settings):
    """Layla's model is accepted and may cost all that is left of a hundred thousand tokens; nobody has asked it yet."""
    settings.SUBMITTED_PRIVATE_HOSTS = ["127.0.0.1"]
    allow(tokens=100_000)
    row = submit(reed.board, layla, pond(address=fake_provider.url, model="simulated-1"))
    accept(row, nour, Terms())
    assert spending.left(Board.objects.get(), reed.month).tokens == 0
    return row


def run_of(submission) -> Run:
    return Run.objects.get(endpoint__target_model=submission.configuration.target_model)


def test_what_another_submission_holds_is_waited_for_and_then_asked_by_itself(reed, bill, pond_holds_the_rest):
    run = started(judge_of(reed), Response.objects.filter(project=reed.board.project))
    work_off(run)
    assert (run.state, states(run), problems(run)) == (
        RunState.DONE,
        {"scored": N, "cancelled": N},
        {"submission_held"},
    )
    assert "once they have ended" in in_words("submission_held")
    nothing_is_set_aside(reed)
    follow_up()
    assert states(run) == {"scored": N, "cancelled": N}, "it is still held"
    work_off(run_of(pond_holds_the_rest))
    follow_up()
    assert states(run) == {"scored": N, "planned": N}
    follow_up()  # twice is as once
    assert states(work_off(run)) == {"scored": 2 * N}
    assert spent(reed) <= 100_000
    assert not Call.objects.exclude(problem="").exists()
    assert not SubmissionHold.objects.exists()


def test_what_was_held_and_is_spent_at_the_end_is_not_asked(reed, bill, pond_holds_the_rest, nour):
    run = work_off(started(judge_of(reed), about(reed)))
    RunSet.objects.filter(runs=run_of(pond_holds_the_rest)).update(tokens_spent=100_000)
    runs.cancel(run_of(pond_holds_the_rest), nour)
    before = bill()
    follow_up()
    assert (states(work_off(run)), problems(run)) == ({"cancelled": N}, {"submission_budget"})
    assert bill() == before
    assert not SubmissionHold.objects.exists()


def test_a_run_that_somebody_cancelled_stays_cancelled(reed, bill, pond_holds_the_rest, nour):
    run = work_off(started(judge_of(reed), about(reed)))
    Run.objects.filter(pk=run.pk).update(state="cancelled")
    work_off(run_of(pond_holds_the_rest))
    follow_up()
    run.refresh_from_db()
    assert (run.state, states(run)) == (RunState.CANCELLED, {"cancelled": N})
