import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmark", "0008_probes_and_decisions"),
        ("projects", "0009_presets_are_declared"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AcceptedDrift",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("anchor_pass", models.PositiveSmallIntegerField()),
                ("reason", models.TextField()),
                ("accepted_at", models.DateTimeField(auto_now_add=True)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="accepted_drifts",
                        to="projects.project",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="accepted_drifts", to="projects.rater"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("rater", "anchor_pass"), name="drift_accepted_once"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("reason", ""), _negated=True), ("anchor_pass__gte", 1)),
                        name="accepted_drift_has_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShuffledSet",
            fields=[
                (
                    "question_set",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="shuffle",
                        serialize=False,
                        to="benchmark.questionset",
                    ),
                ),
                ("seed", models.PositiveBigIntegerField()),
                ("left_out", models.PositiveIntegerField(default=0)),
                (
                    "original",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="shuffles", to="benchmark.questionset"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("original", "seed"), name="shuffled_once_by_seed"),
                    models.CheckConstraint(
                        condition=models.Q(("question_set", models.F("original")), _negated=True),
                        name="shuffled_set_is_another",
                    ),
                ],
            },
        ),
    ]
