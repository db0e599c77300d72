"""A prompt of several turns keeps its messages, which never change, as its text does not."""

from django.db import migrations, models

from projects.triggers import Trigger, create, drop, without_triggers

TRIGGERS = [
    Trigger(
        "prompt_messages_immutable",
        "projects_prompt",
        "UPDATE OF messages",
        "(NEW.messages <> OLD.messages)",
        "the messages of a prompt never change",
    )
]


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0022_unread_notices"),
    ]

    operations = [
        *without_triggers(migrations.AddField("prompt", "messages", models.JSONField(blank=True, default=list))),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
