from django.db import migrations, models
from django.db.models import Q

from projects.triggers import Trigger, create, drop

TRIGGERS = [
    Trigger(
        "shard_waits_with_its_run",
        "judging_shard",
        "UPDATE OF state",
        "NEW.state IN ('queued', 'running') AND EXISTS "
        "(SELECT 1 FROM judging_run WHERE judging_run.id = NEW.run_id AND judging_run.state = 'paused')",
        "a shard of a paused run waits with it",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("judging", "0009_words_of_replies")]

    operations = [
        migrations.AddField("call", "retries", models.PositiveSmallIntegerField(default=0)),
        migrations.AddConstraint(
            "shard",
            models.CheckConstraint(
                condition=Q(state="running", claim__isnull=False)
                | (~Q(state="running") & Q(claim=None, money_reserved=0, tokens_reserved=0)),
                name="shard_held_while_running",
            ),
        ),
        migrations.AddConstraint(
            "shard",
            models.CheckConstraint(
                condition=Q(money_reserved__gte=0, tokens_reserved__gte=0), name="shard_reserves_not_negative"
            ),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
