from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0021_derived_texts"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="user",
            name="unread_notices",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    )
