"""The table of collections goes. Apart from the copying: PostgreSQL alters no table that has rows changed in the same
transaction."""

import importlib

from django.db import migrations, models
from django.db.models import Q

from projects.triggers import create, drop

TRIGGERS = importlib.import_module("judging.migrations.0006_collecting_triggers").TRIGGERS


class Migration(migrations.Migration):
    dependencies = [("judging", "0016_collections_become_runs")]
    operations = [
        migrations.RemoveIndex("collectioncall", "collection_progress"),
        migrations.RemoveField("collectioncall", "collection"),
        migrations.DeleteModel("Collection"),
        migrations.AddConstraint(
            "run",
            models.CheckConstraint(
                condition=Q(judge__isnull=False, prompt_version__isnull=False, endpoint=None)
                | Q(judge=None, prompt_version=None, endpoint__isnull=False),
                name="run_asks_a_judge_or_a_target_model",
            ),
        ),
        migrations.AddConstraint(
            "collectioncall",
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="collection_cost_not_negative"),
        ),
        migrations.AddConstraint(
            "collectioncall",
            models.CheckConstraint(
                condition=Q(run=None, shard=None) | Q(run__isnull=False, shard__isnull=False),
                name="collection_call_of_a_shard_of_its_run",
            ),
        ),
        migrations.AddIndex("collectioncall", models.Index(fields=["run", "state"], name="collection_progress")),
        migrations.AddIndex("collectioncall", models.Index(fields=["shard", "state"], name="collection_of_shard")),
        migrations.AddIndex(
            "collectioncall",
            models.Index(fields=["input_sha256"], name="collection_by_input", condition=~Q(input_sha256="")),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
