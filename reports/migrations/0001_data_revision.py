from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies: list[tuple[str, str]] = []

    operations = [
        migrations.CreateModel(
            name="DataRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("project_id", models.BigIntegerField()),
                ("variety_id", models.BigIntegerField(default=0)),
                ("part", models.CharField(max_length=40)),
                ("writes", models.BigIntegerField()),
                ("token", models.BigIntegerField()),
            ],
            options={
                "indexes": [models.Index(fields=["project_id", "variety_id", "part"], name="data_revision_place")],
            },
        ),
    ]
