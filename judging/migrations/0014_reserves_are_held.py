from django.db import migrations

from projects.triggers import Trigger, create, drop

NOT_HELD = (
    "(NEW.money_reserved > 0 OR NEW.tokens_reserved > 0) "
    "AND NOT EXISTS (SELECT 1 FROM jobs_job WHERE id = NEW.job_id AND state = 'running')"
)
TRIGGERS = [
    Trigger(
        "shard_reserves_while_held",
        "judging_shard",
        "UPDATE OF money_reserved, tokens_reserved",
        NOT_HELD,
        "only a worker that holds a shard sets something aside for it",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("judging", "0013_shards_are_jobs_alone")]

    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
