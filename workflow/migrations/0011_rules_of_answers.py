import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workflow", "0010_score_and_layout_of_stages")]

    operations = [
        migrations.CreateModel(
            name="StageRules",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("rules", models.JSONField(blank=True, default=list)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rules", to="workflow.stage"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stage rules",
                "ordering": ["stage", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="stage_rules_number_unique"),
                    models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="stage_rules_number_positive"),
                ],
            },
        ),
    ]
