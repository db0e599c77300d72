"""Nour collects answers to a frozen set: whatever a model says, or does not say, is an answer of its configuration."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmark import answering
from benchmark.models import Answer, Configuration, ModelCard, RuleScore, Ruling
from benchmark.scoring_jobs import SCORING, begin_scoring
from jobs.models import Job, JobState
from judging.collecting.calling import Answer as Came
from judging.collecting.calling import Question
from judging.collecting.planning import plan
from judging.collecting.storing import readable_key, write
from judging.models import CollectionCall, TargetEndpoint
from projects.models import Response
from providers.client.bodies import Call, read_body
from providers.client.replies import Reply
from providers.laboratories import guard_of
from tests.benchmark.answered import frozen_set
from tests.benchmark.sets import question_line, set_of
from tests.judging.collecting import collect, started, target
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process, provider
from tests.people import add_response

__all__ = ["every_provider_is_up", "fake_provider", "fake_provider_process", "provider"]

pytestmark = pytest.mark.django_db

KEYS = ("said", "thought", "declined", "filtered", "cut", "silent", "failed")


@pytest.fixture
def endpoint(project, provider) -> TargetEndpoint:
    return target(project, provider, "simulated-1")


@pytest.fixture
def row(project, endpoint) -> Configuration:
    model = endpoint.target_model
    card = ModelCard.objects.create(
        project=project, slug="simulated", name="Simulated", laboratory=model.laboratory, access="api"
    )
    return Configuration.objects.create(
        project=project, card=card, target_model=model, slug="simulated", name="Simulated"
    )


REPLIES = {
    "said": Reply(text="أ", finish_reason="stop"),
    "thought": Reply(text="ب", reasoning="أ أم ب؟", finish_reason="stop"),
    "declined": Reply(refusal="لا أستطيع الإجابة عن هذا السؤال."),
    "filtered": Reply(finish_reason="content_filter"),
    "cut": Reply(text="الجواب الصحيح هو", finish_reason="length"),
    "silent": Reply(text=" ", finish_reason="stop"),
    "failed": Reply(failure="timeout"),
}


def come(endpoint: TargetEndpoint) -> dict[str, Answer]:
    """Every reply comes in, one of each kind."""
    run = started(endpoint)
    calls = CollectionCall.objects.filter(run=run).select_related("prompt")
    assert endpoint.provider is not None
    guard, now = guard_of("simulated-1", endpoint.provider), timezone.now()
    replies = [
        Came(
            Question(call.pk, call.prompt.text),
            guard,
            replace(REPLIES[call.prompt.key.split("/")[1]], model="simulated-1", latency_ms=5),
            now,
            now,
        ).read()
        for call in calls
    ]
    write(replies)
    write(replies)  # sent a second time, they change nothing
    return {answer.prompt.key.split("/")[1]: answer for answer in Answer.objects.select_related("prompt", "response")}


def test_what_came_is_an_answer_in_the_transaction_that_ends_the_call(project, endpoint, row):
    frozen_set(project, *(question_line(key) for key in KEYS))
    answers = come(endpoint)
    assert set(answers) == set(KEYS) - {"failed"}
    assert {key: (each.is_cut, each.is_refusal, each.content) for key, each in answers.items()} == {
        "said": (False, False, "أ"),
        "thought": (False, False, "ب"),
        "declined": (False, True, "لا أستطيع الإجابة عن هذا السؤال."),
        "filtered": (False, True, ""),
        "cut": (True, False, "الجواب الصحيح هو"),
        "silent": (False, False, " "),
    }
    assert answers["thought"].reasoning == "أ أم ب؟"
    judged = {key for key, each in answers.items() if each.response_id}
    assert judged == {"said", "thought", "declined"}
    assert answers["declined"].response.metadata["collected"]["model"] == "simulated-1"
    # Nothing is asked again: three have a response, and of what failed alone no answer came.
    assert (plan(endpoint).size, plan(endpoint).answered) == (0, 3)


def test_answers_that_came_before_the_configuration_are_received_when_they_are_scored(project, endpoint, request):
    own = frozen_set(project, *(question_line(key) for key in KEYS))
    assert come(endpoint) == {}
    request.getfixturevalue("row")
    begin_scoring(own, is_waited_for=True)
    # With them the refusal in words, which became a response now.
    assert (Answer.objects.count(), Ruling.objects.count()) == (6, 6)
    assert Response.objects.filter(answer__isnull=False).count() == 3


def test_a_model_is_asked_what_is_frozen_and_its_answers_are_scored(project, endpoint, row, eager_worker):
    set_of(project, question_line("draft"), id="later", canary="6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a12")
    own = frozen_set(project, question_line(), question_line("second"))
    collect(endpoint)
    assert set(Answer.objects.values_list("prompt__key", flat=True)) == {"own/capital", "own/second"}
    job = Job.objects.get(kind=SCORING)
    assert job.options["question_set"] == own.pk
    assert job.state == JobState.QUEUED
    eager_worker(job)
    assert (Ruling.objects.count(), job.result["answers"], job.result["rulings"]) == (2, 2, 2)
    assert not RuleScore.objects.filter(rater__isnull=False).exists()


def said(calls: Sequence[CollectionCall], endpoint: TargetEndpoint) -> list[Came]:
    """Every call is answered in one word."""
    assert endpoint.provider is not None
    guard, now = guard_of("simulated-1", endpoint.provider), timezone.now()
    reply = Reply(text="أ", finish_reason="stop", model="simulated-1", latency_ms=5)
    return [Came(Question(call.pk, "?"), guard, reply, now, now).read() for call in calls]


def test_sixty_answers_take_as_many_statements_as_six(project, endpoint, row):
    frozen_set(project, *(question_line(f"q{n}") for n in range(66)))
    calls = list(CollectionCall.objects.filter(run=started(endpoint)).order_by("pk"))
    sent = []
    for some in (calls[:6], calls[6:]):
        with CaptureQueriesContext(connection) as found:
            write(said(some, endpoint))
        sent.append(len(found))
    assert sent[1] == sent[0] <= 20
    assert Answer.objects.exclude(response=None).count() == 66
    # What the prepared statements wrote is what the model reads.
    call = CollectionCall.objects.select_related("response").get(pk=calls[-1].pk)
    assert (call.state, call.response.text, call.attempts, call.latency_ms, call.words) == ("collected", "أ", 1, 5, 1)
    assert call.ended_at is not None


def test_a_key_that_is_taken_meanwhile_costs_no_answer(project, endpoint, row, monkeypatch):
    frozen_set(project, question_line("one"), question_line("two"))
    calls = list(CollectionCall.objects.filter(run=started(endpoint)).select_related("prompt"))
    foreign = add_response(project, readable_key(calls[0].prompt, endpoint.target_model), "Imported.", "ar-EG")
    monkeypatch.setattr("judging.collecting.storing.keys_in_use", lambda project, keys: set())
    write(said(calls, endpoint))
    keys = Response.objects.filter(collection_call__in=calls).values_list("key", flat=True)
    assert len(keys) == Answer.objects.count() == 2
    assert foreign.key not in keys


def test_an_answer_that_somebody_receives_at_the_same_moment_is_received_once(project, endpoint, row, monkeypatch):
    frozen_set(project, question_line("one"), question_line("two"))
    calls = list(CollectionCall.objects.filter(run=started(endpoint)).select_related("prompt"))
    together = answering.receive_many

    def second(answers):
        answering.receive(row, calls[0].prompt, "Somebody else's.")
        return together(answers)

    monkeypatch.setattr(answering, "receive_many", second)
    write(said(calls, endpoint))
    assert Answer.objects.count() == CollectionCall.objects.filter(state="collected").count() == 2


@pytest.fixture
def eager_worker():
    from jobs.working import work_on

    def do(job: Job) -> None:
        assert work_on(job.pk)
        job.refresh_from_db()

    return do


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thinking_that_is_sent_apart_is_read(field):
    body = b'{"model": "m", "choices": [{"message": {"content": "C", "%s": "A or C?"}}]}' % field.encode()
    reply = read_body(body, 5, Call(b"", {}, 0))
    assert (reply.text, reply.reasoning) == ("C", "A or C?")
