from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0028_language_of_explanations"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="project",
            name="only_validated_prompts",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Localisations and drafts that no native speaker has looked at wait.",
                verbose_name="models are asked validated prompts alone",
            ),
        ),
    )
