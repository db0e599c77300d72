from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [("workflow", "0014_threads_of_questions")]

    operations = without_triggers(
        migrations.AddField(
            model_name="stage", name="show", field=models.JSONField(blank=True, db_default=[], default=list)
        ),
        migrations.AddField(
            model_name="stage", name="ask", field=models.JSONField(blank=True, db_default=[], default=list)
        ),
    )
