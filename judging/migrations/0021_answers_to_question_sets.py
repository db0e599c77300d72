from django.db import migrations

from projects.triggers import Trigger, create, drop

CALLS = "judging_collectioncall"
MESSAGE = "no response is collected before the freeze"
NO_RUBRIC = "NOT EXISTS (SELECT 1 FROM rubrics_rubric WHERE prompt_id = NEW.prompt_id AND frozen_at IS NOT NULL)"
NO_SET = (
    "NOT EXISTS (SELECT 1 FROM benchmark_question q JOIN benchmark_questionset s ON s.id = q.question_set_id "
    "WHERE q.prompt_id = NEW.prompt_id AND s.frozen_at IS NOT NULL)"
)
BEFORE = Trigger("collection_after_freeze", CALLS, "INSERT", NO_RUBRIC, MESSAGE)
AFTER = Trigger("collection_after_freeze", CALLS, "INSERT", f"{NO_RUBRIC} AND {NO_SET}", MESSAGE)


class Migration(migrations.Migration):
    """What a good answer is has been settled by a frozen rubric, or in a frozen question set."""

    dependencies = [
        ("judging", "0020_options_of_a_judge_alone"),
        ("benchmark", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(drop(BEFORE), create(BEFORE)),
        migrations.RunPython(create(AFTER), drop(AFTER)),
    ]
