"""Nour measures how fast models answer, in a pass of its own."""

import io
import json
import threading
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from agreement.speed import rate
from benchmark.freezing import freeze
from benchmark.models import Board, Configuration, Exposure, ModelCard, SpeedMeasurement, SpeedSample
from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from judging.collecting.endpoints import add_endpoint
from judging.speed import calling, measuring
from judging.speed.jobs import begin_measuring
from judging.speed.measuring import How
from projects.models import AuditEvent, Project
from projects.problems import Invalid
from providers.models import Provider
from reports.leaderboard.speeds import speeds_of
from tests.benchmark.sets import set_of
from tests.judging.scoring import frozen, question
from tests.judging.streaming import StreamingServer, Told, follow, words
from tests.people import signed_in

pytestmark = pytest.mark.django_db
#: Words and seconds of the three answers, as in the statement of the rule.
RULE = {"tea-0": (10, 1.0), "tea-1": (20, 1.0), "tea-2": (70, 8.0)}


@pytest.fixture
def server(monkeypatch):
    def answer(body: dict, _number: int) -> Told:
        asked = body["messages"][-1]["content"]
        n, seconds = next((told for key, told in RULE.items() if f"({key})" in asked), (500, 50.0))
        return words(n, seconds, first=0.25, model=body["model"])

    started = StreamingServer(answer)
    follow(monkeypatch, started)
    monkeypatch.setattr(calling, "WAIT_SECONDS", 0.0)
    yield started
    started.stop()


@pytest.fixture
def provider(server, simulated) -> Provider:
    return Provider.objects.create(name="here", base_url=server.url, laboratory=simulated, timeout_seconds=20)


@pytest.fixture
def simulated(db):
    from providers.laboratories import laboratory_row

    return laboratory_row("simulated")


def on_the_board(project: Project, provider: Provider, model: str = "simulated-1") -> Configuration:
    target = add_endpoint(project, provider, model).target_model
    slug = model.replace(":", "-")
    card = ModelCard.objects.create(project=project, slug=slug, name=model, laboratory=target.laboratory, access="api")
    return Configuration.objects.create(project=project, card=card, target_model=target, slug=slug, name=model)


@pytest.fixture
def row(project, provider) -> Configuration:
    frozen(project, *(question(key) for key in RULE), question("secret", held_back=True))
    return on_the_board(project, provider)


