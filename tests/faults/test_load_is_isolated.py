"""A provider that hangs, one that refuses for ever, and imports of hours: each holds up nothing but itself.

The workers are real: threads on SQLite as `make run` has them, processes on PostgreSQL and Redis as a team has them.
"""

import json
import uuid
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from jobs import shares
from jobs.models import Job, JobState, Queue
from judging.engine import runs
from judging.judges import add_judge
from judging.models import Call, CallState, Run
from projects.models import Project
from providers.endpoints import simulated_provider
from providers.models import Provider
from tests.faults.at_work import wait_for
from tests.faults.judging_machine import JudgingMachine, judging_machine
from tests.faults.test_judge_calls_end_once import database
from tests.people import add_response

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("waiting for isolated workers")]
# Of four calls, so that what hangs has more of them than a worker has slots.
CALLS_IN_SHARD = 4
# Waited for on a machine on which all else runs as well; none of it takes seconds on another.
PATIENCE = 90


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(runs, "MIN_IN_SHARD", CALLS_IN_SHARD)
    monkeypatch.setattr(runs, "MAX_IN_SHARD", CALLS_IN_SHARD)


@pytest.fixture
def machine(tmp_path):
    with judging_machine(
        tmp_path, database(), embedded=connection.vendor == "sqlite", app="tests.faults.filling"
    ) as made:
        made.environment["JOB_SILENCE_SECONDS"] = "20"  # nobody who is only slow is taken for dead
        made.start()
        if not made.embedded:
            made.start_other_workers()
        made.provider.tell(retry_after=600)
        yield made


def a_run(name: str, responses: int, fault: str = "") -> Run:
    """Of a judge whose provider is no other's; with a fault, each of its calls meets that."""
    project = Project.objects.create(slug=name, name=name)
    for n in range(responses):
        add_response(project, f"{name}-{n}", f"A fair in May, number {n}.\n\nIt closes in June.", "en-US")
    simulated = simulated_provider()
    provider = Provider.objects.get(pk=simulated.pk)
    provider.pk, provider.name, provider.timeout_seconds, provider.concurrency = None, name, 600, 4
    if hasattr(provider, "uuid"):
        provider.uuid = uuid.uuid4()
    provider.save()
    judge = add_judge(project, provider, f"simulated-1:{fault}" if fault else "simulated-1")
    return runs.create_run(judge, project.responses.all())


def begin(machine: JudgingMachine, run: Run) -> Run:
    runs.start_here(run)
    machine.send(run.shards.order_by("number").values_list("job", flat=True))
    return run


def held(run: Run) -> int:
    return run.shards.filter(job__state=JobState.RUNNING).count()


def ended_calls(run: Run) -> int:
    return Call.objects.filter(run=run).exclude(state=CallState.PLANNED).count()


def hang(machine: JudgingMachine) -> tuple[Run, Run]:
    """A run that hangs and one that is refused, with more shards each than a worker has slots; under way."""
    hanging, refused = a_run("hanging", 24, "hang"), a_run("refused", 24, "ratelimit")
    begin(machine, hanging)
    assert wait_for(lambda: held(hanging) and machine.provider.counts()["open"], PATIENCE)
    begin(machine, refused)
    assert wait_for(lambda: held(refused) and machine.provider.counts()["statuses"].get("429"), PATIENCE)
    return hanging, refused


def test_others_are_asked_while_one_hangs_and_one_refuses(machine):
    hanging, refused = hang(machine)

    others = [begin(machine, a_run(f"other-{n}", 2)) for n in range(5)]
    assert wait_for(lambda: all(map(ended_calls, others)), PATIENCE), [ended_calls(run) for run in others]

    most = machine.processes * shares.share_of_resource()
    for run in (hanging, refused):
        assert ended_calls(run) == 0, "it hangs no more: nothing was put to the test"
        assert held(run) <= most
        assert wait_for(lambda run=run: held(run) >= 1, PATIENCE)
    assert wait_for(lambda: not any(Run.objects.get(pk=run.pk).state == "running" for run in others), PATIENCE)


