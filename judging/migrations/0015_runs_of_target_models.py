"""A run asks a judge or a target model; calls of target models have runs, shards and costs as judges' calls do."""

import importlib

import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import create, drop

TRIGGERS = importlib.import_module("judging.migrations.0006_collecting_triggers").TRIGGERS


class Migration(migrations.Migration):
    dependencies = [("judging", "0014_reserves_are_held")]
    operations = [
        # SQLite builds the table of calls anew, and its triggers go with the old one: they come back in 0017.
        migrations.RunPython(drop(*TRIGGERS), create(*TRIGGERS)),
        migrations.AlterField(
            "run",
            "judge",
            models.ForeignKey(
                "judging.judge", django.db.models.deletion.PROTECT, null=True, blank=True, related_name="runs"
            ),
        ),
        migrations.AlterField(
            "run",
            "prompt_version",
            models.ForeignKey(
                "judging.promptversion", django.db.models.deletion.PROTECT, null=True, blank=True, related_name="runs"
            ),
        ),
        migrations.AddField(
            "run",
            "endpoint",
            models.ForeignKey(
                "judging.targetendpoint", django.db.models.deletion.PROTECT, null=True, blank=True, related_name="runs"
            ),
        ),
        migrations.AddField(
            "run",
            "unfrozen",
            models.PositiveIntegerField(default=0, help_text="Prompts left out for want of a frozen rubric"),
        ),
        migrations.AddField(
            "collectioncall",
            "run",
            models.ForeignKey(
                "judging.run",
                django.db.models.deletion.CASCADE,
                null=True,
                blank=True,
                related_name="collection_calls",
            ),
        ),
        migrations.AddField(
            "collectioncall",
            "shard",
            models.ForeignKey(
                "judging.shard",
                django.db.models.deletion.CASCADE,
                null=True,
                blank=True,
                related_name="collection_calls",
            ),
        ),
        migrations.AddField("collectioncall", "input_sha256", models.CharField(max_length=64, blank=True, default="")),
        migrations.AlterField("collectioncall", "input_sha256", models.CharField(max_length=64, blank=True)),
        migrations.AddField("collectioncall", "retries", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("collectioncall", "reasoning_tokens", models.PositiveIntegerField(null=True, blank=True)),
        migrations.AddField("collectioncall", "cost", models.BigIntegerField(null=True, blank=True)),
        migrations.AddField("collectioncall", "cost_is_bound", models.BooleanField(null=True, blank=True)),
        migrations.AddField(
            "collectioncall",
            "reused",
            models.ForeignKey(
                "judging.collectioncall", django.db.models.deletion.SET_NULL, null=True, blank=True, related_name="+"
            ),
        ),
    ]
