from django.db import migrations, models


class Migration(migrations.Migration):
    """The word for a configuration of a model; nothing in the database changes."""

    dependencies = [("benchmark", "0004_curation_own_answers")]

    operations = [
        migrations.AlterField(
            model_name="configuration",
            name="kind",
            field=models.CharField(
                choices=[("model", "Target model"), ("baseline", "Baseline"), ("anchor", "Anchor answers")],
                default="model",
                max_length=8,
            ),
        ),
    ]