def test_an_import_and_figures_go_on_while_judges_hang(machine, tmp_path):
    hanging, _refused = hang(machine)
    project = Project.objects.create(slug="feasts", name="Feasts")
    about = {"prompt": "q", "variety": "en-US", "model": "Nile-7B", "laboratory": "Delta Lab", "response": "A fair."}
    lines = [json.dumps({"id": f"i{n}", "prompt_id": "q", **about}) for n in range(300)]
    (tmp_path / "items.jsonl").write_text("\n".join(lines) + "\n")

    imported = a_job("imported-file", Queue.WORK, project, path=str(tmp_path / "items.jsonl"))
    figures = a_job("counted-texts", Queue.FIGURES, project)
    machine.send_to(Queue.WORK, [imported.pk])
    machine.send_to(Queue.FIGURES, [figures.pk])
    assert wait_for(lambda: states([imported, figures]) == {JobState.DONE}, PATIENCE)
    imported.refresh_from_db()
    assert imported.result["counts"]["responses"] == project.responses.count() == 300
    assert ended_calls(hanging) == 0


def test_figures_go_on_while_imports_take_hours(machine):
    """As many of them as may be at work at once; people look at dashboards that nobody has computed yet."""
    project = Project.objects.create(slug="feasts", name="Feasts")
    holding = [a_job("holding", Queue.WORK, project) for _slot in range(settings.WORKER_SLOTS)]
    machine.send_to(Queue.WORK, [job.pk for job in holding])
    slots = shares.share_of_queue() if machine.embedded else 2
    assert wait_for(lambda: states_counted(holding)[JobState.RUNNING] >= slots, PATIENCE), states_counted(holding)

    figures = a_job("counted-texts", Queue.FIGURES, project)
    machine.send_to(Queue.FIGURES, [figures.pk])
    assert wait_for(lambda: states([figures]) == {JobState.DONE}, PATIENCE)
    assert states_counted(holding)[JobState.RUNNING] >= slots
    (machine.data / "go-on").touch()


def test_sweeps_go_on_while_every_slot_is_taken(machine):
    """What a dead worker held is given back although imports of hours and judges that hang fill the living one."""
    hanging, refused = hang(machine)
    assert wait_for(lambda: held(hanging) + held(refused) >= 2 * shares.share_of_resource(), PATIENCE)
    project = Project.objects.create(slug="feasts", name="Feasts")
    holding = [a_job("holding", Queue.WORK, project) for _slot in range(settings.WORKER_SLOTS)]
    machine.send_to(Queue.WORK, [job.pk for job in holding])
    # The threads that the judges have left, or all processes of the other worker.
    slots = settings.WORKER_SLOTS - 2 * shares.share_of_resource() if machine.embedded else 2
    assert wait_for(lambda: states_counted(holding)[JobState.RUNNING] >= slots, PATIENCE), states_counted(holding)

    lost = a_job("holding", Queue.WORK, project)
    long_ago = timezone.now() - timedelta(minutes=5)
    Job.objects.filter(pk=lost.pk).update(state=JobState.RUNNING, claim=uuid.uuid4(), attempts=1, heartbeat_at=long_ago)
    assert wait_for(lambda: states([lost]) == {JobState.QUEUED}, PATIENCE)
    assert wait_for(lambda: states_counted(holding)[JobState.RUNNING] >= slots, PATIENCE)
    assert ended_calls(hanging) == 0
    (machine.data / "go-on").touch()


def a_job(kind: str, queue: str, project: Project, **options: str) -> Job:
    """A queued job of a kind that this process does not know."""
    now = timezone.now()
    values = {"state": JobState.QUEUED, "heartbeat_at": now, "due_at": now, "options": options}
    return Job.objects.create(kind=kind, queue=queue, project=project, **values)


def states(jobs: list[Job]) -> set[str]:
    return set(Job.objects.filter(pk__in=[job.pk for job in jobs]).values_list("state", flat=True))


def states_counted(jobs: list[Job]) -> dict[str, int]:
    found = list(Job.objects.filter(pk__in=[job.pk for job in jobs]).values_list("state", flat=True))
    return {state: found.count(state) for state in JobState.values}
