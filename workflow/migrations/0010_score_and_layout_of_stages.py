import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [("projects", "0020_points_are_of_labels"), ("workflow", "0009_working_time")]

    operations = without_triggers(
        migrations.AddField(
            model_name="stage",
            name="layout",
            field=models.CharField(
                choices=[("above", "Above the response"), ("beside", "Beside the response")],
                db_default="above",
                default="above",
                max_length=10,
                verbose_name="prompt",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="scored_on",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="scored_stages",
                to="projects.questiontype",
                verbose_name="score",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("layout__in", ["above", "beside"])), name="stage_layout_known"
            ),
        ),
    )
