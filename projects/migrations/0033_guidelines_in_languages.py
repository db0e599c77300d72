"""Guidelines have a text per language. What was written so far is the main text, of a language that nobody has said,
and every version counts as having changed it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F

from projects.triggers import without_triggers


def count_as_changed(apps, schema_editor):
    """No project has translations yet, so none lags, whichever version changed the main text last."""
    database = schema_editor.connection.alias
    versions = apps.get_model("projects", "GuidelinesVersion").objects.using(database)
    versions.update(text_version=F("number"))
    apps.get_model("projects", "Project").objects.using(database).update(
        guidelines_text_version=F("guidelines_version")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0032_question_of_localised_templates"),
    ]

    operations = [
        *without_triggers(
            migrations.AddField(
                model_name="guidelinesversion",
                name="language",
                field=models.CharField(blank=True, db_default="", default="", max_length=100),
            ),
            migrations.AddField(
                model_name="guidelinesversion",
                name="text_version",
                field=models.PositiveIntegerField(db_default=1, default=1),
            ),
            migrations.AddField(
                model_name="project",
                name="guidelines_language",
                field=models.CharField(blank=True, db_default="", default="", max_length=100),
            ),
            migrations.AddField(
                model_name="project",
                name="guidelines_text_version",
                field=models.PositiveIntegerField(db_default=1, default=1),
            ),
            migrations.AddField(
                model_name="project",
                name="guidelines_translations",
                field=models.JSONField(blank=True, db_default={}, default=dict),
            ),
        ),
        migrations.RunPython(count_as_changed, migrations.RunPython.noop),
        migrations.CreateModel(
            name="GuidelinesChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(blank=True, max_length=100)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guidelines_choices",
                        to="projects.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("project", "user"), name="guidelines_choice_once")],
            },
        ),
        migrations.CreateModel(
            name="GuidelinesDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(blank=True, max_length=100)),
                ("text", models.TextField(blank=True)),
                ("change", models.TextField(blank=True)),
                ("number", models.PositiveIntegerField(default=1)),
                ("saved_at", models.DateTimeField(auto_now=True)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guidelines_drafts",
                        to="projects.project",
                    ),
                ),
                (
                    "saved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("project", "language"), name="guidelines_draft_once")],
            },
        ),
        migrations.CreateModel(
            name="GuidelinesSetAside",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(blank=True, max_length=100)),
                ("text", models.TextField(blank=True)),
                ("change", models.TextField(blank=True)),
                ("written_at", models.DateTimeField(auto_now=True)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guidelines_set_aside",
                        to="projects.project",
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-written_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "language", "written_by"), name="guidelines_set_aside_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GuidelinesTranslation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=100)),
                ("text", models.TextField(blank=True)),
                ("change", models.TextField(blank=True)),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="translations",
                        to="projects.guidelinesversion",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("version", "language"), name="guidelines_translation_once"),
                    models.CheckConstraint(
                        condition=models.Q(("language", ""), _negated=True), name="guidelines_translation_language"
                    ),
                ],
            },
        ),
    ]
