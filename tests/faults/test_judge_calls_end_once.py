"""Workers are killed and frozen while judges are asked, messages are lost and come twice, three calls in ten fail:
every call ends, in one state, with one stored answer, and is paid for once.

`python -m benchmarks.judging_campaign` is the same at full size. The last tests plant the defects by which queues
usually break such promises, and the same check must find each of them.
"""

import os
from functools import partial

import pytest
from django.db import connection

from judging import runs
from judging.judges import add_judge
from judging.models import Call, CallState, Provider, Run
from judging.providers import simulated_provider
from projects.models import Project
from tests.faults.judge_calls import broken_promises
from tests.faults.judging_machine import judging_machine
from tests.faults.storms import Weather, weather
from tests.people import add_response

CONCURRENCY = 8
SHARD_SIZE = 40
pytestmark = [pytest.mark.django_db(transaction=True)]


def database() -> str:
    """The tests' own database, as a URL for the workers."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    before, _slash, _name = os.environ["DATABASE_URL"].rpartition("/")
    return f"{before}/{name}"


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(runs, "shard_groups", partial(runs.shard_groups, size=SHARD_SIZE))


@pytest.fixture
def machine(tmp_path):
    embedded = connection.vendor == "sqlite"
    with judging_machine(tmp_path, database(), embedded=embedded) as made:
        made.start()
        yield made


def a_run(responses: int) -> Run:
    """A judge that reads responses of two paragraphs, one call for each."""
    project = Project.objects.create(slug="feasts", name="Feasts")
    for n in range(responses):
        add_response(project, f"r{n}", f"A fair in May, number {n}.\n\nIt closes in June.", "en-US")
    judge = add_judge(project, simulated_provider(), "simulated-1")
    Provider.objects.update(concurrency=CONCURRENCY, timeout_seconds=1)
    return runs.create_run(judge, project.responses.all())


def test_every_call_ends_once_whatever_is_killed(machine):
    run = a_run(120)
    if machine.embedded:
        storm = Weather(group_kills=2, freezes=1, resends=1)
    else:
        storm = Weather(child_kills=4, group_kills=1, flushes=2, freezes=1, resends=1)
    outcome = weather(machine, run, storm)
    charges = machine.provider.charges()
    charges.pop("of_key")
    print(outcome.seconds, outcome.seconds_after, outcome.deeds, runs.counts(run), charges)
    print(list(run.shards.values_list("state", "attempts", "heartbeat_at")))
    print((machine.folder / "worker.log").read_text()[-6000:])
    assert broken_promises(outcome, machine.provider.charges(), 2 * CONCURRENCY) == []
    assert Call.objects.filter(run=run, state=CallState.SCORED).count() > 230
