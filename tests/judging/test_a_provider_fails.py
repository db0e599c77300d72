"""Whatever a provider does, each call ends in its own state, and nothing of it becomes an answer without errors."""

import logging
import time

import pytest

from annotation.models import Marking, Span
from judging.engine import runs, shards
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Call, CallState, RunState
from projects.models import Response
from providers.client import retrying
from providers.models import Provider

CANARY = "canary-key-7f3a9c"


def run_through(judge, project):
    run = runs.create_run(judge, Response.objects.filter(project=project))
    for shard in runs.start_here(run):
        work_through(shard)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    ("fault", "state", "problem"),
    [
        ("refuse", "refused", "refusal"),
        ("filter", "refused", "content_filter"),
        ("truncate", "truncated", "length"),
        ("cut", "truncated", "cut"),
        ("malformed", "malformed", "wrong_keys"),
        ("prose", "malformed", "prose"),
        ("empty", "malformed", "empty"),
        ("null", "malformed", "null"),
        ("echo", "malformed", "prose"),
        ("toolcall", "malformed", "tool_call"),
        ("errorbody", "failed", "error_body"),
        ("othermodel", "failed", "other_model"),
        ("badrequest", "failed", "http_400"),
    ],
)
def test_each_fault_is_its_own_state(fault, state, problem, project, provider, boishakh):
    judge = add_judge(project, provider, f"simulated-1:{fault}")
    run = run_through(judge, project)

    assert run.state == RunState.DONE
    assert {call.state for call in run.calls.all()} == {state}
    assert all(call.problem.startswith(problem) for call in run.calls.all())
    marking = Marking.objects.get(rater=judge.rater)
    assert not marking.is_complete
    assert not marking.no_errors
    assert not Span.objects.filter(rater=judge.rater).exists()


def test_other_4xx_fail_at_once(project, provider, fake_provider, boishakh):
    run_through(add_judge(project, provider, "simulated-1:badrequest"), project)
    assert fake_provider.counts()["served"] == 2  # two paragraphs, one attempt each
    assert set(Call.objects.values_list("attempts", flat=True)) == {1}


def test_429_waits_as_long_as_it_is_told(project, provider, fake_provider, judge, boishakh):
    Provider.objects.update(concurrency=1)
    fake_provider.tell(faults=["ratelimit"], retry_after=1)
    began = time.monotonic()
    run = run_through(judge, project)
    assert time.monotonic() - began >= 1
    assert runs.counts(run)[CallState.SCORED] == 2
    assert sorted(run.calls.values_list("attempts", flat=True)) == [1, 2]


def test_5xx_is_tried_again_and_then_given_up(project, provider, fake_provider, monkeypatch, boishakh):
    monkeypatch.setattr(retrying, "_jitter", lambda attempt: 0.0)
    run = run_through(add_judge(project, provider, "simulated-1:error"), project)
    assert set(run.calls.values_list("state", "attempts")) == {("failed", retrying.MAX_ATTEMPTS)}
    assert fake_provider.counts()["statuses"] == {"500": 2 * retrying.MAX_ATTEMPTS}


def test_a_call_that_takes_too_long_is_given_up(project, provider, fake_provider, monkeypatch, boishakh):
    monkeypatch.setattr(retrying, "MAX_ATTEMPTS", 1)
    Provider.objects.update(timeout_seconds=1)
    provider.refresh_from_db()
    fake_provider.tell(slow_ms=1500)
    run = run_through(add_judge(project, provider, "simulated-1:slow"), project)
    assert set(run.calls.values_list("state", "problem")) == {("failed", "timeout")}


def test_where_nobody_listens(project, judge, settings, monkeypatch, boishakh):
    monkeypatch.setattr(retrying, "MAX_ATTEMPTS", 1)
    settings.FAKE_PROVIDER_URL = "http://127.0.0.1:9/v1"
    run = run_through(judge, project)
    assert {problem.split(":")[0] for problem in run.calls.values_list("problem", flat=True)} == {"connection"}


def test_part_of_a_response_unanswered_makes_the_marking_incomplete(project, judge, fake_provider, boishakh):
    """One paragraph fails, the other is answered: its spans stand, and the marking says that it is not whole."""
    Provider.objects.update(concurrency=1)
    fake_provider.tell(faults=["badrequest"])
    run = run_through(judge, project)
    assert runs.counts(run)[CallState.FAILED] == 1
    assert runs.counts(run)[CallState.SCORED] == 1
    assert not Marking.objects.get(rater=judge.rater).is_complete

    # asking again what failed makes it whole
    assert runs.retry_failed(run)
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert runs.counts(run)[CallState.SCORED] == 2
    assert Marking.objects.get(rater=judge.rater).is_complete
    assert fake_provider.counts()["served"] == 3


def test_the_key_reaches_the_provider_and_nothing_else(
    project, provider, judge, fake_provider, monkeypatch, caplog, boishakh
):
    Provider.objects.update(key_name="MIZAN_TEST_KEY")
    monkeypatch.setenv("MIZAN_TEST_KEY", CANARY)
    fake_provider.tell(record=True, faults=["badrequest"])
    with caplog.at_level(logging.DEBUG):
        run_through(judge, project)
    assert {asked["headers"]["authorization"] for asked in fake_provider.asked()} == {f"Bearer {CANARY}"}
    assert CANARY not in caplog.text
    for model in (Call, Provider, Marking):
        assert CANARY not in str(list(model.objects.values()))


def test_a_key_from_the_secrets_file(project, judge, fake_provider, settings, tmp_path, boishakh):
    path = tmp_path / "secrets"
    path.write_text(f"# keys\nexport OTHER=1\nMIZAN_TEST_KEY='{CANARY}'\n")
    settings.SECRETS_FILE = str(path)
    Provider.objects.update(key_name="MIZAN_TEST_KEY")
    fake_provider.tell(record=True)
    run_through(judge, project)
    assert fake_provider.asked()[0]["headers"]["authorization"] == f"Bearer {CANARY}"


def test_a_missing_key_ends_the_run_and_is_named(project, judge, fake_provider, boishakh):
    Provider.objects.update(key_name="MIZAN_NOT_SET")
    run = run_through(judge, project)
    assert run.state == RunState.DONE
    assert set(run.calls.values_list("problem", flat=True)) == {"key_missing: MIZAN_NOT_SET"}
    assert fake_provider.counts()["served"] == 0


@pytest.mark.parametrize("verb", [runs.pause, runs.cancel])
def test_who_has_lost_a_shard_fails_no_call_of_it(judge, boishakh, verb):
    """The key is gone; but Nour was quicker, and the calls are no longer this worker's to end."""
    run = runs.create_run(judge, judge.project.responses.all())
    [pk] = runs.start_here(run)
    taken = shards.claim_shard(pk)
    assert taken
    Provider.objects.update(key_name="MIZAN_NOT_SET")
    assert verb(run)
    assert shards.ask_shard(*taken) == 0
    assert not run.calls.filter(state=CallState.FAILED).exists()
