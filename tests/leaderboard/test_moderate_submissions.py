"""Nour decides about what was submitted: accepted, it is asked within the month's budget and followed to its end."""

import asyncio
import contextlib
import socket
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from benchmark.answering import receive
from benchmark.models import Answer, Board, Configuration, Exposure, Standing, Submission
from benchmark.submissions import spending
from benchmark.submissions.banning import ban
from benchmark.submissions.ending import withdraw
from benchmark.submissions.submitting import submit
from judging.collecting import submitted
from judging.collecting.planning import plan
from judging.collecting.submitted import Terms, accept, follow_up, key_name
from judging.engine import runs, shards
from judging.engine.judge_runs import Judging
from judging.engine.planning import plan as judge_plan
from judging.engine.pool import CallPool
from judging.engine.run_sets import cancel_set
from judging.engine.runs import create_run
from judging.forms.judges import JudgeForm
from judging.judges import add_judge
from judging.models import Call, CollectionCall, Run, RunSet, RunState, TargetEndpoint
from projects.models import AuditEvent, Response, TargetModel
from projects.problems import Invalid
from providers.client import guarded, once
from providers.endpoints import endpoint, simulated_provider
from providers.models import Provider, ServedModel
from providers.problem_texts import in_words
from tests.benchmark.boards import configuration, frozen_set, open_questions
from tests.coroutines import run as run_coroutine
from tests.judging.budgeting import priced
from tests.judging.collecting import work_off
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.leaderboard.submitting import feasts, hassan, layla, opened, pond, questions, yara
from tests.people import signed_in

__all__ = [
    "every_provider_is_up",
    "fake_provider",
    "fake_provider_process",
    "feasts",
    "hassan",
    "layla",
    "opened",
    "questions",
    "yara",
]
pytestmark = pytest.mark.django_db
DOLLAR = 10**9


@pytest.fixture(autouse=True)
def nobody_works(monkeypatch):
    """Shards wait until a test works them off."""
    monkeypatch.setattr(runs, "send", lambda jobs: None)


@pytest.fixture
def served(fake_provider, settings):
    """The fake provider as Layla's endpoint: whoever runs the installation allows its private host."""
    settings.SUBMITTED_PRIVATE_HOSTS = ["127.0.0.1"]
    fake_provider.tell(record=True)
    return fake_provider


@pytest.fixture
def waiting(opened, layla, served) -> Submission:
    return submit(opened, layla, pond(address=served.url, model="simulated-1"))


def work(row: Submission) -> Run:
    row.refresh_from_db()
    assert row.configuration is not None
    run = Run.objects.get(endpoint__target_model=row.configuration.target_model)
    return work_off(run)


def state_of(row: Submission) -> tuple[str, str]:
    row.refresh_from_db()
    return row.state, row.configuration.standing if row.configuration else ""


# --- Accepted, to its end ---


def test_nobody_calls_the_address_before_a_moderator_accepted(waiting, served):
    follow_up()
    assert served.asked() == []
    assert not Provider.objects.filter(is_submitted=True).exists()


def test_accepted_it_is_asked_everything_once_and_ranked_when_all_is_there(waiting, nour, served, questions, client):
    accept(waiting, nour)
    assert state_of(waiting) == ("running", "pending")
    row = waiting.configuration
    assert (row.name, row.card.laboratory.name, row.card.parameters_total) == ("Pond-7B", "Pond Lab", 7.0)
    assert row.card.declared_overlap == "None that we know of"
    provider = Provider.objects.get(is_submitted=True)
    assert (provider.laboratory.name, provider.key_name) == ("Pond Lab", "")
    assert work(waiting).state == RunState.DONE
    asked = [request["body"] for request in served.asked()]
    texts = [question.prompt.text for question in questions.questions.select_related("prompt")]
    assert sorted(body["messages"][-1]["content"] for body in asked) == sorted(texts)
    assert {body["temperature"] for body in asked} == {0.0}
    assert {body["max_tokens"] for body in asked} == {500}
    assert Answer.objects.filter(configuration=row).count() == 4
    assert state_of(waiting) == ("done", "ranked")
    assert waiting.ended_at is not None
    actions = set(AuditEvent.objects.filter(project=row.project).values_list("action", flat=True))
    assert {"submission.made", "submission.accepted", "submission.done"} <= actions
    assert "Pond-7B" in client.get(reverse("open-board", args=["arabic"])).content.decode()


