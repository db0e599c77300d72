import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0026_drafts_of_localisations"),
    ]

    operations = without_triggers(
        migrations.AddField(
            model_name="project",
            name="note_sets",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="prompt",
            name="note_set",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name="ContentNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=80)),
                ("names", models.JSONField(blank=True, default=dict)),
                ("position", models.PositiveSmallIntegerField(default=0)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="content_notes", to="projects.project"
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("project", "slug"), name="content_note_slug_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("slug", ""), _negated=True), name="content_note_slug_present"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ContentNoteSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("slugs", models.CharField(max_length=1300)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="content_note_sets",
                        to="projects.project",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("project", "number"), name="content_note_set_number_unique"),
                    models.UniqueConstraint(fields=("project", "slugs"), name="content_note_set_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1), models.Q(("slugs", ""), _negated=True)),
                        name="content_note_set_of_something",
                    ),
                ],
            },
        ),
    )
