import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0020_points_are_of_labels"),
        ("workflow", "0012_verdict_before_the_explanation"),
    ]

    operations = [
        migrations.CreateModel(
            name="FeedbackRules",
            fields=[
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="feedback_rules",
                        serialize=False,
                        to="projects.project",
                    ),
                ),
                (
                    "shows_outcomes",
                    models.BooleanField(
                        default=True,
                        help_text="Once a mark is settled, and they have reviewed the others of the same response.",
                        verbose_name="people see what became of their own marks",
                    ),
                ),
                (
                    "shows_words",
                    models.BooleanField(
                        default=False,
                        help_text="Their comments and corrections, without names.",
                        verbose_name="with what reviewers wrote",
                    ),
                ),
                (
                    "explains_checks",
                    models.BooleanField(
                        default=False,
                        help_text="When a check is retired, or its stage is closed or locked: nobody can be given it any more.",
                        verbose_name="checks are explained once they are over",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "feedback rules",
            },
        ),
    ]