def test_two_moderators_accept_once(waiting, nour, ada):
    accept(waiting, nour)
    with pytest.raises(Invalid) as caught:
        accept(waiting, ada)
    assert caught.value.problems[0].code == "decided_already"
    assert Provider.objects.filter(is_submitted=True).count() == RunSet.objects.count() == 1


def test_what_cannot_be_begun_leaves_all_as_it_was(waiting, nour, questions):
    questions.questions.all()  # four are frozen, so there is something to ask
    TargetModel.objects.create(name="Pond-7B", laboratory=waiting.laboratory)
    accept(waiting, nour)  # a model of this name elsewhere: this one has a name of its own
    assert waiting.configuration.target_model.name == f"Pond-7B {waiting.uuid.hex[:8]}"


def test_a_card_that_cannot_be_made_leaves_the_submission_waiting(waiting, nour):
    Configuration.objects.create(
        project=waiting.board.project,
        name="Pond-7B",
        slug="pond",
        kind="baseline",
        target_model=TargetModel.objects.create(name="x", laboratory=waiting.laboratory),
    )
    with pytest.raises(Invalid):
        accept(waiting, nour)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.configuration, waiting.decided_at) == ("queued", None, None)
    assert not Provider.objects.filter(is_submitted=True).exists()


def test_answers_that_do_not_come_are_a_failure_with_its_reason(waiting, nour, served):
    accept(waiting, nour)
    run = waiting.configuration.target_model.endpoints.get().runs.get()
    runs.start_here(run)
    CollectionCall.objects.filter(run=run).update(state="failed", problem="http_401: no", ended_at=timezone.now())
    Run.objects.filter(pk=run.pk).update(state="done", ended_at=timezone.now())
    assert follow_up() == 1
    assert state_of(waiting) == ("failed", "withdrawn")
    assert waiting.reason == "4 questions have no answer: http_401."
    assert follow_up() == 0


def test_what_the_lead_stops_has_failed(waiting, nour):
    accept(waiting, nour)
    cancel_set(RunSet.objects.get(), nour)
    follow_up()
    assert state_of(waiting) == ("failed", "withdrawn")
    assert "stopped" in waiting.reason


def test_after_its_hours_it_has_timed_out_and_nothing_is_asked_any_more(waiting, nour, settings, served):
    settings.SUBMISSION_TIMEOUT_HOURS = 24
    accept(waiting, nour)
    Submission.objects.update(decided_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert follow_up() == 0
    Submission.objects.update(decided_at=timezone.now() - timedelta(hours=24, minutes=1))
    with_callbacks(follow_up)
    assert state_of(waiting) == ("timed_out", "withdrawn")
    assert waiting.reason == "After 24 hours 4 questions had no answer."
    assert Run.objects.get().state == RunState.CANCELLED
    work(waiting)
    assert served.asked() == []


def with_callbacks(act):
    """What is to be done on commit is done, as outside of a test's transaction."""
    from django.test import TestCase

    with TestCase.captureOnCommitCallbacks(execute=True):
        return act()


def test_withdrawn_while_it_runs_it_is_stopped(waiting, nour, layla):
    accept(waiting, nour)
    waiting.refresh_from_db()
    with_callbacks(lambda: withdraw(waiting, layla))
    assert state_of(waiting) == ("withdrawn", "withdrawn")
    assert Run.objects.get().state == RunState.CANCELLED


def test_a_run_that_a_crash_left_going_is_stopped_by_the_clock(waiting, nour):
    accept(waiting, nour)
    Submission.objects.update(state="withdrawn", ended_at=timezone.now())
    follow_up()
    assert Run.objects.get().state == RunState.CANCELLED


def test_withdrawn_after_it_was_ranked_it_leaves_the_board_and_stays_listed(waiting, nour, layla, client):
    accept(waiting, nour)
    work(waiting)
    waiting.refresh_from_db()
    withdraw(waiting, layla)
    assert state_of(waiting) == ("withdrawn", "withdrawn")
    assert "Pond-7B" not in client.get(reverse("open-board", args=["arabic"])).content.decode()
    assert "Pond-7B" in client.get(reverse("open-board-submissions", args=["arabic"])).content.decode()


def test_open_weights_wait_for_the_answers_that_the_lead_brings(opened, layla, nour, questions):
    weights = {"how": "weights", "access": "open", "address": "", "model": "", "instructions": "Run by vLLM"}
    row = submit(opened, layla, pond(**weights))
    accept(row, nour)
    assert state_of(row) == ("accepted", "pending")
    assert not TargetEndpoint.objects.exists()
    Submission.objects.update(decided_at=timezone.now() - timedelta(days=40))
    assert follow_up() == 0  # it waits for the lead, whoever submitted
    for question in questions.questions.select_related("prompt"):
        receive(row.configuration, question.prompt, f"An answer to {question.key}")
    assert follow_up() == 1
    assert state_of(row) == ("done", "ranked")


# --- Whose address is called, and with which key ---


@pytest.mark.parametrize("address", ["10.1.2.3", "127.0.0.1", "169.254.169.254", "::1", "fd00::5", "::ffff:10.0.0.1"])
def test_a_name_that_leads_to_a_private_address_is_not_accepted(opened, layla, nour, monkeypatch, address):
    row = submit(opened, layla, pond())
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("93.184.216.34", address))
    with pytest.raises(Invalid) as caught:
        accept(row, nour)
    assert caught.value.problems[0].field == "address"
    row.refresh_from_db()
    assert row.state == "queued"


