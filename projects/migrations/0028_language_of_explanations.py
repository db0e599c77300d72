from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0027_content_notes"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="project",
            name="explanation_language",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="In which people explain what they find. Judges that are added explain in it too.",
                max_length=35,
                verbose_name="language of explanations",
            ),
        ),
    )
