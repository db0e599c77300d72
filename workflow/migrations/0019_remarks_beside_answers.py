import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("workflow", "0018_case_books"),
    ]

    operations = [
        *without_triggers(
            migrations.AddField(
                model_name="assignment",
                name="is_unsure",
                field=models.BooleanField(db_default=False, default=False),
            ),
            migrations.AddField(
                model_name="workitem",
                name="is_raised",
                field=models.BooleanField(db_default=False, default=False),
            ),
            migrations.AddField(
                model_name="stage",
                name="most_when_unsure",
                field=models.PositiveSmallIntegerField(
                    blank=True, null=True, verbose_name="one rater more where somebody is unsure, up to"
                ),
            ),
            migrations.AddConstraint(
                model_name="stage",
                constraint=models.CheckConstraint(
                    condition=models.Q(("most_when_unsure", None))
                    | models.Q(("most_when_unsure__gt", models.F("overlap"))),
                    name="stage_unsure_above_overlap",
                ),
            ),
            migrations.AddField(
                model_name="feedbackrules",
                name="shares_notes",
                field=models.BooleanField(
                    db_default=False,
                    default=False,
                    help_text="Those written from then on: each person reads beside the note who else does.",
                    verbose_name="leads read people's notes to themselves",
                ),
            ),
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="remark",
                        serialize=False,
                        to="workflow.assignment",
                    ),
                ),
                ("bookmarked_at", models.DateTimeField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
                ("note_is_shared", models.BooleanField(default=False)),
                ("noted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("note", ""), _negated=True) | models.Q(("note_is_shared", False)),
                        name="remark_shares_a_note",
                    )
                ],
            },
        ),
    ]
