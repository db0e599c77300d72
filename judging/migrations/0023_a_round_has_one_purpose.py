"""Of a judge and round all runs have one purpose: kept by the database, whoever writes and however many at once."""

from django.db import migrations

from projects.triggers import Trigger, create, drop

OTHER_PURPOSE = (
    "EXISTS (SELECT 1 FROM judging_run AS other WHERE other.judge_id = NEW.judge_id AND other.round = NEW.round "
    "AND other.purpose <> NEW.purpose AND other.id <> NEW.id)"
)
MESSAGE = "a round of a judge has one purpose"
OF_ITS_JUDGE = "judging_judge WHERE id = NEW.judge_id"
TRIGGERS = [
    Trigger("purpose_of_round_insert", "judging_run", "INSERT", OTHER_PURPOSE, MESSAGE, OF_ITS_JUDGE),
    Trigger(
        "purpose_of_round_update",
        "judging_run",
        "UPDATE OF judge_id, round, purpose",
        OTHER_PURPOSE,
        MESSAGE,
        OF_ITS_JUDGE,
    ),
]


class Migration(migrations.Migration):
    dependencies = [("judging", "0022_purpose_of_a_run")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