def command(project: Project, *arguments: str) -> list[dict]:
    out = io.StringIO()
    call_command("measure_speed", project.slug, *arguments, "--json", stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def test_ten_twenty_and_seventy_words_in_one_one_and_eight_seconds_are_ten_a_second(project, row, server):
    [measured] = command(project, "--calls", "3", "--warm-up", "2")
    assert (measured["words"], measured["seconds"], measured["calls"]) == (100, 10.0, 3)
    assert measured["words_per_second"]["value"] == 10.0
    # The mean of the answers' own rates would be (10 + 20 + 8.75) / 3.
    samples = list(SpeedSample.objects.order_by("position").values_list("words", "seconds", "first_token_seconds"))
    assert samples == [(10, 1.0, 0.25), (20, 1.0, 0.25), (70, 8.0, 0.25)]
    assert sum(n / seconds for n, seconds, _first in samples) / 3 == pytest.approx(12.9, abs=0.02)
    # An answer has as many characters as its words of four and the spaces between.
    assert measured["characters_per_second"]["value"] == pytest.approx((100 * 4 + 97) / 10)
    assert (measured["first_token_p50"]["value"], measured["first_token_p95"]["value"]) == (0.25, 0.25)


def test_warming_up_is_not_counted_and_never_two_calls_at_once(project, row, server):
    command(project, "--calls", "3", "--warm-up", "4")
    assert len(server.asked) == 4 + 3
    assert (server.most_open, server.connections) == (1, 1)
    measurement = SpeedMeasurement.objects.get()
    assert (measurement.warm_up_calls, measurement.samples.count(), measurement.batch_size) == (4, 3, 1)
    # Those for warming up are other texts, so that nothing measured is known already.
    texts = [body["messages"][-1]["content"] for body in server.asked]
    assert not set(texts[:4]) & set(texts[4:])


def test_questions_for_warming_up_are_others_of_the_set(project, row, server):
    command(project, "--calls", "2", "--warm-up", "1")
    texts = [body["messages"][-1]["content"] for body in server.asked]
    assert len(set(texts)) == 3
    assert all("اكتب جملة" in text for text in texts)


def test_a_question_that_is_held_back_is_never_sent_and_the_others_are_seen(project, row, server):
    command(project, "--calls", "50")
    assert not any("(secret)" in str(body) for body in server.asked)
    assert set(Exposure.objects.values_list("prompt__key", "endpoint")) == {
        (f"own/{key}", "simulated-1@here") for key in RULE
    }


def test_the_board_shows_it_with_its_hardware_apart_from_those_by_api(project, row):
    command(project, "--calls", "3", "--local", "--hardware", "one small card")
    speed = speeds_of(project.pk)[row.pk]
    assert (speed.is_local, speed.hardware, speed.words.value) == (True, "one small card", 10.0)
    assert speed.words.detail["amount"] == rate([100], [10]).detail["amount"]
    # Measured the other way as well, it stands in both tables.
    command(project, "--calls", "1")
    assert [set(speeds_of(project.pk, is_local)) for is_local in (True, False)] == [{row.pk}, {row.pk}]
    assert speeds_of(project.pk, True)[row.pk].words.value == 10.0
    assert not speeds_of(project.pk)[row.pk].is_local
    event = AuditEvent.objects.filter(action="speed.measured").order_by("pk")[0]
    assert (event.subject, event.detail["hardware"]) == ("simulated-1", "one small card")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--local"], "Name the hardware"),
        (["--calls", "0"], "1 to 500"),
        (["--warm-up", "-1"], "0 to 50"),
        (["--configuration", "nobody"], "nobody cannot be measured.*simulated-1"),
    ],
)
def test_what_cannot_be_measured_is_said_and_nothing_is_asked(arguments, said, project, row, server):
    with pytest.raises(CommandError, match=said):
        command(project, *arguments)
    assert (server.asked, SpeedMeasurement.objects.count()) == ([], 0)


def test_without_a_frozen_set_there_is_nothing_to_measure_on(project, provider):
    on_the_board(project, provider)
    with pytest.raises(CommandError, match="no frozen question set"):
        command(project)


def test_a_call_that_fails_is_tried_again_and_its_time_is_not_counted(project, row, server):
    fails, answer = iter([True, True]), server.answer

    def sometimes(body: dict, number: int) -> Told:
        if next(fails, False):
            return Told([30.0, b'{"error": {"message": "busy"}}'], status=503, kind="application/json")
        return answer(body, number)

    server.answer = sometimes
    [measured] = command(project, "--calls", "3", "--warm-up", "0")
    assert (measured["words_per_second"]["value"], len(server.asked)) == (10.0, 5)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (Told([b'{"error": {"message": "no such model"}}'], status=404, kind="application/json"), "no such model"),
        (words(5, 1.0, model="gpt-4o"), "gpt-4o"),
    ],
)
def test_a_pass_that_fails_leaves_nothing(told, said, project, row, server):
    server.answer = lambda _body, _number: told
    with pytest.raises(CommandError, match=said):
        command(project, "--calls", "3")
    assert SpeedMeasurement.objects.count() == 0
    assert len(server.asked) == calling.MAX_ATTEMPTS


# --- Page, job, API ---


def test_a_lead_has_it_measured_on_the_page_by_a_worker(project, row, nour, server):
    page = reverse("speed", args=[project.slug])
    client = signed_in(nour)
    assert "simulated-1" in client.get(page).content.decode()
    values = {"configurations": ["simulated-1"], "calls": 3, "warm_up": 1}
    answer = client.post(page, values)
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("job", args=[project.slug, job.uuid]))
    assert "under way" in client.get(page).content.decode()
    client.post(page, values)
    assert Job.objects.count() == 1, "two at once would measure each other"
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.DONE, 4, 4)
    shown = client.get(page).content.decode()
    assert ">10.0<" in shown
    assert "by API" in shown


def test_a_page_that_is_filled_in_wrongly_says_so_and_keeps_it(project, row, nour, server):
    page = reverse("speed", args=[project.slug])
    values = {"configurations": ["simulated-1"], "calls": 7, "warm_up": 1, "is_local": "on"}
    answer = signed_in(nour).post(page, values)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "Name the hardware" in shown
    assert 'value="7"' in shown
    assert Job.objects.count() == 0


