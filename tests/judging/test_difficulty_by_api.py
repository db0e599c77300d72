"""An author tries a prompt on the project's model: it is asked once, the answer is seen once and kept nowhere."""

import concurrent.futures
import json
import logging
import socket
import threading
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone
from werkzeug import Response

from judging.collecting import difficulty
from judging.models import DifficultyModel
from projects import throttling
from projects.anchors import sha256
from providers.client import retrying
from providers.models import Provider
from rubrics.authoring.difficulty import asker_for
from rubrics.models import DifficultyCheck
from tests.data_folder import content_of
from tests.people import join, person, signed_in
from tests.rubrics.writing import authoring_stage, begun_by, task_of
from workflow.models import Assignment

PROMPT = "يعني إيه المثل ده؟"
CANARY = "canary-9d1f answer that nobody keeps"


@pytest.fixture(autouse=True)
def no_tries_yet():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def layla(project):
    return join(person("layla@example.org", "Layla Fathy"), project, "author", varieties=("ar-EG",))


@pytest.fixture
def writing(project, layla) -> Assignment:
    """A rubric that Layla has begun."""
    return begun_by(layla, authoring_stage(project))


@pytest.fixture
def named(project, provider) -> DifficultyModel:
    return DifficultyModel.objects.create(project=project, provider=provider, model="simulated-1")


def ask(client: Client, assignment: Assignment, prompt: object = PROMPT, **environment):
    address = f"/tasks/{assignment.uuid}/difficulty/ask"
    return client.post(address, {"prompt": prompt}, content_type="application/json", **environment)


def code(answer) -> str:
    return answer.json()["error"]["code"]


def test_the_prompt_goes_out_by_itself_and_the_answer_is_shown(layla, writing, named, fake_provider):
    fake_provider.tell(record=True, latency_ms=120)
    answer = ask(signed_in(layla), writing)
    assert answer.status_code == 200
    told = answer.json()
    assert told["answer"].startswith("Simulated answer")
    assert told["seconds"] >= 0.1
    (sent,) = fake_provider.asked()
    assert sent["body"] == {"model": "simulated-1", "messages": [{"role": "user", "content": PROMPT}]}
    check = DifficultyCheck.objects.get(pk=told["check"])
    assert (check.assignment, check.model, check.by_hand, check.outcome) == (writing, "simulated-1", False, "")
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"


def test_the_screen_is_told_which_model_and_where(layla, writing, named, project):
    assert asker_for(writing) == {"model": "simulated-1", "url": f"/tasks/{writing.uuid}/difficulty/ask"}
    assert task_of(signed_in(layla), writing)["asker"]["model"] == "simulated-1"
    DifficultyModel.objects.all().delete()
    assert asker_for(writing) is None


# --- Kept nowhere ----------------------------------------------------------------------------------------


