"""A shard is a job: its claim, heartbeat and attempts stand in the room of jobs, where all claims do."""

from itertools import islice

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

AT_ONCE = 1000
OVER = ("done", "cancelled")


def jobs_of_shards(apps, schema_editor):
    Shard, Job = apps.get_model("judging", "Shard"), apps.get_model("jobs", "Job")
    shards = (
        Shard.objects.select_related("run__judge").annotate(size=models.Count("calls")).order_by("pk").iterator(AT_ONCE)
    )
    while batch := list(islice(shards, AT_ONCE)):
        jobs = Job.objects.bulk_create([job_of(Job, shard) for shard in batch])
        for shard, job in zip(batch, jobs, strict=True):
            shard.job = job
        Shard.objects.bulk_update(batch, ["job"])


def job_of(Job, shard):
    moved_at = shard.heartbeat_at or shard.run.created_at
    # A shard of a run that nobody has started waits for that, not for a worker.
    state = "planned" if shard.run.state == "planned" and shard.state == "queued" else shard.state
    return Job(
        kind="judge_shard",
        project_id=shard.run.project_id,
        queue="calls",
        resource=f"provider:{shard.run.judge.provider_id}",
        state=state,
        claim=shard.claim,
        heartbeat_at=moved_at,
        due_at=moved_at,
        attempts=shard.attempts,
        done=shard.size if state == "done" else 0,
        total=shard.size,
        asked_by_id=shard.run.created_by_id,
        started_at=shard.run.started_at,
        ended_at=(shard.run.ended_at or moved_at or timezone.now()) if state in OVER else None,
    )


def shards_as_they_were(apps, schema_editor):
    Shard = apps.get_model("judging", "Shard")
    states = {"planned": "queued", "failed": "done"}
    for shard in Shard.objects.select_related("job").order_by("pk").iterator(AT_ONCE):
        job = shard.job
        shard.state, shard.claim = states.get(job.state, job.state), job.claim
        shard.heartbeat_at, shard.attempts = job.heartbeat_at, job.attempts
        shard.save(update_fields=["state", "claim", "heartbeat_at", "attempts"])


class Migration(migrations.Migration):
    dependencies = [("judging", "0011_served_models_token_limit"), ("jobs", "0001_initial")]
    operations = [
        migrations.AddField(
            "shard",
            "job",
            models.OneToOneField("jobs.job", django.db.models.deletion.CASCADE, null=True, related_name="shard"),
        ),
        migrations.RunPython(jobs_of_shards, shards_as_they_were),
    ]
