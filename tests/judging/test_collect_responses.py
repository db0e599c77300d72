"""Nour lets target models answer the prompts: each once, in a clean session, the first answer kept word for word."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone
from werkzeug import Response as WerkzeugResponse

from formats.limits import MAX_TEXT
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.sweeping import sweep
from jobs.working import Held
from judging.collecting.beginning import create_collection
from judging.collecting.by_hand import take_as_response
from judging.collecting.calling import Answer as Answered
from judging.collecting.calling import Question, read
from judging.collecting.endpoints import add_endpoint, remove
from judging.collecting.planning import plan
from judging.collecting.questions import setup_of
from judging.engine import runs, shards
from judging.engine.runs import counts, create_run
from judging.engine.storing import store
from judging.models import CollectionCall, Run, RunState, Shard, TargetEndpoint
from projects.anchors import sha256
from projects.models import AuditEvent, Laboratory, Response, TargetModel
from projects.problems import Invalid
from providers.client import retrying
from providers.client.replies import Reply
from providers.laboratories import guard_of
from providers.models import ModelMapping, Provider
from tests.judging.collecting import add_frozen, add_prompt, collect, proverbs, started, states, target, work_off
from tests.people import add_response

__all__ = ["proverbs"]


@pytest.fixture
def endpoint(project, provider, proverbs) -> TargetEndpoint:
    return target(project, provider, "simulated-1")


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)


# --- What is asked, and what is kept --------------------------------------------------------------------


def test_each_prompt_is_one_message_in_a_session_of_its_own(endpoint, proverbs, fake_provider):
    fake_provider.tell(record=True)
    collection = collect(endpoint)
    assert collection.state == RunState.DONE
    sent = [request["body"] for request in fake_provider.asked()]
    assert sorted(body["messages"][0]["content"] for body in sent) == sorted(prompt.text for prompt in proverbs)
    # the prompt and the model's name, and nothing else: no system prompt, no temperature, no earlier turn
    assert all(set(body) == {"model", "messages"} for body in sent)
    assert all(len(body["messages"]) == 1 and body["messages"][0]["role"] == "user" for body in sent)


def test_parameters_that_the_lead_set_are_sent_and_kept(project, provider, proverbs, fake_provider):
    fake_provider.tell(record=True)
    chosen = {"system": "Answer in Egyptian Arabic.", "temperature": 0.0, "max_tokens": 900, "seed": None}
    collect(target(project, provider, "simulated-1", parameters=chosen))
    body = fake_provider.asked()[0]["body"]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 900)
    assert "seed" not in body
    kept = Response.objects.first().metadata["collected"]["parameters"]
    assert kept == {"system": "Answer in Egyptian Arabic.", "temperature": 0.0, "max_tokens": 900}


def test_openai_models_are_asked_by_the_newer_name_of_the_limit(project, proverbs, settings, fake_provider):
    gateway = Provider.objects.create(name="gateway", base_url=fake_provider.url)
    setup = setup_of(add_endpoint(project, gateway, "gpt-5.4", parameters={"max_tokens": 900}))
    assert setup.parameters == {"max_completion_tokens": 900}


def test_only_prompts_with_a_frozen_rubric_are_asked(endpoint, fake_provider):
    assert (plan(endpoint).size, plan(endpoint).unfrozen) == (4, 1)
    collection = collect(endpoint)
    assert collection.unfrozen == 1
    assert fake_provider.counts()["served"] == 4
    assert not Response.objects.filter(prompt__key="unwritten").exists()


def test_the_database_refuses_to_ask_before_the_freeze(endpoint, project):
    unwritten = project.prompts.get(key="unwritten")
    with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=unwritten)


def test_the_database_holds_prompt_model_and_project_together(endpoint, project, other_project, proverbs):
    elsewhere = add_frozen(other_project, "elsewhere", "مثل تاني")
    with pytest.raises(IntegrityError, match="one project"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=elsewhere)
    foreign = add_response(project, "foreign", "Another prompt's answer.", "en-US")
    with pytest.raises(IntegrityError, match="its own prompt"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=proverbs[0], response=foreign, state="collected")
    with pytest.raises(IntegrityError), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=proverbs[0], state="collected")
    CollectionCall.objects.create(endpoint=endpoint, prompt=proverbs[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=proverbs[0])


TEXTS = {
    "spaces": "  \t two spaces before, two after  ",
    "lines": "\n\nfirst\r\nsecond\rthird\u2028fourth\n\n",
    "bidi": "\u202bعربي \u2067mixed\u2069 \u200f.\u202c",
    "marks": "e\u0301 é \ufeff\u200dक\u094d\u0937 👩🏽\u200d🚀",
    "thinking": "<think>private</think>\n\nanswer",
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_answer_is_stored_exactly_as_it_came(name, project, provider, proverbs):
    """The simulated model repeats the prompt: what stands in the database is it, to the last character."""
    prompt = add_frozen(project, name, TEXTS[name])
    collect(target(project, provider, "simulated-1:echo"))
    response = Response.objects.get(prompt=prompt)
    assert response.text == TEXTS[name]
    assert response.text_sha256 == sha256(TEXTS[name])


def test_a_response_says_how_it_was_come_by(endpoint, proverbs, fake_provider):
    fake_provider.tell(latency_ms=100)
    before = timezone.now()
    collect(endpoint)
    response = Response.objects.get(prompt=proverbs[0])
    told = response.metadata["collected"]
    assert (told["provider"], told["model"], told["reply_model"]) == ("simulated", "simulated-1", "simulated-1")
    assert (told["by_hand"], told["simulated"], told["parameters"], told["attempts"]) == (False, True, {}, 1)
    assert told["words"] == len(response.text.split())
    assert told["latency_ms"] >= 100
    assert told["words_per_second"] == pytest.approx(1000 * told["words"] / told["latency_ms"], abs=0.001)
    # the rubric was frozen before the prompt was asked, and the export can show it
    rubric = proverbs[0].rubrics.get()
    assert told["rubric"]["sha256"] == rubric.sha256
    assert told["rubric"]["frozen_at"] < before.isoformat() < told["started_at"] < told["at"]
    assert response.key == "proverb-1-simulated-1"
    assert "Simulated" in response.text


def test_the_same_prompt_is_answered_the_same_by_the_simulated_model(project, provider, proverbs):
    first = collect(target(project, provider, "simulated-1")).collection_calls.get(prompt=proverbs[0]).response
    second = collect(target(project, provider, "simulated-2")).collection_calls.get(prompt=proverbs[0]).response
    assert first.text == second.text != collect_other(first, proverbs)


def collect_other(first: Response, proverbs) -> str:
    return Response.objects.get(prompt=proverbs[1], target_model=first.target_model).text


def test_a_key_that_is_taken_gets_an_ending(endpoint, proverbs, project):
    add_response(project, "proverb-1-simulated-1", "Came in a file under this key.", "ar-EG")
    collect(endpoint)
    keys = Response.objects.filter(prompt=proverbs[0]).values_list("key", flat=True)
    assert [key[:22] for key in keys] == ["proverb-1-simulated-1-"]


# --- What is no response --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "state", "problem"),
    [
        ("refuse", "refused", "declined"),
        ("filter", "refused", "content_filter"),
        ("truncate", "truncated", "length"),
        ("empty", "empty", "empty"),
        ("toolcall", "unusable", "tool_asked"),
        ("othermodel", "unusable", "other_model: gpt-4o-mini"),
    ],
)
def test_what_is_no_response_is_a_state_and_never_asked_again(
    fault, state, problem, project, provider, proverbs, fake_provider
):
    endpoint = target(project, provider, f"simulated-1:{fault}")
    collection = collect(endpoint)
    assert states(endpoint) == {(state, problem)}
    assert not Response.objects.exists()
    assert fake_provider.counts()["served"] == 4
    # neither a new collection, nor the button for what failed, nor the database asks a second time
    assert plan(endpoint).asked == {state: 4}
    with pytest.raises(Invalid, match="nothing to ask"):
        create_collection(endpoint)
    assert not runs.retry_failed(collection)
    with pytest.raises(IntegrityError, match="not asked again"), transaction.atomic():
        CollectionCall.objects.update(state="planned")
    assert fake_provider.counts()["served"] == 4


def test_an_error_in_place_of_an_answer_may_be_asked_again(project, provider, proverbs, fake_provider):
    endpoint = target(project, provider, "simulated-1")
    fake_provider.tell(faults=["errorbody"] * 4)
    collection = collect(endpoint)
    assert states(endpoint) == {("failed", "error_body")}
    assert runs.retry_failed(collection)
    work_off(collection)
    assert states(endpoint) == {("collected", "")}


def test_too_many_requests_and_broken_servers_are_tried_again(endpoint, fake_provider, impatient):
    """429 with Retry-After and 500 come before any content: the one retry policy handles them."""
    fake_provider.tell(faults=["ratelimit", "error", "error"], retry_after=0.2)
    collect(endpoint)
    assert states(endpoint) == {("collected", "")}
    assert fake_provider.counts()["statuses"] == {"200": 4, "429": 1, "500": 2}
    assert sum(CollectionCall.objects.values_list("attempts", flat=True)) == 7


def test_a_slow_model_is_given_up_after_the_providers_time(project, provider, proverbs, fake_provider, monkeypatch):
    monkeypatch.setattr(retrying, "MAX_ATTEMPTS", 1)
    Provider.objects.update(timeout_seconds=1)
    provider.refresh_from_db()
    fake_provider.tell(slow_ms=1600)
    endpoint = target(project, provider, "simulated-1:slow")
    collect(endpoint)
    assert states(endpoint) == {("failed", "timeout")}


def test_an_answer_that_no_database_can_hold_is_not_mended(project, proverbs, httpserver):
    """A null character, half a surrogate pair: storing either would mean changing what was said."""

    def answer(request) -> WerkzeugResponse:
        text = "before\0after" if "1" in json.loads(request.data)["messages"][0]["content"] else "half \ud83d"
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return WerkzeugResponse(
            json.dumps({"model": "gpt-4o", "choices": [choice]}), 200, content_type="application/json"
        )

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    provider = Provider.objects.create(name="odd", base_url=httpserver.url_for("/v1"))
    endpoint = target(project, provider, "gpt-4o")
    collect(endpoint)
    found = {(state, problem.split(":")[0]) for state, problem in states(endpoint)}
    # orjson refuses the lone half before we see it; the null character arrives and is refused by us
    assert found <= {("unusable", "unstorable_characters"), ("failed", "body_not_json")}
    assert ("unusable", "unstorable_characters") in found
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    ("how", "length", "state"),
    [
        ({}, MAX_TEXT, "collected"),
        ({}, MAX_TEXT + 1, "unusable"),
        ({"finish_reason": "content_filter"}, MAX_TEXT + 1, "unusable"),
        ({"finish_reason": "length"}, 2 * MAX_TEXT, "truncated"),
        ({"finish_reason": "length"}, 2 * MAX_TEXT + 1, "unusable"),
    ],
)
def test_a_response_is_no_longer_than_one_that_comes_in_by_a_file(how, length, state, endpoint):
    """Its project would leave and not come in again. What was cut off is kept, and is no response."""
    reply = Reply(**{"text": "ا" * length, "model": endpoint.model, "finish_reason": "stop", **how})
    found = read(reply, guard_of(endpoint.model, endpoint.provider))
    assert found == (state, {"unusable": "too_long", "truncated": "length"}.get(state, ""))


def test_a_cut_answer_longer_than_a_response_is_not_taken_as_one(project, provider, proverbs, nour, fake_provider):
    endpoint = target(project, provider, "simulated-1:truncate")
    collect(endpoint)
    call = endpoint.calls.get(prompt=proverbs[0])
    endpoint.calls.filter(pk=call.pk).update(raw_output="ا" * (MAX_TEXT + 1))
    with pytest.raises(Invalid, match="at most 200000 characters"):
        take_as_response(call, nour)
    assert not Response.objects.exists()


def test_nour_takes_a_refusal_as_the_response_it_is(project, provider, proverbs, nour, fake_provider):
    endpoint = target(project, provider, "simulated-1:refuse")
    collect(endpoint)
    call = endpoint.calls.get(prompt=proverbs[0])
    response = take_as_response(call, nour)
    assert response.text == "I'm sorry, but I can't help with that request. (simulated)"
    assert AuditEvent.objects.get(action="response.taken").detail["was"] == "refused"
    with pytest.raises(Invalid, match="no answer here"):
        take_as_response(call, nour)
    assert fake_provider.counts()["served"] == 4


def test_a_missing_key_is_said_and_can_be_mended(project, proverbs, fake_provider, monkeypatch):
    gateway = Provider.objects.create(name="gateway", base_url=fake_provider.url, key_name="GATEWAY_KEY")
    endpoint = target(project, gateway, "gpt-4o")
    collection = collect(endpoint)
    assert states(endpoint) == {("failed", "key_missing: GATEWAY_KEY")}
    monkeypatch.setenv("GATEWAY_KEY", "sk-1")
    assert runs.retry_failed(collection)
    work_off(collection)
    assert states(endpoint) == {("collected", "")}


# --- Cancel, resume, lost workers ------------------------------------------------------------------------


@pytest.fixture
def many(project, proverbs):
    return proverbs + [add_frozen(project, f"more-{n}", f"السؤال رقم {n}") for n in range(20)]


@pytest.fixture
def halfway(endpoint, many, nour, fake_provider, monkeypatch) -> Run:
    """A collection that was cancelled while it was at work, two prompts at once."""
    Provider.objects.update(concurrency=2)
    endpoint.provider.refresh_from_db()
    # When four of 24 are stored, there are seconds to cancel on a busy machine.
    fake_provider.tell(latency_ms=400)
    monkeypatch.setattr("judging.engine.shards.BATCH", 4)
    monkeypatch.setattr("judging.engine.shards.BATCH_SECONDS", 30)
    collection = started(endpoint, by=nour)

    def cancel(_stored: int) -> None:
        runs.cancel(collection, by=nour)

    work_off(collection, on_batch=cancel)
    fake_provider.tell(latency_ms=0)
    return collection


def test_cancelling_keeps_what_was_answered_and_resuming_asks_the_rest(halfway, fake_provider):
    found = counts(halfway)
    assert halfway.state == RunState.CANCELLED
    assert found["planned"] == 0
    assert 4 <= found["collected"] < 24
    assert found["collected"] == fake_provider.counts()["served"]
    assert runs.resume(halfway)
    work_off(halfway)
    halfway.refresh_from_db()
    assert halfway.state == RunState.DONE
    assert counts(halfway)["collected"] == 24 == fake_provider.counts()["served"]


def test_a_new_collection_takes_up_what_a_cancelled_one_left(halfway, endpoint, fake_provider):
    left = counts(halfway)["cancelled"]
    assert len(plan(endpoint).taken_up) == left
    assert counts(collect(endpoint))["collected"] == left
    assert fake_provider.counts()["served"] == 24


def held_by_a_worker(run: Run) -> tuple[Shard, Held]:
    taken = shards.claim_shard(run.shards.get().pk)
    assert taken is not None
    return taken


def test_nothing_in_flight_is_asked_a_second_time(endpoint):
    """Cancelled and resumed at once: the first worker still waits for an answer and has not let go."""
    collection = started(endpoint)
    shard, held = held_by_a_worker(collection)
    assert runs.cancel(collection)
    assert plan(endpoint).size == 0
    assert runs.resume(collection)
    assert shards.claim_shard(shard.pk) is None
    shards.release_shard(held, shard)
    assert held_by_a_worker(collection)


def test_a_worker_that_died_after_the_run_was_paused_is_waited_for_no_longer_than_its_calls_last(endpoint):
    collection = started(endpoint)
    shard, _held = held_by_a_worker(collection)
    assert runs.pause(collection)
    assert runs.resume(collection)
    assert shards.claim_shard(shard.pk) is None
    waits = Job.objects.get(shard=shard).due_at - timezone.now()
    assert timedelta(seconds=5) < waits < timedelta(seconds=30)
    Job.objects.update(due_at=timezone.now())
    assert held_by_a_worker(collection)


def test_what_was_pasted_meanwhile_is_not_asked_for(halfway, project):
    call = halfway.collection_calls.filter(state="cancelled").first()
    Response.objects.create(
        project=project,
        prompt=call.prompt,
        target_model=halfway.endpoint.target_model,
        variety=call.prompt.variety,
        key="by-file",
        text="From a file.",
        text_sha256=sha256("From a file."),
    )
    assert runs.resume(halfway)
    work_off(halfway)
    assert call.prompt.responses.get().key == "by-file"


def test_an_answer_that_comes_late_and_twice_is_stored_once(endpoint):
    collection = started(endpoint)
    shard, held = held_by_a_worker(collection)
    call = collection.collection_calls.first()
    guard = guard_of(endpoint.model, endpoint.provider)

    def answered(text: str) -> Answered:
        now = timezone.now()
        reply = Reply(text=text, model="simulated-1", latency_ms=5)
        return Answered(Question(call.pk, call.prompt.text), guard, reply, now, now)

    assert store(shard, held.claim, [answered("first")])
    assert not store(shard, "another claim", [answered("second")])
    assert call.prompt.responses.get().text == "first"


def test_a_silent_worker_is_replaced_and_the_prompts_are_given_up_in_the_end(endpoint):
    collection = started(endpoint)
    for _worker in range(JobKind.most_attempts):
        shard, _held = held_by_a_worker(collection)
        assert shards.claim_shard(shard.pk) is None
        assert sweep() == 0  # its heart still beats
        Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=61))
        assert sweep() == 1
    collection.refresh_from_db()
    assert collection.state == RunState.DONE
    assert states(endpoint) == {("failed", "worker_lost")}
    assert runs.retry_failed(collection)


def test_a_worker_that_breaks_gives_its_shard_back(endpoint, monkeypatch):
    collection = started(endpoint)
    monkeypatch.setattr("judging.engine.shards.batches", lambda results: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        work_off(collection)
    monkeypatch.undo()
    assert work_off(collection).state == RunState.DONE
    assert states(endpoint) == {("collected", "")}


def test_the_worker_collects_what_was_started(endpoint, nour, eager, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        collection = create_collection(endpoint, by=nour)
        assert runs.start(collection, by=nour)
    assert not runs.start(collection)
    collection.refresh_from_db()
    assert collection.state == RunState.DONE
    assert Response.objects.count() == 4
    done = set(AuditEvent.objects.filter(actor=nour).values_list("action", flat=True))
    assert done == {"run.created", "run.started"}


# --- Which models ----------------------------------------------------------------------------------------


def test_an_unknown_laboratory_is_refused_until_it_is_mapped(project, proverbs):
    gateway = Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(Invalid, match="map_model our-own LABORATORY"):
        add_endpoint(project, gateway, "our-own")
    assert not TargetModel.objects.filter(name="our-own").exists()
    ModelMapping.objects.create(
        pattern="our-own", laboratory=Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    )
    assert add_endpoint(project, gateway, "our-own").target_model.laboratory.slug == "delta-lab"


def test_a_name_that_another_laboratorys_model_has_is_refused(project, provider, proverbs):
    TargetModel.objects.create(
        name="simulated-1", laboratory=Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    )
    with pytest.raises(Invalid, match="another laboratory"):
        add_endpoint(project, provider, "simulated-1")
    assert add_endpoint(project, provider, "simulated-1", name="Stand-in").target_model.name == "Stand-in"
    with pytest.raises(Invalid, match="already"):
        add_endpoint(project, provider, "simulated-1", name="Stand-in")
    with pytest.raises(Invalid, match="stream"):
        add_endpoint(project, provider, "simulated-2", parameters={"stream": True})


def test_a_model_leaves_as_long_as_nothing_was_asked(endpoint):
    other = target(endpoint.project, endpoint.provider, "simulated-2")
    assert remove(other)
    collect(endpoint)
    assert not remove(endpoint)


# --- The command line ------------------------------------------------------------------------------------


def run(*arguments) -> str:
    out = StringIO()
    call_command("collect_responses", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_plans_and_collects(endpoint, provider, fake_provider):
    target(endpoint.project, provider, "simulated-2")
    shown = run("feasts", "--plan")
    assert shown.count("Prompts to ask:          4") == 2
    assert "Without frozen rubric:   1" in shown
    assert fake_provider.counts()["served"] == 0
    assert "simulated-1: Done: 4 collected" in run("feasts", "--model", "simulated-1", "--here")
    assert fake_provider.counts()["served"] == 4
    shown = run("feasts", "--here")
    assert "simulated-1: There is nothing to ask: 4 prompts have a response" in shown
    assert "simulated-2: Done: 4 collected" in shown
    with pytest.raises(CommandError, match="nothing to ask"):
        run("feasts", "--model", "simulated-1", "--here")
    with pytest.raises(CommandError, match="Its target models: “simulated-1”, “simulated-2”"):
        run("feasts", "--model", "nobody")


def test_a_prompt_that_is_frozen_later_is_collected_later(endpoint, project, fake_provider):
    collect(endpoint)
    add_prompt(project, "late-draft", "لسه")
    add_frozen(project, "late", "متأخر")
    assert plan(endpoint).size == 1
    collect(endpoint)
    assert fake_provider.counts()["served"] == 5


def test_a_run_asks_a_judge_or_a_target_model_and_never_both(project, endpoint, judge):
    add_response(project, "judged", "A response that a judge was asked about.", "en-US")
    run = create_run(judge, project.responses.all())
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(endpoint=endpoint)
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(judge=None, prompt_version=None)
