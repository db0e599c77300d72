"""Every collection becomes a run with its uuid, state, times and creator; its calls stand in shards, which are jobs."""

from django.db import migrations
from django.utils import timezone

AT_ONCE = 400


def collections_to_runs(apps, schema_editor):
    Collection, Run = apps.get_model("judging", "Collection"), apps.get_model("judging", "Run")
    CollectionCall = apps.get_model("judging", "CollectionCall")
    for collection in Collection.objects.select_related("endpoint").order_by("pk").iterator(AT_ONCE):
        run = Run.objects.create(
            uuid=collection.uuid,
            project_id=collection.endpoint.project_id,
            endpoint_id=collection.endpoint_id,
            state=collection.state,
            unfrozen=collection.unfrozen,
            created_by_id=collection.created_by_id,
            started_at=collection.started_at,
            ended_at=collection.ended_at,
        )
        Run.objects.filter(pk=run.pk).update(created_at=collection.created_at)
        calls = list(CollectionCall.objects.filter(collection=collection).order_by("pk").values_list("pk", "state"))
        for number, start in enumerate(range(0, max(len(calls), 1), AT_ONCE)):
            lay_out(apps, run, collection.endpoint.provider_id, number, calls[start : start + AT_ONCE])


def lay_out(apps, run, provider, number, calls):
    Shard, Job = apps.get_model("judging", "Shard"), apps.get_model("jobs", "Job")
    CollectionCall = apps.get_model("judging", "CollectionCall")
    now = timezone.now()
    state = state_of_job(run.state, {state for _pk, state in calls})
    job = Job.objects.create(
        kind="collect_shard",
        project_id=run.project_id,
        queue="calls",
        resource=f"provider:{provider}",
        state=state,
        heartbeat_at=now,
        due_at=now,
        done=sum(state not in ("planned", "cancelled") for _pk, state in calls),
        total=len(calls),
        asked_by_id=run.created_by_id,
        started_at=run.started_at,
        ended_at=(run.ended_at or now) if state in ("done", "cancelled") else None,
    )
    shard = Shard.objects.create(job=job, run=run, number=number)
    CollectionCall.objects.filter(pk__in=[pk for pk, _state in calls]).update(run=run, shard=shard)


def state_of_job(of_run, of_calls):
    """A worker that still held the collection holds nothing any more: what it had in flight is asked anew."""
    if of_run == "planned":
        return "planned"
    if of_run == "running":
        return "queued" if "planned" in of_calls else "done"
    return "cancelled" if of_run == "cancelled" and "cancelled" in of_calls else "done"


def runs_to_collections(apps, schema_editor):
    Collection, Run = apps.get_model("judging", "Collection"), apps.get_model("judging", "Run")
    CollectionCall, Job = apps.get_model("judging", "CollectionCall"), apps.get_model("jobs", "Job")
    for run in Run.objects.filter(endpoint__isnull=False).order_by("pk").iterator(AT_ONCE):
        collection = Collection.objects.create(
            uuid=run.uuid,
            endpoint_id=run.endpoint_id,
            state="cancelled" if run.state == "paused" else run.state,  # a collection could not wait
            unfrozen=run.unfrozen,
            heartbeat_at=timezone.now(),
            created_by_id=run.created_by_id,
            started_at=run.started_at,
            ended_at=timezone.now() if run.state == "paused" else run.ended_at,
        )
        Collection.objects.filter(pk=collection.pk).update(created_at=run.created_at)
        calls = CollectionCall.objects.filter(run=run)
        if run.state == "paused":
            calls.filter(state="planned").update(state="cancelled")
        calls.update(collection=collection, run=None, shard=None)
        Job.objects.filter(shard__run=run).delete()
        run.delete()


class Migration(migrations.Migration):
    dependencies = [("judging", "0015_runs_of_target_models")]
    operations = [migrations.RunPython(collections_to_runs, runs_to_collections)]
