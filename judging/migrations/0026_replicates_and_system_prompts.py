import importlib

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from projects.triggers import create, drop

AFTER_FREEZE = importlib.import_module("judging.migrations.0025_gates_of_collecting").AFTER
SINCE = importlib.import_module("judging.migrations.0006_collecting_triggers").TRIGGERS
# SQLite makes the table anew when it changes, and its triggers go with the old one.
TRIGGERS = [AFTER_FREEZE if trigger.name == AFTER_FREEZE.name else trigger for trigger in SINCE]


class Migration(migrations.Migration):
    """A prompt may be put to a model several times, and a system prompt goes with it in each language variety."""

    dependencies = [
        ("judging", "0025_gates_of_collecting"),
        ("projects", "0016_licence_and_citation"),
    ]

    operations = [
        migrations.RunPython(drop(*TRIGGERS), create(*TRIGGERS)),
        migrations.RemoveConstraint("collectioncall", "collection_asked_once"),
        migrations.AddField("collectioncall", "replicate", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField("targetendpoint", "replicates", models.PositiveSmallIntegerField(default=1)),
        migrations.AddConstraint(
            "collectioncall",
            models.UniqueConstraint(fields=["endpoint", "prompt", "replicate"], name="collection_asked_once"),
        ),
        migrations.AddConstraint(
            "collectioncall",
            models.CheckConstraint(condition=Q(replicate__gte=1), name="collection_replicate_counted"),
        ),
        migrations.AddConstraint(
            "targetendpoint",
            models.CheckConstraint(
                condition=Q(replicates__gte=1, replicates__lte=20), name="target_endpoint_replicates"
            ),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
        migrations.CreateModel(
            name="SystemPrompt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="system_prompts",
                        to="projects.project",
                    ),
                ),
                (
                    "variety",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="projects.languagevariety",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["project", "variety"], name="system_prompt_once"),
                    models.UniqueConstraint(
                        fields=["project"], condition=Q(variety=None), name="system_prompt_of_others_once"
                    ),
                    models.CheckConstraint(condition=~Q(text=""), name="system_prompt_present"),
                ]
            },
        ),
    ]
