"""What was asked before is not asked again: its reply is read anew, by the call that would have asked."""

import pytest

from annotation.models import Marking
from judging.engine import runs
from judging.engine.calling import MAX_RAW, key_of
from judging.engine.choice import Choice
from judging.engine.run_sets import plan_set, retry_failed_set
from judging.engine.summaries import set_progress
from judging.judges import add_judge
from judging.models import Call, CallState
from tests.judging.budgeting import a_set, priced, work_off


@pytest.fixture
def judge(project, provider, feasts):
    return priced(add_judge(project, provider, "simulated-1"))


@pytest.fixture
def twin(judge, provider):
    """Another judge that would be asked the very same."""
    return add_judge(judge.project, provider, "simulated-1", name="Twin")


def served(fake_provider) -> int:
    return fake_provider.counts()["served"]


def test_a_twin_takes_the_replies_over(judge, twin, fake_provider):
    work_off(a_set(judge))
    planned = plan_set(judge.project, [twin], Choice())
    assert (planned.calls, planned.hits, planned.hits_are_drawn) == (24, 24, False)
    assert planned.money == (0, 0)

    run_set = work_off(a_set(twin))
    assert served(fake_provider) == 24
    assert set(Call.objects.filter(judge=twin).values_list("cost", "attempts", "prompt_tokens")) == {(0, 0, None)}
    pairs = Call.objects.filter(judge=twin).select_related("reused")
    assert all(call.parsed == call.reused.parsed and call.nonce == call.reused.nonce for call in pairs)
    assert Marking.objects.filter(rater=twin.rater, is_complete=True).count() == 12
    assert set_progress(run_set).whole.spend.reused == 24
    assert run_set.money_spent == 0


def test_a_third_takes_over_from_where_it_first_came(judge, twin, provider):
    work_off(a_set(judge))
    work_off(a_set(twin))
    third = add_judge(judge.project, provider, "simulated-1", name="Third")
    work_off(a_set(third))
    assert set(Call.objects.filter(judge=third).values_list("reused__judge", flat=True)) == {judge.pk}


def test_another_round_asks_anew(judge, fake_provider):
    work_off(a_set(judge, replicates=3))
    assert served(fake_provider) == 72
    assert not Call.objects.exclude(reused=None).exists()


def test_another_provider_asks_anew(judge, fake_provider):
    from providers.endpoints import simulated_gateway

    work_off(a_set(judge))
    gateway = simulated_gateway()
    gateway.laboratory = judge.provider.laboratory
    gateway.save()
    work_off(a_set(add_judge(judge.project, gateway, "simulated-1", name="Elsewhere")))
    assert served(fake_provider) == 48


@pytest.mark.parametrize("fault", ["refuse", "truncate", "malformed", "prose", "errorbody", "othermodel"])
def test_what_was_no_answer_is_never_taken_over(fault, judge, twin, fake_provider):
    fake_provider.tell(shares={fault: 1.0})
    work_off(a_set(judge))
    before = served(fake_provider)
    fake_provider.tell(shares={})
    assert plan_set(judge.project, [twin], Choice()).hits == 0
    work_off(a_set(twin))
    assert served(fake_provider) == before + 24
    assert Call.objects.filter(judge=twin, state=CallState.SCORED, reused=None).count() == 24


def test_a_reply_is_read_by_the_guard_again(judge, twin, fake_provider):
    """Somebody finds out that another model had answered: its reply counts for nobody else."""
    work_off(a_set(judge))
    Call.objects.update(reply_model="gpt-4o-mini")
    work_off(a_set(twin))
    assert served(fake_provider) == 48


def test_the_key_of_a_call_stays_until_it_is_asked_again_on_purpose(judge, fake_provider, nour):
    fake_provider.tell(shares={"badrequest": 0.5})
    run_set = work_off(a_set(judge))

    def keys() -> dict[int, str]:
        rows = Call.objects.values_list("pk", "retries")
        return {pk: key_of(judge.rater.uuid, pk, retries) for pk, retries in rows}

    before, failed = keys(), set(Call.objects.filter(state=CallState.FAILED).values_list("pk", flat=True))
    assert len(set(before.values())) == 24
    fake_provider.tell(shares={})
    assert retry_failed_set(run_set, by=nour) == 1
    after = keys()
    assert {pk for pk in before if before[pk] != after[pk]} == failed
    run = run_set.runs.get()
    runs.cancel(run)
    runs.resume(run)
    assert keys() == after


def test_a_call_that_is_asked_again_goes_out_as_it_was(judge, monkeypatch):
    """Whoever asks it: a worker that takes over from a dead one sends the same body under the same key."""
    from judging.engine import questions
    from judging.engine.run_kinds import kind_of
    from judging.models import Shard

    run_set = a_set(judge)
    runs.start_here(run_set.runs.get())
    shard = Shard.objects.select_related("run__judge__rater", "run__prompt_version").get()

    def sent() -> list[tuple[str, dict]]:
        (chunk,) = kind_of(shard.run).prepare_in_chunks(questions.setup_for(shard.run), questions.open_questions(shard))
        return [(made.question.key, made.request.body()) for made in chunk if made.request]

    assert sent() == sent()
    assert len({key for key, _body in sent()}) == 24


def test_a_reply_that_was_kept_in_part_is_not_taken_over(judge, twin, fake_provider):
    """Read again, its beginning would look like an answer that was cut."""
    work_off(a_set(judge))
    Call.objects.filter(judge=judge).update(raw_output="{" * MAX_RAW)
    work_off(a_set(twin))
    assert served(fake_provider) == 48
    assert set(Call.objects.filter(judge=twin).values_list("state", flat=True)) == {"scored"}
