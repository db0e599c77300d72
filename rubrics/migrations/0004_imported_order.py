import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0003_areas_and_rubrics_preset"),
        ("rubrics", "0003_revision"),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedOrder",
            fields=[
                (
                    "response",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="imported_order",
                        serialize=False,
                        to="projects.response",
                    ),
                ),
                ("collected_at", models.DateTimeField()),
                ("first_shown_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
