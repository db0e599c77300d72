"""Nour has a set answered and judged: of every question stands who was sent it, whatever came back."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchmark import exposure
from benchmark.models import Exposure, ExposureKind
from judging.collecting.by_hand import CONTROLS, paste
from judging.collecting.endpoints import add_by_hand
from judging.engine import runs, shards
from judging.engine.shards import work_through
from projects.laboratories import settle
from projects.models import Laboratory, Response, TargetModel
from reports.leaderboard.reader import load
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings
from tests.judging.collecting import add_frozen, collect, started, target, work_off
from tests.judging.scoring import answered, configuration, frozen, prompt_of, question, run_through, scoring_judge
from tests.rubrics.rubrics import make_rubrics_project

pytestmark = pytest.mark.django_db
KINDS = ExposureKind


def seen() -> dict[tuple, int]:
    """How often, by question, laboratory, endpoint and kind."""
    rows = Exposure.objects.values_list("prompt__key", "laboratory__slug", "endpoint", "kind", "times")
    return {tuple(row): times for *row, times in rows}


def test_a_model_that_answers_has_seen_what_it_is_sent(project, provider, fake_provider):
    frozen(project, question("tea"), question("film"))
    collect(target(project, provider, "simulated-1"))
    at = ("simulated", f"simulated-1@{provider.name}", "answering")
    assert seen() == {("own/tea", *at): 1, ("own/film", *at): 1}


def test_a_question_whose_answer_is_lost_is_seen_all_the_same(project, provider, fake_provider):
    fake_provider.tell(shares={"badrequest": 1.0})
    frozen(project, question("tea"))
    endpoint = target(project, provider, "simulated-1")
    run = collect(endpoint)
    assert runs.counts(run)["failed"] == 1
    assert list(seen().values()) == [1]


def test_what_is_written_is_there_before_the_first_call_leaves(project, provider, monkeypatch):
    frozen(project, question("tea"))
    found = []

    def run_pool(*_how, **_more):
        found.append(dict(seen()))
        return 0

    run = started(target(project, provider, "simulated-1"))
    monkeypatch.setattr(shards, "run_pool", run_pool)
    work_through(run.shards.get().pk)
    assert [list(each.values()) for each in found] == [[1]]


def test_a_judge_is_shown_the_question_with_every_answer(project, provider):
    """Three answers to one question are three calls, but one laboratory."""
    frozen(project, question("tea"), question("film"))
    for name in ("Nile-7B", "Delta-7B", "Oryx-7B"):
        answered(configuration(project, name), {"tea": f"الشاي الساخن {name}"})
    judge = scoring_judge(project, provider)
    run_through(judge)
    at = (judge.rater.laboratory.slug, f"simulated-1@{provider.name}", "judging")
    assert seen() == {("own/tea", *at): 3}
    run_through(judge, round=2)
    assert seen() == {("own/tea", *at): 6}
    row = Exposure.objects.get()
    assert row.first_at < row.last_at


def test_what_the_guard_forbids_is_never_sent_and_so_not_seen(project, provider):
    frozen(project, question("tea"))
    answered(configuration(project), {"tea": "الشاي الساخن"})
    judge = scoring_judge(project, provider)
    run = runs.create_run(judge, Response.objects.filter(project=project))
    # Between planning and asking somebody learns that the judge's own laboratory wrote the answer.
    TargetModel.objects.filter(name="Nile-7B").update(laboratory=judge.rater.laboratory)
    for shard in runs.start_here(run):
        work_through(shard)
    assert runs.counts(run)["failed"] == 1
    assert seen() == {}


def test_a_pasted_answer_means_that_its_model_has_read_the_question(project, nour):
    own = frozen(project, question("tea"))
    delta = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    endpoint = add_by_hand(project, "Nile-7B", laboratory=delta)
    paste(endpoint, prompt_of(own, "tea"), "الشاي مشروب.", list(CONTROLS), nour)
    assert seen() == {("own/tea", "delta-lab", "Nile-7B", "answering"): 1}


def test_prompts_that_are_no_question_leave_no_trace_and_cost_one_statement(project, provider):
    make_rubrics_project(project)
    prompt = add_frozen(project, "proverb", "يعني إيه المثل؟")
    work_off(started(target(project, provider, "simulated-1")))
    assert seen() == {}
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert exposure.record([prompt.pk], None, "somewhere", KINDS.ANSWERING) == 0
    assert len(asked) == 1


def test_two_statements_for_however_many(project):
    own = frozen(project, *(question(f"tea-{number}") for number in range(40)))
    prompts = list(own.questions.values_list("prompt", flat=True))
    lab = Laboratory.objects.create(slug="oryx", name="Oryx")
    for few in (prompts[:1], prompts * 3):
        with CaptureQueriesContext(connection) as asked:
            assert exposure.record(few, lab, "oryx@here", KINDS.PROBING) == len(set(few))
        assert len(asked) == 2
    assert sorted(seen().values()) == [3] * 39 + [4]


def test_an_unknown_laboratory_stands_under_its_endpoint_once(project):
    own = frozen(project, question("tea"))
    prompt = prompt_of(own, "tea").pk
    for endpoint in ("a@here", "a@here", "b@here"):
        exposure.record([prompt], None, endpoint, KINDS.SCREENING)
    assert seen() == {("own/tea", None, "a@here", "screening"): 2, ("own/tea", None, "b@here", "screening"): 1}
    now = timezone.now()
    twice = {"prompt_id": prompt, "endpoint": "a@here", "kind": "screening", "first_at": now, "last_at": now}
    with pytest.raises(IntegrityError), transaction.atomic():
        Exposure.objects.create(**twice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Exposure.objects.create(**{**twice, "endpoint": ""})
    with pytest.raises(IntegrityError), transaction.atomic():
        Exposure.objects.create(**{**twice, "kind": "guessing"})


def test_what_a_stop_left_unsent_is_taken_back(project, provider, fake_provider, nour):
    """Of forty questions a few are in flight when Nour cancels the run: those are seen, and no others."""
    own = frozen(project, *(question(f"tea-{number}") for number in range(40)))
    type(provider).objects.filter(pk=provider.pk).update(concurrency=2)
    fake_provider.tell(record=True)
    run = started(target(project, provider, "simulated-1"))
    shown = []
    store_batch = shards.store_batch

    def cancelled_then_stored(claimed, pool, batch):
        if not shown:
            shown.append(sum(seen().values()))
            runs.cancel(run, nour)
        return store_batch(claimed, pool, batch)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shards, "store_batch", cancelled_then_stored)
        patched.setattr(shards, "BATCH_SECONDS", 0.0)
        fake_provider.tell(latency_ms=100)
        work_through(run.shards.get().pk)
    fake_provider.tell(latency_ms=0)
    asked = [request["body"]["messages"][-1]["content"] for request in fake_provider.asked()]
    assert shown == [40], "written before the first call left"
    assert 0 < len(asked) < 40
    sent = own.questions.filter(prompt__text__in=asked).values_list("prompt__key", flat=True)
    assert {key for key, *_rest in seen()} == set(sent)
    assert set(seen().values()) == {1}


def test_what_is_taken_back_is_no_more_than_was_written(project):
    own = frozen(project, question("tea"), question("film"), question("song"))
    tea, film, song = (prompt_of(own, key).pk for key in ("tea", "film", "song"))
    lab = Laboratory.objects.create(slug="oryx", name="Oryx")
    for laboratory in (lab, None):
        exposure.record([tea, tea, tea, film, film, song], laboratory, "oryx@here", KINDS.ANSWERING)
    exposure.record([tea], lab, "oryx@here", KINDS.JUDGING)
    with CaptureQueriesContext(connection) as asked:
        exposure.take_back([tea, film, film], lab, "oryx@here", KINDS.ANSWERING)
    assert len([query for query in asked if "benchmark_exposure" in query["sql"]]) == 2
    here = ("oryx", "oryx@here", "answering")
    left = {("own/tea", *here): 2, ("own/song", *here): 1, ("own/tea", "oryx", "oryx@here", "judging"): 1}
    unknown = {key: times for key, times in seen().items() if key[1] is None}
    assert seen() == left | unknown
    assert sorted(unknown.values()) == [1, 2, 3]
    exposure.take_back([tea, tea, tea, film], None, "oryx@here", KINDS.ANSWERING)
    assert sorted(times for key, times in seen().items() if key[1] is None) == [1, 1]
    exposure.take_back([], None, "oryx@here", KINDS.ANSWERING)
    exposure.take_back([tea], None, "elsewhere", KINDS.ANSWERING)
    assert len(seen()) == 5


def test_whose_model_it_is_says_the_project(project, provider, fake_provider):
    """The installation knows the model as the simulated laboratory's; Nour has said that here it is Delta Lab's."""
    own = frozen(project, question("tea"))
    endpoint = target(project, provider, "simulated-1")
    delta = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    settle(project, endpoint.target_model, delta, None)
    collect(endpoint)
    assert [laboratory for _key, laboratory, *_rest in seen()] == ["delta-lab"]
    row = configuration(project, "Nile-7B")
    settle(project, row.target_model, delta, None)
    answered(row, {"tea": "الشاي الساخن"})
    for _time in range(2):
        exposure.record_seen_elsewhere(project)
    assert {laboratory for _key, laboratory, *_rest in seen()} == {"delta-lab"}
    assert {entry.laboratory_name for entry in load(project, own).entries if entry.name == "Nile-7B"} == {"Delta Lab"}


def test_the_kept_board_follows_whose_model_it_is(project):
    own = frozen(project, question("tea"))
    row = configuration(project, "Nile-7B")
    answered(row, {"tea": "الشاي الساخن"})
    oryx = Laboratory.objects.create(slug="oryx", name="Oryx")

    def laboratory() -> str:
        board = standings(project, BoardScope())
        assert board is not None
        return next(line.entry.laboratory_name for line in board.lines if line.entry.name == row.name)

    assert own.is_frozen
    assert laboratory() != "Oryx"
    settle(project, row.target_model, oryx, None)
    assert laboratory() == "Oryx"
