from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0023_conversations_as_prompts"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="project",
            name="forbid_repeats",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Else whoever has marked words can go through their other places and confirm each.",
                verbose_name="do not offer “The same words again”",
            ),
        ),
    )
