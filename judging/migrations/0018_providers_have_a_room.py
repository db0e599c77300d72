"""Providers have a room of their own: what points at them points there. The tables stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0017_collections_are_runs_alone"),
        ("providers", "0001_initial"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(
                    model_name="provider",
                    name="laboratory",
                ),
                migrations.RemoveField(
                    model_name="servedmodel",
                    name="provider",
                ),
                migrations.AlterField(
                    model_name="targetendpoint",
                    name="provider",
                    field=models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="target_endpoints",
                        to="providers.provider",
                    ),
                ),
                migrations.AlterField(
                    model_name="judge",
                    name="provider",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="judges", to="providers.provider"
                    ),
                ),
                migrations.AlterField(
                    model_name="difficultymodel",
                    name="provider",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="providers.provider"
                    ),
                ),
                migrations.RemoveField(
                    model_name="servedmodel",
                    name="laboratory",
                ),
                migrations.DeleteModel(
                    name="ModelMapping",
                ),
                migrations.DeleteModel(
                    name="Provider",
                ),
                migrations.DeleteModel(
                    name="ServedModel",
                ),
            ]
        )
    ]
