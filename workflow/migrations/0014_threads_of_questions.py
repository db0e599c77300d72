import uuid

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from projects.triggers import without_triggers


def mark_answered(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("workflow", "ItemQuestion").objects.filter(answered_at__isnull=False).update(state="answered")


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0020_points_are_of_labels"),
        ("workflow", "0013_feedback_rules"),
    ]

    operations = without_triggers(
        migrations.CreateModel(
            name="QuestionMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("is_answer", models.BooleanField()),
                ("text", models.TextField()),
                ("written_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="itemquestion",
            name="state",
            field=models.CharField(
                choices=[("open", "open"), ("answered", "answered"), ("closed", "closed")],
                db_default="open",
                default="open",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="itemquestion",
            name="assignment",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="questions",
                to="workflow.assignment",
            ),
        ),
        migrations.AddConstraint(
            model_name="itemquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "answered", "closed"])), name="item_question_state_known"
            ),
        ),
        migrations.AddField(
            model_name="questionmessage",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="workflow.itemquestion"
            ),
        ),
        migrations.AddField(
            model_name="questionmessage",
            name="rater",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="question_messages",
                to="projects.rater",
            ),
        ),
        migrations.AddConstraint(
            model_name="questionmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="question_message_present"
            ),
        ),
        # Last: PostgreSQL alters no table that rows were changed in before.
        migrations.RunPython(mark_answered, migrations.RunPython.noop),
    )