def leads_to(*addresses: str):
    """A look-up of names, as `socket.getaddrinfo` gives it."""

    def look_up(host, port, *_args, **_options):
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in addresses
        ]

    return look_up


def test_a_name_that_leads_elsewhere_later_is_not_called(waiting, nour, served, settings):
    """The look-up that counts is that of the connection: here the host was allowed when it was accepted."""
    accept(waiting, nour)
    settings.SUBMITTED_PRIVATE_HOSTS = []
    provider = Provider.objects.get(is_submitted=True)
    answer = run_coroutine(once.send(endpoint(provider), "GET", "/models"))
    assert answer.failure == "connection"
    assert "not public" in answer.detail
    assert served.asked() == []
    # and through the connections by which runs ask
    work(waiting)
    [(state, problem)] = set(CollectionCall.objects.values_list("state", "problem"))
    assert (state, problem) == ("failed", "connection: 127.0.0.1 is at an address that is not public")
    assert served.asked() == []
    assert state_of(waiting) == ("failed", "withdrawn")
    assert waiting.reason == "4 questions have no answer: connection."
    # what an administrator has set up is called as ever
    provider.is_submitted = False
    assert run_coroutine(once.send(endpoint(provider), "GET", "/models")).status == 200


def test_the_guard_connects_to_the_address_that_it_looked_at(monkeypatch):
    connected = []

    class Network:
        async def connect_tcp(self, host, port, *_args):
            connected.append(host)
            return "a stream"

    network = guarded.GuardedNetwork()
    network._network = Network()
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("93.184.216.34"))
    assert run_coroutine(network.connect_tcp("models.pond.example.org", 443)) == "a stream"
    assert connected == ["93.184.216.34"]
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("93.184.216.34", "10.0.0.1"))
    with pytest.raises(guarded.PrivateAddress):
        run_coroutine(network.connect_tcp("models.pond.example.org", 443))
    assert connected == ["93.184.216.34"]


def test_a_key_has_a_name_of_its_own_and_must_be_there(opened, layla, nour, served, monkeypatch):
    row = submit(opened, layla, pond(address=served.url, model="simulated-1", needs_key="on"))
    name = key_name(row)
    assert name == f"SUBMISSION_{row.uuid.hex[:8].upper()}_KEY"
    with pytest.raises(Invalid) as caught:
        accept(row, nour)
    assert name in caught.value.problems[0].message
    monkeypatch.setenv(name, "the-key-of-pond")
    accept(row, nour)
    work(row)
    assert {request["headers"]["authorization"] for request in served.asked()} == {"Bearer the-key-of-pond"}
    for address in (reverse("open-board-submission", args=["arabic", row.uuid]),):
        assert "the-key-of-pond" not in signed_in(layla).get(address).content.decode()


