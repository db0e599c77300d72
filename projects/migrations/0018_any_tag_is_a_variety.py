from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0017_short_names_move_to_projects"),
    ]

    operations = [
        migrations.AlterField(
            model_name="languagevariety",
            name="tag",
            field=models.CharField(help_text="BCP 47, for example ar-EG", max_length=100, unique=True),
        ),
        migrations.AlterField(
            model_name="languagevariety",
            name="name",
            field=models.CharField(max_length=200),
        ),
        migrations.AlterField(
            model_name="languagevariety",
            name="native_name",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddConstraint(
            model_name="projectvariety",
            constraint=models.UniqueConstraint(
                condition=models.Q(("short_name", ""), _negated=True),
                fields=("project", "short_name"),
                name="project_variety_short_name",
            ),
        ),
        migrations.RemoveField(
            model_name="languagevariety",
            name="setting",
        ),
    ]
