import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

DESIGNS = ("all", "baseline", "balanced")


class Migration(migrations.Migration):
    """How a project forms its pairs is kept: the next time begins with it, and so does a project that is cloned."""

    dependencies = [
        ("annotation", "0016_weights_of_errors"),
        ("projects", "0016_licence_and_citation"),
    ]

    operations = [
        migrations.CreateModel(
            name="PairDesign",
            fields=[
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pair_design",
                        serialize=False,
                        to="projects.project",
                    ),
                ),
                (
                    "design",
                    models.CharField(
                        choices=[
                            ("all", "Every model meets every other one"),
                            ("baseline", "Every model meets one of them"),
                            ("balanced", "So many pairs a prompt, balanced over the models"),
                        ],
                        default="all",
                        max_length=10,
                    ),
                ),
                ("baseline", models.CharField(blank=True, max_length=200)),
                ("per_prompt", models.PositiveSmallIntegerField(default=1)),
                ("among", models.JSONField(blank=True, default=list)),
                ("seed", models.PositiveIntegerField(default=1)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(design__in=list(DESIGNS)), name="pair_design_known"),
                    models.CheckConstraint(condition=Q(per_prompt__gte=1), name="pair_design_per_prompt"),
                ],
            },
        ),
    ]
