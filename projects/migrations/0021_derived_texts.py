"""Texts that steps make from responses: the step, the source, and where the two differ."""

import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import Trigger, create, drop

TRIGGERS = [
    Trigger(
        "derivation_within_project",
        "projects_derivation",
        "INSERT",
        "(SELECT project_id FROM projects_response WHERE id = NEW.source_id) <> "
        "(SELECT project_id FROM projects_derivationstep WHERE id = NEW.step_id) OR "
        "(SELECT project_id FROM projects_response WHERE id = NEW.original_id) <> "
        "(SELECT project_id FROM projects_derivationstep WHERE id = NEW.step_id) OR "
        "(SELECT project_id FROM projects_response WHERE id = NEW.response_id) <> "
        "(SELECT project_id FROM projects_derivationstep WHERE id = NEW.step_id) OR "
        "(SELECT prompt_id FROM projects_response WHERE id = NEW.response_id) <> "
        "(SELECT prompt_id FROM projects_response WHERE id = NEW.source_id)",
        "a derived text belongs to the project and the prompt of its source",
    ),
    Trigger("derivation_immutable", "projects_derivation", "UPDATE", "1 = 1", "how a text was made never changes"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0020_points_are_of_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="DerivationStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                (
                    "change",
                    models.CharField(
                        choices=[
                            ("model", "Edited by a model"),
                            ("words", "Cut after so many words"),
                            ("characters", "Cut after so many characters"),
                        ],
                        max_length=10,
                    ),
                ),
                ("limit", models.PositiveIntegerField(blank=True, null=True)),
                ("is_taken", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="derivation_steps",
                        to="projects.project",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Derivation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("edits", models.JSONField(blank=True, default=list)),
                ("prompt", models.CharField(blank=True, max_length=120)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "original",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="all_derivations",
                        to="projects.response",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="derivations",
                        to="projects.rater",
                    ),
                ),
                (
                    "response",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="derivation",
                        to="projects.response",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="derivations", to="projects.response"
                    ),
                ),
                (
                    "step",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="derivations",
                        to="projects.derivationstep",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="derivationstep",
            constraint=models.UniqueConstraint(fields=("project", "name"), name="derivation_step_name_unique"),
        ),
        migrations.AddConstraint(
            model_name="derivationstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("change__in", ["model", "words", "characters"])),
                name="derivation_step_change_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="derivationstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("change", "model"), ("limit", None)),
                    models.Q(models.Q(("change", "model"), _negated=True), ("limit__gte", 1)),
                    _connector="OR",
                ),
                name="derivation_step_cut_has_limit",
            ),
        ),
        migrations.AddConstraint(
            model_name="derivation",
            constraint=models.UniqueConstraint(fields=("step", "original"), name="derivation_once"),
        ),
        migrations.AddConstraint(
            model_name="derivation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("prompt", ""), ("rater", None)),
                    models.Q(("rater__isnull", False), models.Q(("prompt", ""), _negated=True)),
                    _connector="OR",
                ),
                name="derivation_by_a_model_has_prompt",
            ),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
