"""Cases of prompts, and what each case is filed under; every case book is gone through again by its job."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def forget_what_is_indexed(apps, _schema_editor):
    for name in ("IndexedAnswer", "IndexedKind"):
        apps.get_model("annotation", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0031_questionnaires_name_their_import"),
        ("projects", "0032_question_of_localised_templates"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CaseLabel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("label", models.CharField(max_length=200)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="settledcase",
            name="settled_case_has_a_subject",
        ),
        migrations.AddField(
            model_name="casenote",
            name="prompt",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="case_notes",
                to="projects.prompt",
            ),
        ),
        migrations.AddField(
            model_name="settledcase",
            name="prompt",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="settled_cases",
                to="projects.prompt",
            ),
        ),
        migrations.AlterField(
            model_name="casenote",
            name="response",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="case_notes",
                to="projects.response",
            ),
        ),
        migrations.AddConstraint(
            model_name="casenote",
            constraint=models.UniqueConstraint(fields=("prompt", "kind", "key"), name="case_note_of_prompt_once"),
        ),
        migrations.AddConstraint(
            model_name="casenote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("prompt", None), ("response__isnull", False)),
                    models.Q(("pair", None), ("prompt__isnull", False), ("response", None)),
                    _connector="OR",
                ),
                name="case_note_has_a_subject",
            ),
        ),
        migrations.AddConstraint(
            model_name="settledcase",
            constraint=models.UniqueConstraint(fields=("prompt", "kind", "key"), name="settled_case_of_prompt_once"),
        ),
        migrations.AddConstraint(
            model_name="settledcase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("gold__isnull", False),
                        ("kind", "errors"),
                        ("pair", None),
                        ("prompt", None),
                        ("response", None),
                    ),
                    models.Q(
                        models.Q(("kind", "errors"), _negated=True),
                        ("gold", None),
                        ("prompt", None),
                        ("response__isnull", False),
                    ),
                    models.Q(
                        models.Q(("kind", "errors"), _negated=True),
                        ("gold", None),
                        ("pair", None),
                        ("prompt__isnull", False),
                        ("response", None),
                    ),
                    _connector="OR",
                ),
                name="settled_case_has_a_subject",
            ),
        ),
        migrations.AddField(
            model_name="caselabel",
            name="case",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="labels",
                to="annotation.settledcase",
            ),
        ),
        migrations.AddField(
            model_name="caselabel",
            name="project",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
            ),
        ),
        migrations.AddIndex(
            model_name="caselabel",
            index=models.Index(fields=["project", "label", "case"], name="case_label_found"),
        ),
        migrations.AddConstraint(
            model_name="caselabel",
            constraint=models.UniqueConstraint(fields=("case", "label"), name="case_label_once"),
        ),
        migrations.RunPython(forget_what_is_indexed, migrations.RunPython.noop),
    ]
