from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0027_content_notes"),
        ("workflow", "0023_queues_by_content_notes"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="stage",
            name="closes_when_due",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="stage",
            name="due_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="due_zone",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="stage",
            index=models.Index(condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="stage_due"),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("due_at", None), ("due_zone", "")),
                    models.Q(("due_at__isnull", False), models.Q(("due_zone", ""), _negated=True)),
                    _connector="OR",
                ),
                name="stage_due_in_a_zone",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("closes_when_due", False), ("due_at__isnull", False), _connector="OR"),
                name="stage_closes_at_a_date",
            ),
        ),
    )
