"""An installation from before has collections of its own kind; after the upgrade each is a run, and goes on."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from jobs.models import Job, JobState
from judging.collecting.by_hand import CONTROLS, paste
from judging.collecting.endpoints import add_by_hand
from judging.engine import runs
from judging.engine.runs import create_run
from judging.models import CollectionCall, Run, RunState, Shard
from projects.models import Laboratory
from tests.judging.collecting import add_frozen, collect, proverbs, started, target, work_off
from tests.people import add_response

__all__ = ["proverbs"]

BEFORE = ("judging", "0014_reserves_are_held")


def migrated(*targets: tuple[str, str]):
    for app, name in targets:
        call_command("migrate", app, name, verbosity=0)  # with its signals: triggers name tables that are made anew
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


@pytest.fixture
def every_migration():
    """Whatever becomes of the test, the next one finds the tables as they are today."""
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_every_collection_becomes_a_run_and_goes_on(project, provider, proverbs, nour, judge, every_migration):
    """Five collections: over, cancelled by halves, running with a worker, waiting, and one of a model by hand."""
    add_response(project, "judged", "A response that a judge was asked about.", "en-US")
    of_judge = create_run(judge, project.responses.all())
    done = collect(target(project, provider, "simulated-1"), by=nour)
    others = {name: started(target(project, provider, f"simulated-{name}"), by=nour) for name in ("cancelled", "held")}
    waiting = started(target(project, provider, "simulated-planned"))
    by_hand = add_by_hand(project, "River Spark", laboratory=Laboratory.objects.create(slug="spark", name="Spark"))
    paste(by_hand, proverbs[0], "Pasted.", list(CONTROLS), nour)
    runs.pause(others["cancelled"])

    old = migrated(BEFORE)
    Collection = old.get_model("judging", "Collection")
    assert Collection.objects.count() == 4
    assert old.get_model("judging", "Run").objects.get().uuid == of_judge.uuid
    assert old.get_model("judging", "CollectionCall").objects.filter(collection=None).count() == 1
    paused = Collection.objects.get(uuid=others["cancelled"].uuid)  # what waited was cancelled, for want of a pause
    assert (paused.state, set(paused.calls.values_list("state", flat=True))) == ("cancelled", {"cancelled"})
    begun = timezone.now() - timezone.timedelta(days=3)
    Collection.objects.update(created_at=begun)
    held = Collection.objects.filter(uuid=others["held"].uuid)
    held.update(claim="7b0b9f4e-3c55-4b76-a5d5-0d7c6d0f2a10", attempts=3, heartbeat_at=timezone.now())
    Collection.objects.filter(uuid=waiting.uuid).update(state="planned", started_at=None)

    call_command("migrate", verbosity=0)
    found = {run.uuid: run for run in Run.objects.filter(endpoint__isnull=False)}
    states = [found[run.uuid].state for run in (done, others["cancelled"], others["held"], waiting)]
    assert states == [RunState.DONE, RunState.CANCELLED, RunState.RUNNING, RunState.PLANNED]
    assert {run.created_at for run in found.values()} == {begun}
    assert (found[done.uuid].created_by, found[done.uuid].unfrozen) == (nour, 2)
    jobs = {job.shard.run.uuid: job for job in Job.objects.filter(kind="collect_shard").select_related("shard__run")}
    assert (jobs[done.uuid].state, jobs[done.uuid].done, jobs[done.uuid].total) == (JobState.DONE, 4, 4)
    assert jobs[others["held"].uuid].state == JobState.QUEUED  # no worker of before holds it any more
    assert {job.resource for job in jobs.values()} == {f"provider:{provider.pk}"}
    assert Shard.objects.filter(run=of_judge).exists()

    assert work_off(found[others["held"].uuid]).state == RunState.DONE
    assert runs.resume(found[others["cancelled"].uuid])
    assert work_off(found[others["cancelled"].uuid]).state == RunState.DONE
    runs.start_here(found[waiting.uuid])
    assert work_off(found[waiting.uuid]).state == RunState.DONE
    assert CollectionCall.objects.filter(state="collected", run__isnull=False).count() == 16


@pytest.mark.django_db(transaction=True)
def test_the_databases_own_rules_come_through_the_upgrade(project, provider, proverbs, every_migration):
    endpoint = target(project, provider, "simulated-1:refuse")
    collect(endpoint)
    migrated(BEFORE)
    call_command("migrate", verbosity=0)
    with pytest.raises(IntegrityError, match="not asked again"), transaction.atomic():
        CollectionCall.objects.update(state="planned")
    with pytest.raises(IntegrityError, match="before the freeze"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=project.prompts.get(key="unwritten"))
    elsewhere = add_frozen(project, "later", "بعدين")
    foreign = add_response(project, "foreign", "Another prompt's answer.", "en-US")
    with pytest.raises(IntegrityError, match="its own prompt"), transaction.atomic():
        CollectionCall.objects.create(endpoint=endpoint, prompt=elsewhere, response=foreign, state="collected")


def test_a_run_asks_a_judge_or_a_target_model_and_never_both(project, provider, proverbs, judge):
    add_response(project, "judged", "A response that a judge was asked about.", "en-US")
    run = create_run(judge, project.responses.all())
    endpoint = target(project, provider, "simulated-1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(endpoint=endpoint)
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(judge=None, prompt_version=None)
