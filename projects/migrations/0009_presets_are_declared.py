"""Which presets there are is said by the areas that are declared; no row changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0008_audit_is_never_truncated"),
    ]

    operations = [
        migrations.AlterField(
            model_name="project",
            name="preset",
            field=models.CharField(default="spans", max_length=20, verbose_name="preset"),
        ),
    ]
