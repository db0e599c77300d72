from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_changes_of_categories"),
        ("projects", "0020_points_are_of_labels"),
        ("workflow", "0012_verdict_before_the_explanation"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="review",
            name="first_verdict",
            field=models.CharField(
                blank=True,
                choices=[
                    ("keep", "Keep"),
                    ("reject", "Reject"),
                    ("differs", "Differs by region"),
                    ("correct", "Correct"),
                ],
                db_default="",
                default="",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="review",
            constraint=models.CheckConstraint(
                condition=models.Q(("first_verdict__in", ["", "keep", "reject", "differs", "correct"])),
                name="review_first_verdict_known",
            ),
        ),
    )