def test_a_submitted_endpoint_is_nobodys_judge_or_target_elsewhere(waiting, nour, ada):
    accept(waiting, nour)
    provider = Provider.objects.get(is_submitted=True)
    assert provider not in JudgeForm.base_fields["provider"].queryset.all()
    html = signed_in(nour).get(reverse("target-add", args=["feasts"])).content.decode()
    assert provider.name not in html


# --- Budget of the month ---


def test_each_is_given_what_the_month_has_left_and_gives_back_what_it_did_not_need(
    opened, waiting, nour, yara, served, hassan
):
    opened.submission_money, opened.submission_tokens = 2 * DOLLAR, 1_000_000
    opened.save()
    month = waiting.month
    prices = {"input_price": Decimal(1), "output_price": Decimal(2)}
    second = submit(opened, yara, pond(name="Reed-1", address=served.url, model="simulated-1"))
    accept(waiting, nour, Terms(money_limit=DOLLAR + DOLLAR // 2, token_limit=900_000, **prices))
    assert spending.left(opened, month) == (DOLLAR // 2, 100_000)
    for terms in ({"money_limit": DOLLAR, "token_limit": 1}, {"money_limit": 1, "token_limit": 200_000}):
        with pytest.raises(Invalid) as caught:
            accept(second, nour, Terms(**terms))
        assert caught.value.problems[0].code == "budget_used"
    work(waiting)
    spent = RunSet.objects.get()
    assert spent.money_spent > 0
    assert spent.tokens_spent > 0
    assert spending.spending_of(opened, month).spent == (spent.money_spent, spent.tokens_spent)
    address = reverse("api-board-spending", args=["feasts"])
    told = signed_in(nour).get(address, {"month": month}).json()
    assert told["spent"] == told["committed"] == [spent.money_spent, spent.tokens_spent]
    assert (told["limit"], told["is_used_up"]) == ([2 * DOLLAR, 1_000_000], False)
    assert told["left"] == [2 * DOLLAR - spent.money_spent, 1_000_000 - spent.tokens_spent]
    assert signed_in(nour).get(address, {"month": "1999-01"}).json()["spent"] == [0, 0]
    assert signed_in(nour).get(address, {"month": "1999-13"}).status_code == 400
    # nothing runs: all but what was spent is there again, and the second is given it whole
    assert spending.left(opened, month) == (2 * DOLLAR - spent.money_spent, 1_000_000 - spent.tokens_spent)
    accept(second, nour, Terms(**prices))
    other = RunSet.objects.exclude(pk=spent.pk).get()
    assert (other.money_limit, other.token_limit) == (
        2 * DOLLAR - spent.money_spent,
        1_000_000 - spent.tokens_spent,
    )
    assert spending.left(opened, month) == (0, 0)
    assert spending.left(opened, "2020-01") == (2 * DOLLAR, 1_000_000)


def test_a_budget_that_runs_out_stops_the_run_and_it_times_out(waiting, opened, nour):
    accept(waiting, nour, Terms(token_limit=1))
    run = work(waiting)
    assert (run.state, run.paused_because) == ("paused", "budget")
    Submission.objects.update(decided_at=timezone.now() - timedelta(days=2))
    follow_up()
    assert state_of(waiting)[0] == "timed_out"
    assert "What it may cost was used up" in waiting.reason


@pytest.mark.parametrize(
    ("month", "terms", "field"),
    [
        (DOLLAR, {}, "input_price"),
        (None, {"money_limit": DOLLAR}, "input_price"),
        (None, {"input_price": Decimal(1)}, "output_price"),
        (None, {"money_limit": DOLLAR, "input_price": Decimal(0), "output_price": Decimal(0)}, "money_limit"),
    ],
)
def test_a_limit_in_money_that_nothing_can_hold_to_is_refused(opened, waiting, nour, month, terms, field):
    opened.submission_money = month
    opened.save()
    with pytest.raises(Invalid) as caught:
        accept(waiting, nour, Terms(**terms))
    assert [(problem.code, problem.field) for problem in caught.value.problems] == [("price_missing", field)]
    assert state_of(waiting)[0] == "queued"
    assert not Provider.objects.filter(is_submitted=True).exists()
    accept(waiting, nour, Terms(input_price=Decimal(0), output_price=Decimal(0)))  # whoever submitted pays
    assert state_of(waiting)[0] == "running"


def test_only_the_questions_of_the_board_s_version_are_asked_also_when_it_is_asked_again(
    opened, waiting, nour, served, questions
):
    """Another set is frozen as well: nobody outside sees it."""
    other = frozen_set(opened.project, *open_questions(3), id="songs", name="Songs", canary=str(uuid4()))
    opened.question_set = questions
    opened.save()
    accept(waiting, nour)
    work(waiting)
    asked = set(CollectionCall.objects.values_list("prompt", flat=True))
    assert asked == set(questions.questions.values_list("prompt", flat=True))
    assert len(served.asked()) == 4
    assert not asked & set(other.questions.values_list("prompt", flat=True))
    assert state_of(waiting)[0] == "done"
    endpoint_of_it = TargetEndpoint.objects.get()
    assert plan(endpoint_of_it).size == 0
    opened.question_set = None  # now the newest is ranked, which is the other
    opened.save()
    assert plan(endpoint_of_it).size == 3
    Provider.objects.update(is_submitted=False)
    assert plan(endpoint_of_it).size == 3
    Submission.objects.all().delete()
    Provider.objects.update(is_submitted=True)
    assert plan(endpoint_of_it).size == 0, "of a submission that is gone nothing says what it may see"


def test_what_judges_cost_counts_for_the_month(opened, waiting, nour, served, questions, yara):
    accept(waiting, nour)
    work(waiting)
    second = submit(opened, yara, pond(name="Reed-1", how="weights", access="open", address="", model=""))
    accept(second, nour)
    for question in questions.questions.select_related("prompt"):
        receive(second.configuration, question.prompt, f"الشاي مشروب دافئ {question.key}")
    asking = spending.spending_of(opened, waiting.month)
    assert asking.judging == (0, 0)
    opened.submission_money, opened.submission_tokens = DOLLAR, asking.spent[1] + 1000
    opened.save()
    run = create_run(priced(add_judge(opened.project, simulated_provider(), "simulated-1", kind="reference")),
                     Response.objects.filter(answer__configuration=second.configuration))  # fmt: skip
    calls = Call.objects.filter(run=run)
    calls.update(cost=DOLLAR // 8, prompt_tokens=100, completion_tokens=25)
    assert calls.count() == 4
    after = spending.spending_of(opened, waiting.month)
    assert after.judging == (DOLLAR // 2, 500)
    assert after.spent == (asking.spent[0] + DOLLAR // 2, asking.spent[1] + 500)
    assert spending.left(opened, waiting.month) == (DOLLAR // 2 - asking.spent[0], 500)
    html = signed_in(nour).get(reverse("board-submissions", args=["feasts"])).content.decode()
    assert "500 tokens. What judges cost counts" in html
    calls.update(cost=DOLLAR // 4)
    assert spending.is_used_up(opened, waiting.month)


def calls_by_state(run: Run) -> dict[str, int]:
    return {state: n for state, n in runs.counts(run).items() if n}


@pytest.fixture
def both_answered(opened, yara, nour, served, questions):
    """Yara's model has answered the four questions, and so has a model of the house; a month may cost a
    hundred thousand tokens."""
    submission = submit(opened, yara, pond(name="Reed-1", how="weights", access="open", address="", model=""))
    accept(submission, nour)
    for row in (submission.configuration, configuration(opened.project, "House-1")):
        for question in questions.questions.select_related("prompt"):
            receive(row, question.prompt, f"الشاي مشروب دافئ {question.key}")
    Board.objects.update(submission_tokens=100_000)
    provider = simulated_provider()
    Provider.objects.filter(pk=provider.pk).update(base_url=served.url, concurrency=1)
    judge = add_judge(opened.project, Provider.objects.get(pk=provider.pk), "simulated-2", kind="reference")
    return submission, judge, Response.objects.filter(project=opened.project)


def test_a_month_that_is_spent_stops_the_judging_of_its_submissions_alone(both_answered, nour):
    submission, judge, responses = both_answered
    run = create_run(judge, responses)
    runs.start_here(run)
    Board.objects.update(submission_tokens=0)
    run = work_off(run)
    assert (run.state, calls_by_state(run)) == (RunState.DONE, {"cancelled": 4, "scored": 4})
    left = Call.objects.filter(run=run, state="cancelled")
    assert set(left.values_list("response__answer__configuration", "problem")) == {
        (submission.configuration_id, "submission_budget")
    }
    assert (
        in_words("submission_budget")
        == "What submissions of its month may cost is spent or set aside; it was not asked."
    )
    assert not runs.retry_failed(run, nour), "the month is spent as before"
    Board.objects.update(submission_tokens=10**6)
    assert runs.retry_failed(run, nour)
    assert calls_by_state(work_off(run)) == {"scored": 8}
    assert not Call.objects.exclude(problem="").exists()


def test_a_month_spent_while_judges_are_asked_stops_them_at_the_next_batch(both_answered, served, monkeypatch):
    """One call at a time, each stored at once. What the first cost spends the month while the second is in flight: the
    second is paid for and stored, the other two are never sent."""
    submission, judge, responses = both_answered
    run = create_run(judge, responses.filter(answer__configuration=submission.configuration))
    runs.start_here(run)
    monkeypatch.setattr(shards, "BATCH", 1)
    asked, dropped = [], asyncio.Event()
    ask, drop, store = Judging.ask, CallPool._drop, shards.store

    async def held(setup, connections, prepared, reservation=None):
        asked.append(prepared.question.call)
        if len(asked) == 2:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(dropped.wait(), 20)
        return await ask(setup, connections, prepared, reservation)

    def stored_and_spent(*given):
        Board.objects.update(submission_tokens=1)
        return store(*given)

    def dropped_then(pool, is_dropped):
        drop(pool, is_dropped)
        dropped.set()

    monkeypatch.setattr(Judging, "ask", staticmethod(held))
    monkeypatch.setattr(CallPool, "_drop", dropped_then)
    monkeypatch.setattr(shards, "store", stored_and_spent)
    work_off(run)
    assert len(asked) == 2
    assert calls_by_state(run) == {"cancelled": 2, "scored": 2}
    seen = Exposure.objects.filter(kind="judging").values_list("times", flat=True)
    assert sum(seen) == 2, "what was dropped was not seen"


def test_a_plan_leaves_out_what_a_spent_month_does_not_pay(both_answered, nour):
    submission, judge, responses = both_answered
    Board.objects.update(submission_tokens=0)
    planned = judge_plan(judge, responses)
    reason = f"what the submissions of {submission.month} may cost is spent"
    assert (planned.size, planned.not_ready, planned.reasons) == (4, 4, {reason: 4})
    submitted_alone = responses.filter(answer__configuration=submission.configuration)
    with pytest.raises(Invalid, match=f"Not ready to be asked about: {reason}: 4"):
        create_run(judge, submitted_alone)
    html = signed_in(nour).get(reverse("board-submissions", args=["feasts"])).content.decode()
    assert "judges are not asked about their answers" in html
    arabic = signed_in(nour)
    arabic.cookies["django_language"] = "ar"
    assert "&lt;bdi" not in arabic.get(reverse("board-submissions", args=["feasts"])).content.decode()
    Board.objects.update(submission_tokens=None)
    assert judge_plan(judge, responses).size == 8
    html = signed_in(nour).get(reverse("board-submissions", args=["feasts"])).content.decode()
    assert "judges are not asked about their answers" not in html


def test_costs_of_many_are_three_statements(opened, waiting, nour, django_assert_num_queries):
    accept(waiting, nour)
    with django_assert_num_queries(3):
        submitted.spending_of(opened, waiting.month)


# --- On pages and by programs ---


def test_the_lead_refuses_with_a_reason_on_the_page(waiting, nour, layla):
    lead = signed_in(nour)
    page = reverse("board-submission", args=["feasts", waiting.uuid])
    html = lead.get(page).content.decode()
    for words in ("Pond-7B", "layla@example.org", "None that we know of", "simulated-1"):
        assert words in html
    assert lead.post(page, {"act": "refuse", "reason": " "}).status_code == 422
    assert lead.post(page, {"act": "refuse", "reason": "Its weights are those of Nile."}).status_code == 302
    assert state_of(waiting)[0] == "refused"
    assert lead.post(page, {"act": "refuse", "reason": "Again"}).status_code == 422
    assert lead.post(page, {"act": "nothing"}).status_code == 422
    html = signed_in(layla).get(reverse("open-board-submission", args=["arabic", waiting.uuid])).content.decode()
    assert "Its weights are those of Nile." in html


def test_the_lead_accepts_on_the_page_within_limits(waiting, nour, opened):
    opened.submission_money = DOLLAR
    opened.save()
    lead = signed_in(nour)
    page = reverse("board-submission", args=["feasts", waiting.uuid])
    terms = {"act": "accept", "tokens": "", "input_price": "1", "output_price": "2"}
    assert lead.post(page, terms | {"money": "1.50"}).status_code == 422
    assert lead.post(page, terms | {"money": "0.50"}).status_code == 302
    assert RunSet.objects.get().money_limit == DOLLAR // 2
    assert ServedModel.objects.get().input_price == Decimal(1)
    html = lead.get(reverse("board-submissions", args=["feasts"])).content.decode()
    assert "Running" in html
    assert lead.post(page, {"act": "fail", "reason": "The model was taken away."}).status_code == 302
    assert state_of(waiting) == ("failed", "withdrawn")


def test_the_lead_bans_and_lifts_on_the_page(waiting, nour, opened, layla):
    lead = signed_in(nour)
    page = reverse("board-submission", args=["feasts", waiting.uuid])
    assert lead.post(page, {"act": "ban", "reason": "Many models that are one"}).status_code == 302
    assert lead.post(page, {"act": "accept", "input_price": "0", "output_price": "0"}).status_code == 422
    assert state_of(waiting)[0] == "queued"
    row = opened.bans.get()
    assert "Many models that are one" in lead.get(reverse("board-submissions", args=["feasts"])).content.decode()
    assert lead.post(reverse("board-ban-lift", args=["feasts", row.pk])).status_code == 302
    accept(waiting, nour)


def test_a_lead_of_another_project_decides_nothing_here(waiting, omar, other_project, layla, nour, opened):
    row = ban(opened, layla, nour, "Spam")
    stranger = signed_in(omar)
    other = reverse("board-submission", args=["weddings", waiting.uuid])
    for slug in ("feasts", "weddings"):
        assert stranger.post(reverse("board-ban-lift", args=[slug, row.pk])).status_code == 404
    assert stranger.get(other).status_code == 404


def test_programs_submit_withdraw_and_moderate(opened, layla, nour, served):
    mine, lead, anybody = signed_in(layla), signed_in(nour), Client()
    address = reverse("api-open-board-submissions", args=["arabic"])
    as_json = {"content_type": "application/json"}
    values = {"name": "Pond-7B", "access": "api", "how": "endpoint", "address": served.url, "model": "simulated-1"}
    values |= {"id": str(uuid4()), "parameters_total": 7, "temperature": 0, "needs_key": False}
    assert anybody.post(address, values, **as_json).status_code == 401
    made = mine.post(address, values, **as_json)
    assert made.status_code == 201
    assert made.json()["position"] == 1
    assert mine.post(address, values, **as_json).json()["id"] == made.json()["id"]
    again = mine.post(address, values | {"id": str(uuid4()), "name": "Pond-8B"}, **as_json)
    assert again.status_code == 422
    assert again.json()["problems"][0]["code"] == "month_used"
    assert mine.post(address, [1], **as_json).status_code == 400
    assert mine.post(address, values | {"name": ["x"]}, **as_json).status_code == 400
    [listed] = anybody.get(address).json()["results"]
    assert set(listed) == {
        *("id", "name", "laboratory", "month", "state", "position", "reason", "submitted_at", "ended_at")
    }
    of_lead = lead.get(reverse("api-board-submissions", args=["feasts"])).json()["results"]
    assert of_lead[0]["account"] == "layla@example.org"
    decide = reverse("api-board-submission", args=["feasts", made.json()["id"]])
    assert mine.post(decide, {"act": "accept"}, **as_json).status_code == 404
    assert lead.post(decide, {"act": "refuse", "reason": ""}, **as_json).status_code == 422
    assert lead.post(decide, {"act": "accept", "token_limit": 100_000}, **as_json).json()["state"] == "running"
    back = mine.post(reverse("api-open-board-withdraw", args=["arabic", made.json()["id"]]))
    assert back.json()["state"] == "withdrawn"


def test_programs_ban_read_bans_and_lift_them(waiting, nour, omar, other_project, opened, layla):
    lead, as_json = signed_in(nour), {"content_type": "application/json"}
    decide = reverse("api-board-submission", args=["feasts", waiting.uuid])
    bans = reverse("api-board-bans", args=["feasts"])
    assert lead.get(bans).json()["results"] == []
    assert lead.post(decide, {"act": "ban", "reason": ""}, **as_json).status_code == 422
    assert lead.post(decide, {"act": "ban", "reason": "Many that are one"}, **as_json).status_code == 200
    assert lead.post(decide, {"act": "ban", "reason": "Again"}, **as_json).status_code == 422
    [row] = lead.get(bans).json()["results"]
    assert (row["account"], row["reason"], row["banned_by"], row["lifted_at"]) == (
        *("layla@example.org", "Many that are one", nour.name, None),
    )
    lift = reverse("api-board-ban-lift", args=["feasts", row["id"]])
    for stranger, slug in ((layla, "feasts"), (omar, "feasts"), (omar, "weddings")):
        client = signed_in(stranger)
        assert client.post(reverse("api-board-ban-lift", args=[slug, row["id"]])).status_code == 404
    assert lead.get(lift).status_code == 405
    assert opened.bans.get().lifted_at is None
    assert lead.post(lift).json()["lifted_at"] is not None
    again = lead.post(lift)
    assert (again.status_code, again.json()["problems"][0]["code"]) == (422, "lifted")
    assert AuditEvent.objects.filter(action="submission.ban_lifted", actor=nour).count() == 1
    [row] = lead.get(bans).json()["results"]
    assert row["lifted_at"] is not None, "it stays on record"


def test_the_settings_keep_dollars_as_billionths(nour, opened, feasts):
    lead, page = signed_in(nour), reverse("board-settings", args=["feasts"])
    values = {"title": "Feasts", "slug": "arabic", "is_open": "on", "takes_submissions": "on"}
    if "drift_limit" in lead.get(page).context["form"].fields:
        values["drift_limit"] = "0.5"
    money = {"submission_money": "12.50", "submission_tokens": "1000"}
    assert lead.post(page, values | money).status_code == 302
    opened.refresh_from_db()
    assert (opened.submission_money, opened.submission_tokens) == (12_500_000_000, 1000)
    assert opened.takes_submissions
    assert 'value="12.50"' in lead.get(page).content.decode()
    assert lead.post(page, values | {"submission_money": "-1"}).status_code == 422
    assert lead.post(page, values).status_code == 302
    opened.refresh_from_db()
    assert (opened.submission_money, opened.submission_tokens) == (None, None)


def test_the_standing_that_the_lead_decided_is_left_alone(waiting, nour):
    accept(waiting, nour)
    Configuration.objects.filter(submission=waiting).update(standing=Standing.WITHDRAWN)
    work(waiting)
    assert state_of(waiting) == ("done", "withdrawn")


def test_a_decision_that_is_none_is_told(waiting, nour):
    address = reverse("board-submission", args=["feasts", waiting.uuid])
    answer = signed_in(nour).post(address, {"act": "praise", "reason": "Well done"})
    assert answer.status_code == 422
    assert "Nothing was decided" in answer.content.decode()
    assert state_of(waiting)[0] == "queued"