def test_who_cancels_stops_it_at_once_and_nothing_is_stored(project, row, nour, server):
    job = begin_measuring(project, [], How(calls=3, warm_up=1), nour)
    answer = server.answer

    over = threading.Event()

    def cancelled(body: dict, number: int) -> Told:
        return Told([b": wait\n\n", over]) if number == 2 else answer(body, number)

    server.answer = cancelled
    seen = []

    def watched(calls, through, on_call, original=measuring.watched):
        def told(done: int) -> None:
            if done == 1 and not seen:
                seen.append(done)
                cancel(Job.objects.get(pk=job.pk), nour)
            on_call(done)

        return original(calls, through, told)

    measuring.watched, original = watched, measuring.watched
    try:
        work_on(job.pk)
    finally:
        measuring.watched = original
        over.set()
    job.refresh_from_db()
    assert (job.state, SpeedMeasurement.objects.count(), seen) == (JobState.CANCELLED, 0, [1])
    # Own words warmed it up, the first question was under way, and the other two never left.
    assert list(Exposure.objects.values_list("prompt__key", "times")) == [("own/tea-0", 1)]


def test_what_a_server_that_is_not_there_was_to_be_asked_is_seen_by_nobody(project, row, provider, server):
    Provider.objects.filter(pk=provider.pk).update(base_url="http://127.0.0.1:9/v1")
    with pytest.raises(CommandError, match="no answer that could be measured"):
        command(project, "--calls", "3")
    assert not Exposure.objects.exists()


def test_the_questions_are_those_of_the_version_that_the_board_ranks(project, row, server):
    """Of two sets the board ranks the one that was frozen last, whichever was begun first; or the one it names."""
    first = set_of(project, question("early"), id="first", name="First", canary=str(uuid4()))
    later = frozen(project, question("late"), id="later", name="Later", canary=str(uuid4()))
    freeze(first)

    def measured_on() -> set[str]:
        _warm_up, asked = measuring.questions_to_ask(project, How())
        return {each.key for each in asked}

    assert measured_on() == {"early"}
    Board.objects.create(project=project, slug="b", title="B", question_set=later)
    assert measured_on() == {"late"}


def test_a_job_that_is_begun_anew_measures_what_is_left(project, row, provider, nour, server):
    other = on_the_board(project, provider, "simulated-2")
    job = begin_measuring(project, [], How(calls=3, warm_up=0), nour)
    assert job.total == 6
    measuring.measure(measuring.chosen(project, ["simulated-1"])[0], How(calls=3, warm_up=0))
    assert work_on(job.pk)
    assert list(SpeedMeasurement.objects.values_list("configuration__slug", flat=True).order_by("pk")) == [
        row.slug,
        other.slug,
    ]


def test_programs_have_it_measured_and_read_it(project, row, nour, server):
    address, client = reverse("api-speed", args=[project.slug]), signed_in(nour)
    refused = client.post(address, {"is_local": True}, content_type="application/json")
    assert (refused.status_code, refused.json()["problems"][0]["field"]) == (422, "hardware")
    accepted = client.post(address, {"calls": 3, "warm_up": 0}, content_type="application/json")
    assert accepted.status_code == 202
    assert work_on(Job.objects.get().pk)
    [found] = client.get(address).json()["results"]
    assert (found["configuration"], found["calls"], found["words_per_second"]) == ("simulated-1", 3, 10.0)


def test_the_list_costs_as_many_statements_for_one_as_for_many(
    project, row, provider, nour, server, django_assert_max_num_queries
):
    for model in ("simulated-1", *(f"simulated-{n}" for n in range(2, 8))):
        if model != "simulated-1":
            on_the_board(project, provider, model)
    for target in measuring.targets_of(project):
        measuring.measure(target, How(calls=1, warm_up=0))
    with django_assert_max_num_queries(4):
        assert len(measuring.newest_passes(project)) == 7


def test_it_raises_where_nothing_is_asked_through_a_provider(project):
    with pytest.raises(Invalid, match="No configuration is asked"):
        begin_measuring(project, [], How())
