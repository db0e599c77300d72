from importlib import import_module

from django.db import migrations, models

from projects.triggers import create, drop

# SQLite makes the table anew to add a column, and triggers that look at it would be lost, or in the way.
TRIGGERS = import_module("screening.migrations.0002_triggers").TRIGGERS


class Migration(migrations.Migration):
    dependencies = [("screening", "0002_triggers")]
    operations = [
        migrations.RunPython(drop(*TRIGGERS), create(*TRIGGERS)),
        migrations.AddField(
            model_name="quizquestion",
            name="since_version",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
