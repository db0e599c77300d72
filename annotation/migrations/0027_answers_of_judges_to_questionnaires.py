from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0026_refinements"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="questionnaireanswer",
            name="metadata",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    )
