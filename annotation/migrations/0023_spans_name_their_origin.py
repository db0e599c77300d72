from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0022_answers_to_questionnaires"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="span",
            name="origin",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    )
