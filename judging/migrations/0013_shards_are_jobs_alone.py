"""The columns that stand in the jobs of shards now. Apart from the copying: PostgreSQL alters no table that has rows
changed in the same transaction."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import gone

TRIGGERS = import_module("judging.migrations.0010_shards_are_held_while_running").TRIGGERS


class Migration(migrations.Migration):
    dependencies = [("judging", "0012_shards_are_jobs")]
    operations = [
        migrations.AlterField(
            "shard", "job", models.OneToOneField("jobs.job", django.db.models.deletion.CASCADE, related_name="shard")
        ),
        migrations.RemoveConstraint("shard", "shard_state_known"),
        migrations.RemoveConstraint("shard", "shard_held_while_running"),
        migrations.RemoveIndex("shard", "shard_sweep"),
        migrations.RemoveField("shard", "state"),
        migrations.RemoveField("shard", "claim"),
        migrations.RemoveField("shard", "heartbeat_at"),
        migrations.RemoveField("shard", "attempts"),
        migrations.RunPython(gone(*TRIGGERS), migrations.RunPython.noop),
    ]