def answering(text: str, **message):
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": "stop"}
    body = {"model": "gpt-4o", "choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 7}}
    return lambda request: Response(json.dumps(body), 200, content_type="application/json")


@pytest.fixture
def gateway(project, httpserver) -> Provider:
    provider = Provider.objects.create(name="gateway", base_url=httpserver.url_for("/v1"))
    DifficultyModel.objects.create(project=project, provider=provider, model="gpt-4o")
    return provider


def places_that_outlast_a_request() -> dict[str, str]:
    """Every table, the cache's files and every other file of the data folder."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found[table] = str(cursor.fetchall())
    for path in Path(settings.DATA_DIR).rglob("*"):
        if path.is_file():
            found[str(path)] = content_of(path).decode("utf-8", "replace")
    if settings.REDIS_URL:
        import redis

        client = redis.Redis.from_url(settings.REDIS_URL)
        for key in client.scan_iter():
            found[str(key)] = str(client.dump(key))
    return found


@pytest.mark.parametrize("ending", ["answered", "error body", "broken server"])
def test_the_answer_stands_nowhere(ending, layla, writing, gateway, httpserver, caplog, monkeypatch):
    """A canary in the answer, however it comes: no row, no file, no cache entry and no log line has it."""
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)
    monkeypatch.setattr(retrying, "MAX_ATTEMPTS", 2)
    caplog.set_level(logging.DEBUG)
    handlers = {
        "answered": answering(CANARY),
        "error body": lambda request: Response(json.dumps({"error": {"message": CANARY}}), 200),
        "broken server": lambda request: Response(json.dumps({"error": {"message": CANARY}}), 500),
    }
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(handlers[ending])
    answer = ask(signed_in(layla), writing)
    assert (CANARY in answer.content.decode()) == (ending == "answered")
    assert len(httpserver.log) >= 1
    searched = places_that_outlast_a_request()
    for place, content in searched.items():
        assert CANARY not in content, place
    # The search looks where things are kept: the check is found there, and the tries in the cache.
    assert (sha256(PROMPT) in searched["rubrics_difficultycheck"]) == (ending == "answered")
    assert throttling.counted("waiting for a model", f"difficulty:{layla.pk}") == 1
    assert CANARY not in caplog.text
    assert not any(CANARY in str(record.__dict__) for record in caplog.records)
    assert CANARY not in repr(difficulty.Told(1, CANARY, 0.1))


# --- Once ------------------------------------------------------------------------------------------------


def test_one_text_is_asked_once(layla, writing, named, fake_provider):
    client = signed_in(layla)
    assert ask(client, writing).status_code == 200
    again = ask(client, writing)
    assert again.status_code == 422
    assert again.json()["error"]["problems"][0]["code"] == "tried_already"
    assert fake_provider.counts()["served"] == 1
    assert ask(client, writing, PROMPT + " بالعامية").status_code == 200
    assert fake_provider.counts()["served"] == 2


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_ask_once(layla, writing, named, fake_provider):
    """A double click: of both one is answered, the other is told so while the first still waits."""
    fake_provider.tell(latency_ms=600)
    together = threading.Barrier(2)

    def click() -> int:
        client = signed_in(layla)
        together.wait()
        try:
            return ask(client, writing).status_code
        finally:
            connection.close()

    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        found = sorted(future.result() for future in [threads.submit(click) for _click in range(2)])
    assert found == [200, 422]
    assert fake_provider.counts()["served"] == 1


# --- No answer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["badrequest", "errorbody", "empty", "filter"])
def test_where_the_provider_fails_the_text_may_be_tried_again(fault, layla, writing, named, fake_provider):
    client = signed_in(layla)
    fake_provider.tell(faults=[fault])
    failed = ask(client, writing)
    assert (failed.status_code, code(failed)) == (409, "no_answer")
    assert "can be tried again" in failed.json()["error"]["message"]
    assert not DifficultyCheck.objects.exists()
    assert ask(client, writing).status_code == 200


def test_a_refusal_in_words_is_an_answer(layla, writing, named, fake_provider):
    fake_provider.tell(faults=["refuse"])
    assert "can't help" in ask(signed_in(layla), writing).json()["answer"]


def test_a_model_is_not_waited_for_beyond_the_providers_time(layla, writing, named, fake_provider):
    """The bound holds for all attempts together, and their waits."""
    Provider.objects.update(timeout_seconds=1)
    fake_provider.tell(faults=["ratelimit"] * 20, retry_after=60)
    began = time.monotonic()
    failed = ask(signed_in(layla), writing)
    assert code(failed) == "no_answer"
    assert "No answer came in time" in failed.json()["error"]["message"]
    assert time.monotonic() - began < 30  # and not the minute of the first wait
    assert not DifficultyCheck.objects.exists()


def test_who_breaks_off_has_tried_nothing(layla, writing, named, fake_provider):
    """The browser closes the connection while the model thinks: the call is given up, the check taken back."""
    fake_provider.tell(latency_ms=60_000)
    ours, theirs = socket.socketpair()
    threading.Timer(0.5, theirs.close).start()
    began = time.monotonic()
    failed = ask(signed_in(layla), writing, **{"gunicorn.socket": ours})
    ours.close()
    assert code(failed) == "gone"
    assert time.monotonic() - began < 30  # and not the minute of the answer
    assert not DifficultyCheck.objects.exists()
    fake_provider.tell(latency_ms=0)
    assert ask(signed_in(layla), writing).status_code == 200


def test_who_waits_is_not_taken_for_gone(layla, writing, named, fake_provider):
    fake_provider.tell(latency_ms=500)
    ours, theirs = socket.socketpair()
    theirs.send(b"the next request of the same connection")
    assert ask(signed_in(layla), writing, **{"gunicorn.socket": ours}).status_code == 200
    ours.close()
    theirs.close()


def test_a_missing_key_is_said(layla, writing, gateway):
    Provider.objects.update(key_name="GATEWAY_KEY")
    failed = ask(signed_in(layla), writing)
    assert (failed.status_code, code(failed)) == (409, "key_missing")
    assert not DifficultyCheck.objects.exists()


# --- Not too much ----------------------------------------------------------------------------------------


def test_an_author_tries_ten_prompts_in_five_minutes(layla, project, writing, named, fake_provider):
    client = signed_in(layla)
    for number in range(difficulty.MAX_TRIES):
        assert ask(client, writing, f"{PROMPT} {number}").status_code == 200
    refused = ask(client, writing, "one more")
    assert (refused.status_code, code(refused)) == (429, "busy")
    assert 1 <= int(refused["Retry-After"]) <= difficulty.WINDOW_SECONDS + 1
    assert fake_provider.counts()["served"] == difficulty.MAX_TRIES
    # the limit is a person's, not the project's
    sami = join(person("sami@example.org", "Sami Nabil"), project, "author", varieties=("ar-EG",))
    assert ask(signed_in(sami), begun_by(sami, writing.stage)).status_code == 200


def test_few_threads_wait_for_models_at_once(layla, writing, named, fake_provider):
    """The others of the web process go on serving pages."""
    with difficulty.waiting_slot(), difficulty.waiting_slot(), difficulty.waiting_slot():
        refused = ask(signed_in(layla), writing)
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    assert not DifficultyCheck.objects.exists()
    assert ask(signed_in(layla), writing).status_code == 200


# --- Who may ---------------------------------------------------------------------------------------------


def test_without_a_named_model_nothing_is_asked(layla, writing):
    refused = ask(signed_in(layla), writing)
    assert refused.json()["error"]["problems"][0]["code"] == "no_model"


@pytest.mark.parametrize("prompt", ["", "   ", 5, None, "x" * 100_001])
def test_what_is_no_prompt_is_refused(prompt, layla, writing, named, fake_provider):
    assert ask(signed_in(layla), writing, prompt).status_code == 422
    assert fake_provider.counts()["served"] == 0


def test_nobody_else_asks_for_her(layla, writing, named, nour, mona, omar, fake_provider):
    for other in (nour, mona, omar):
        assert ask(signed_in(other), writing).status_code == 404
    assert ask(Client(), writing).status_code == 401
    assert signed_in(layla).get(f"/tasks/{writing.uuid}/difficulty/ask").status_code == 405
    assert fake_provider.counts()["served"] == 0


def test_the_address_is_guarded_against_other_sites(layla, writing, named, fake_provider):
    client = Client(enforce_csrf_checks=True)
    client.force_login(layla)
    assert ask(client, writing).status_code == 403
    assert fake_provider.counts()["served"] == 0


def test_a_frozen_rubric_is_not_tried_any_more(layla, writing, named, fake_provider):
    Assignment.objects.filter(pk=writing.pk).update(status="submitted", submitted_at=timezone.now())
    assert ask(signed_in(layla), writing).status_code == 404
