"""Workers are killed and frozen while judges are asked, messages are lost and come twice, three calls in ten fail:
every call ends, in one state, with one stored answer, and is paid for once.

`python -m speed.judging_campaign` is the same at full size. The last tests plant the defects by which queues
usually break such promises, and the same check must find each of them.
"""

import os
from dataclasses import replace

import pytest
from django.db import connection

from judging.engine import runs
from judging.engine.choice import Choice
from judging.engine.run_sets import create_set
from judging.judges import add_judge
from judging.models import Call, CallState, Run
from projects.models import Project
from providers.endpoints import simulated_provider
from providers.models import Provider, ServedModel
from providers.prices import BILLION
from tests.faults.at_work import wait_for
from tests.faults.judge_calls import broken_promises
from tests.faults.judging_machine import judging_machine
from tests.faults.storms import Weather, weather
from tests.people import add_response

CONCURRENCY = 8
SHARD_SIZE = 40
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("waiting for workers")]


def database() -> str:
    """The tests' own database, as a URL for the workers."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    before, _slash, _name = os.environ["DATABASE_URL"].rpartition("/")
    return f"{before}/{name}"


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(runs, "MIN_IN_SHARD", SHARD_SIZE)
    monkeypatch.setattr(runs, "MAX_IN_SHARD", SHARD_SIZE)


@pytest.fixture
def machine(tmp_path):
    with judging_machine(tmp_path, database(), embedded=connection.vendor == "sqlite") as made:
        made.start()
        yield made


@pytest.fixture
def defective_machine(tmp_path):
    embedded = connection.vendor == "sqlite"
    with judging_machine(tmp_path, database(), embedded=embedded, app="tests.faults.planted_judging") as made:
        made.start()
        yield made


def a_run(name: str, responses: int, timeout_seconds: int = 1) -> Run:
    """A judge that reads responses of two paragraphs, one call for each."""
    project = Project.objects.create(slug=name, name=name)
    for n in range(responses):
        add_response(project, f"{name}-{n}", f"A fair in May, number {n}.\n\nIt closes in June.", "en-US")
    judge = add_judge(project, simulated_provider(), "simulated-1")
    Provider.objects.update(concurrency=CONCURRENCY, timeout_seconds=timeout_seconds)
    served = {"provider": judge.provider, "name": judge.model}
    ServedModel.objects.get_or_create(**served, defaults={"input_price": 2, "output_price": 8})
    return create_set(project, [judge], Choice(), money_limit=1000 * BILLION).runs.get()


def test_every_call_ends_once_whatever_is_killed(machine):
    run = a_run("feasts", responses=120)
    storm = Weather(group_kills=2, freezes=1, resends=1)
    if not machine.embedded:
        storm = Weather(child_kills=4, group_kills=1, flushes=2, freezes=1, resends=1)

    outcome = weather(machine, run, storm)

    charges = machine.provider.charges()
    assert broken_promises(outcome, charges, CONCURRENCY) == []
    assert Call.objects.filter(run=run, state=CallState.SCORED).count() > 230
    assert charges["broken"] > 10, "no stream was cut and nothing hung: little was put to the test"


# --- What the check would tell ------------------------------------------------------------------------------

# Storms without calls that fail: what goes wrong is the defect's doing.
CALM = Weather(faults={}, latency_ms=250)
STORMS = {
    "acknowledges-early": (replace(CALM, child_kills=3, seconds=8), ("calls have not ended",)),
    # Whoever comes to a shard as somebody else has just taken it asks nothing, and what it set aside is nobody's.
    "claims-without-looking": (replace(CALM, resends=4), ("were paid for and lost", "set aside for nobody")),
    "never-sweeps": (replace(CALM, child_kills=3, seconds=8), ("the run is running",)),
    "stores-over": (CALM, ("and became",)),
    "comes-twice": (CALM, ()),  # no defect, and nothing is found
}


def test_a_storm_finds_what_is_wrong_with_a_queue(defective_machine):
    machine = defective_machine
    for defect, (storm, told) in STORMS.items():
        run = a_run(defect, responses=60, timeout_seconds=30)
        (machine.data / "planted").write_text(defect)
        if machine.embedded:  # whose only worker takes seconds to be back
            storm = replace(storm, child_kills=min(storm.child_kills, 1))
        outcome = weather(machine, run, storm)
        found = broken_promises(outcome, machine.provider.charges(), CONCURRENCY)
        is_told = any(words in promise for words in told for promise in found)
        assert is_told if told else not found, f"{defect}: {found}"
        runs.cancel(run)
        # What it still has under way belongs to none of the next one's bills.
        assert wait_for(lambda: machine.provider.counts()["open"] == 0)
