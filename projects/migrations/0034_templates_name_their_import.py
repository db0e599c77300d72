import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0033_guidelines_in_languages"),
    ]

    operations = [
        *without_triggers(
            migrations.AddField(
                model_name="prompttemplate",
                name="came_with",
                field=models.ForeignKey(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="templates",
                    to="projects.import",
                ),
            ),
        ),
    ]
