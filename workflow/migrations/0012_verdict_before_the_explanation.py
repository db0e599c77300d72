from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("workflow", "0011_rules_of_answers"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="stage",
            name="verdict_first",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="first verdict before the explanation is shown"
            ),
        ),
    )
