"""What a pass of speed costs is kept, also where the pass comes to nothing."""

import json
import threading
from collections.abc import Callable

import pytest

from benchmark.models import Configuration, SpeedMeasurement, SpeedSpending
from judging.speed import calling
from judging.speed.measuring import How, chosen, measure
from projects.models import Project
from projects.problems import Invalid
from providers.laboratories import laboratory_row
from providers.models import Provider, ServedModel
from reports.costs.page import read
from tests.judging.scoring import frozen, question
from tests.judging.streaming import DONE, StreamingServer, Told, chunk, follow, words
from tests.judging.test_measure_speed import on_the_board

pytestmark = pytest.mark.django_db
#: Two dollars for a million tokens read and four for a million written are so many billionths for each.
READ, WRITTEN = 2_000, 4_000
#: 100 tokens read and 50 written: 200,000 + 200,000.
ONE_CALL = 400_000
#: Tokens of an answer to which nobody has set a limit.
MOST_WRITTEN = 32_768


def counted(body: dict, _number: int = 0) -> Told:
    """An answer whose server tells its usage at the end, if asked."""
    usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    last = json.dumps({"model": body["model"], "choices": [], "usage": usage}).encode()
    told = [b"data: " + last + b"\n\n"] if body.get("stream_options") == {"include_usage": True} else []
    return Told([0.25, chunk("word", finish="stop", model=body["model"]), 1.0, *told, DONE])


@pytest.fixture
def server(monkeypatch):
    started = StreamingServer(counted)
    follow(monkeypatch, started)
    monkeypatch.setattr(calling, "WAIT_SECONDS", 0.0)
    yield started
    started.stop()


@pytest.fixture
def row(project: Project, server: StreamingServer) -> Configuration:
    provider = Provider.objects.create(
        name="here", base_url=server.url, laboratory=laboratory_row("simulated"), timeout_seconds=20
    )
    ServedModel.objects.create(provider=provider, name="simulated-1", input_price=2, output_price=4)
    frozen(project, *(question(f"tea-{n}") for n in range(3)))
    return on_the_board(project, provider)


def made(project: Project, on_call: Callable[[int, int], None] = lambda done, total: None) -> SpeedMeasurement:
    return measure(chosen(project)[0], How(calls=3, warm_up=1), on_call)


def spent() -> tuple[int, ...]:
    [row] = SpeedSpending.objects.values_list("calls", "cost", "tokens", "unpriced_calls", "bound_calls")
    return row


def at_most(body: dict) -> int:
    """A token for every byte of a request, and as many back as a model may write."""
    sent = {name: value for name, value in body.items() if not name.startswith("stream")}
    return len(json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()) * READ + MOST_WRITTEN * WRITTEN


def test_a_pass_costs_what_its_calls_cost_those_for_warming_up_too(project, row, server):
    made(project)
    assert spent() == (4, 4 * ONE_CALL, 4 * 150, 0, 0)
    [table] = read(project, {}).tables
    assert [(line.labels[0], line.figures[3].value) for line in table.rows] == [
        ("Measurements of speed", pytest.approx(0.0016)),
        ("Total", pytest.approx(0.0016)),
    ]


def test_of_a_model_without_a_price_the_calls_are_counted_and_it_is_said(project, row, server):
    ServedModel.objects.update(input_price=None, output_price=None)
    made(project)
    assert spent() == (4, 0, 600, 4, 0)
    [table] = read(project, {}).tables
    assert table.rows[-1].figures[3].undefined == "no price is known"


def test_what_nobody_counted_is_an_upper_bound(project, row, server):
    server.answer = lambda body, _number: words(5, 1.0, model=body["model"])
    made(project)
    calls, cost, _tokens, unpriced, bounds = spent()
    assert (calls, unpriced, bounds) == (4, 0, 4)
    assert cost == sum(at_most(body) for body in server.asked)


def test_a_pass_that_fails_keeps_what_it_has_cost(project, row, server):
    refused = Told([b'{"error": {"message": "no such model"}}'], status=404, kind="application/json")
    server.answer = lambda body, number: counted(body) if number <= 2 else refused
    with pytest.raises(Invalid, match="no such model"):
        made(project)
    assert SpeedMeasurement.objects.count() == 0
    # Two answers; the refusals were requests that cost nothing.
    assert spent() == (2 + calling.MAX_ATTEMPTS, 2 * ONE_CALL, 300, 0, 0)


def test_a_call_that_is_broken_off_counts_with_the_most_it_can_cost(project, row, server):
    over = threading.Event()
    server.answer = lambda body, number: Told([b": wait\n\n", over]) if number == 2 else counted(body)
    before: list[tuple[int, ...]] = []

    class Stopped(Exception):
        pass

    def on_call(done: int, _total: int) -> None:
        if spent()[0] == 2 and len(server.asked) == 2:
            before.append(spent())
            raise Stopped

    try:
        with pytest.raises(Stopped):
            made(project, on_call)
    finally:
        over.set()
    assert SpeedMeasurement.objects.count() == 0
    calls, cost, _tokens, unpriced, bounds = spent()
    assert (calls, unpriced, bounds) == (2, 0, 1)
    assert cost == ONE_CALL + at_most(server.asked[1])
    # It stood there while the call was under way: a worker that is killed loses nothing of it.
    assert before == [spent()]


def test_a_server_that_knows_no_usage_in_streams_is_measured_all_the_same(project, row, server):
    message = b'{"error": {"message": "Unknown parameter: stream_options"}}'
    unknown = Told([message], status=400, kind="application/json")
    server.answer = lambda body, _number: unknown if "stream_options" in body else counted(body)
    assert made(project).samples.count() == 3
    assert ["stream_options" in body for body in server.asked] == [True, False, False, False, False]
    assert spent()[0] == 4


def test_before_anything_was_sent_nothing_is_kept(project, row, server, monkeypatch):
    def nobody(*_arguments):
        raise OSError("no connection is made")

    monkeypatch.setattr(calling, "one_by_one", nobody)
    with pytest.raises(OSError, match="no connection"):
        made(project)
    assert SpeedSpending.objects.count() == 0
